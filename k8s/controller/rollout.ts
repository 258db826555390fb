import type { Json } from '../../render/json.ts';
import { gatewayKey } from '../../render/metadata.ts';
import { renderedName } from '../../render/names.ts';
import type { RenderedObject } from '../../render/objects.ts';
import type { RenderResult } from '../../render/render.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedGateway } from '../status/observed.ts';
import { type RolloutBudget, templateHashOf } from './rollout-budget.ts';
import { type ChangeCause, causeOfChange } from './template-change.ts';

/** Whether a Gateway's pods are to be replaced, and may be now. */
export interface Rollout {
  /** `<namespace>/<name>`. */
  readonly deployment: string;
  /** Whether they are replaced now. */
  readonly begins: boolean;
  /** Why they are not, although they should be. */
  readonly pending?: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Why the template changes. */
  readonly cause?: ChangeCause;
}

/** What a rollout is decided from. */
export interface RolloutFacts {
  readonly desired: RenderedObject | undefined;
  /** The Gateway's own Deployment, as it is. */
  readonly live: LiveObject | undefined;
  readonly provenanceOf: RenderResult['provenanceOf'];
}

/** Decides about a Gateway's rollout, and takes its turn if it has one. */
export function takeTurn(
  budget: RolloutBudget,
  gateway: ObservedGateway,
  { desired, live, provenanceOf }: RolloutFacts,
): Rollout {
  const deployment = deploymentKey(gateway.metadata);
  if (desired === undefined || live === undefined) {
    budget.forget(deployment);
    return { deployment, begins: false };
  }
  const [from, to] = [templateHashOf(live), templateHashOf(desired)];
  if (from === to) {
    budget.forget(deployment);
    return { deployment, begins: false };
  }
  const cause = causeOfChange(desired, live as unknown as Json, provenanceOf);
  const change = { deployment, from, to, cause };
  const mayChange = budget.mayChange({ deployment, to, isOwn: cause.isOwn }, gatewayKey(gateway));
  if (mayChange) return { ...change, begins: true };
  const most = budget.limit === 1 ? '1 Gateway is' : `${budget.limit} Gateways are`;
  const pending = `the pods are not replaced yet (template ${from} to ${to}): at most ${most} restarted at a time`;
  return { ...change, begins: false, pending };
}

/** `<namespace>/<name>` of a Gateway's Deployment. */
export function deploymentKey({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): string {
  return `${namespace}/${renderedName(name)}`;
}
