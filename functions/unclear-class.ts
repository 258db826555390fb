import { UNCLEAR_CLASS } from '../render/claim.ts';
import type { Diagnostic } from '../render/diagnostic.ts';

/**
 * Makes errors of the warnings of Gateways that may be ours, where a run would take away what was
 * rendered for them: one GatewayClass more in the input must not cost them that.
 * @param losesSomething Whether a Gateway (`<namespace>/<name>`) would lose something.
 */
export function refuseToLose(
  diagnostics: readonly Diagnostic[],
  losesSomething: (gateway: string) => boolean,
): readonly Diagnostic[] {
  return diagnostics.map((each) => {
    const { namespace, name } = each.object ?? {};
    if (each.reason !== UNCLEAR_CLASS || !losesSomething(`${namespace}/${name}`)) return each;
    const message = `${each.message}. What gari rendered for it is there: if it is to go, remove that first`;
    return { ...each, severity: 'error', message };
  });
}
