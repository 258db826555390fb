import { deleteGatewayObjects } from '../k8s/apply-gateway.ts';
import { changedBy, type SubjectChange, writeSubjects } from '../k8s/binding.ts';
import { claimGateways } from '../render/claim.ts';
import { gatewayKey } from '../render/metadata.ts';
import type { ApplyFlags } from './apply-command.ts';
import { withCluster } from './cluster-command.ts';
import { findGateway } from './gateway-in-cluster.ts';
import type { Io } from './io.ts';
import { loadAndRender } from './load-and-render.ts';
import { countsOf } from './output/counts.ts';
import { formatDiagnostics } from './output/print-diagnostics.ts';

/** Runs `gari delete`: removes what was made for the Gateways in the input, never a Gateway. */
export async function deleteCommand(paths: readonly string[], flags: ApplyFlags, io: Io): Promise<number> {
  const { input, result, files, diagnostics } = await loadAndRender(paths, flags);
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
  io.stderr(formatDiagnostics(countsOf(ours.length, result.others, files), flags.diagnostics));
  if (ours.length === 0) return 0;
  const options = { dryRun: flags.dryRun === 'server' };
  return withCluster(flags, io, async (transport, onChange) => {
    for (const { object } of ours) {
      if (flags.gateway !== undefined && gatewayKey(object) !== flags.gateway) continue;
      const gateway = (await findGateway(transport, object)) ?? object;
      const changeSubjects = (change: SubjectChange) =>
        writeSubjects(transport, flags.bindingName, changedBy(change), options);
      await deleteGatewayObjects(transport, gateway, { ...options, changeSubjects, onChange });
    }
  });
}
