import { deleteGatewayObjects, type OnChange } from '../k8s/apply-gateway.ts';
import { changeSubjects } from '../k8s/binding.ts';
import { gatherSubjects } from '../k8s/gather-subjects.ts';
import { claimGateways } from '../render/claim.ts';
import type { Gateway } from '../render/gateway-api.ts';
import { gatewayKey } from '../render/metadata.ts';
import type { ApplyFlags } from './apply-command.ts';
import { GATEWAYS_AT_A_TIME, withCluster } from './cluster-command.ts';
import { findGateway } from './gateway-in-cluster.ts';
import { inTurn } from './in-turn.ts';
import type { Io } from './io.ts';
import { loadAndRender } from './load-and-render.ts';
import { countsOf } from './output/counts.ts';
import { formatDiagnostics } from './output/print-diagnostics.ts';

/** Runs `gari delete`: removes what was made for the Gateways in the input, never a Gateway. */
export async function deleteCommand(paths: readonly string[], flags: ApplyFlags, io: Io): Promise<number> {
  const loaded = await loadAndRender(paths, flags);
  const { input, result, diagnostics } = loaded;
  const { ours } = claimGateways(input.gateways, input.gatewayClasses, {
    controllerName: flags.controllerName,
    classNames: flags.className,
  });
  // What is to go need not be rendered, so its parameters do not matter.
  const errors = [...diagnostics, ...result.diagnostics].filter(
    ({ severity, parametersOf }) => severity === 'error' && parametersOf === undefined,
  );
  io.stderr(formatDiagnostics(errors, flags.diagnostics));
  if (errors.length > 0) return 1;
  io.stderr(formatDiagnostics(countsOf(ours.length, loaded), flags.diagnostics));
  if (ours.length === 0) return 0;
  return withCluster(flags, io, async (session) => {
    const { transport, signal, onChange } = session;
    const options = { dryRun: flags.dryRun === 'server', signal };
    const changeSubjectsAtOnce = gatherSubjects((change) =>
      changeSubjects(transport, flags.bindingName, change, options),
    );
    const asked = ours
      .map(({ object }) => object)
      .filter((gateway) => flags.gateway === undefined || gatewayKey(gateway) === flags.gateway);
    const remove = async (gateway: Gateway, tell: OnChange): Promise<void> => {
      const found = await findGateway(session, gateway);
      if ('problem' in found) return tell(found.problem);
      await deleteGatewayObjects(transport, found.gateway ?? gateway, {
        ...options,
        changeSubjects: changeSubjectsAtOnce,
        onChange: tell,
      });
    };
    await inTurn(asked, GATEWAYS_AT_A_TIME, remove, onChange);
  });
}
