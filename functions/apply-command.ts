import { applyGateway, deleteGatewayObjects } from '../k8s/apply-gateway.ts';
import { applyWrittenGateway } from '../k8s/apply-written-gateway.ts';
import { getObject } from '../k8s/live-object.ts';
import { StatusError } from '../k8s/status-error.ts';
import type { Transport } from '../k8s/transport.ts';
import { waitUntilReady } from '../k8s/wait.ts';
import { claimGateways } from '../render/claim.ts';
import type { Gateway } from '../render/gateway-api.ts';
import { gatewayKey } from '../render/metadata.ts';
import { renderedName } from '../render/names.ts';
import { type ClusterFlags, ClusterProblem, withCluster } from './cluster-command.ts';
import type { Io } from './io.ts';
import { type InputFlags, loadAndRender } from './load-and-render.ts';
import { type DiagnosticsFormat, formatDiagnostics } from './output/print-diagnostics.ts';

/** The flags of `gari apply`. */
export interface ApplyFlags extends InputFlags, ClusterFlags {
  readonly bindingName: string;
  readonly diagnostics: DiagnosticsFormat;
  readonly withGateways?: boolean;
  readonly wait?: boolean;
  /** Seconds. */
  readonly timeout: number;
}

/** Runs `gari apply` and returns its exit code: 0 done, 1 the input is wrong or something was not done. */
export async function applyCommand(paths: readonly string[], flags: ApplyFlags, io: Io): Promise<number> {
  const { result, input, writtenGateways, diagnostics } = await loadAndRender(paths, flags);
  const problems = [...diagnostics, ...result.diagnostics];
  io.stderr(formatDiagnostics(problems, flags.diagnostics));
  if (problems.some(({ severity }) => severity === 'error')) return 1;
  const shared = new Set(result.subjects.map(({ namespace, name }) => `${namespace}/${name}`));
  const options = { dryRun: flags.dryRun === 'server' };
  return withCluster(flags, io, async (transport, onChange) => {
    const wanted = input.gateways.filter(({ object }) => result.objects.has(gatewayKey(object)));
    if (flags.withGateways === true) {
      for (const { object } of wanted) {
        const written = writtenGateways.get(gatewayKey(object)) ?? {};
        onChange(await applyWrittenGateway(transport, object, written, options));
      }
    }
    // All of them before the first write: a typing error should not show half-way.
    const live = await Promise.all(wanted.map(({ object }) => inCluster(transport, object)));
    for (const gateway of live) {
      const { namespace, name } = gateway.metadata;
      const objects = result.objects.get(gatewayKey(gateway)) ?? [];
      const retain = result.retain.filter(
        (key) => key.namespace === namespace && key.name === renderedName(name),
      );
      const isShared = shared.has(`${namespace}/${renderedName(name)}`);
      await applyGateway(
        transport,
        { gateway, objects, retain, shared: isShared },
        flags.bindingName,
        options,
        onChange,
      );
    }
    if (flags.wait !== true || options.dryRun) return;
    const waiting = await waitUntilReady(
      transport,
      [...result.objects.values()].flat(),
      flags.timeout * 1000,
      progress(io),
    );
    if (waiting.length > 0)
      throw new ClusterProblem(`not ready after ${flags.timeout} s: ${waiting.join('; ')}`);
  });
}

/** Runs `gari delete`: removes what was made for the Gateways in the input, never a Gateway. */
export async function deleteCommand(paths: readonly string[], flags: ApplyFlags, io: Io): Promise<number> {
  const { input, result, diagnostics } = await loadAndRender(paths, flags);
  const { ours } = claimGateways(input.gateways, input.gatewayClasses, {
    controllerName: flags.controllerName,
    classNames: flags.className,
  });
  const errors = [...diagnostics, ...result.diagnostics].filter(({ severity }) => severity === 'error');
  io.stderr(formatDiagnostics(errors, flags.diagnostics));
  if (errors.length > 0) return 1;
  const options = { dryRun: flags.dryRun === 'server' };
  return withCluster(flags, io, async (transport, onChange) => {
    for (const { object } of ours) {
      if (flags.gateway !== undefined && gatewayKey(object) !== flags.gateway) continue;
      const gateway = (await findGateway(transport, object)) ?? object;
      await deleteGatewayObjects(transport, gateway, flags.bindingName, options, onChange);
    }
  });
}

/** A Gateway of the input with the uid that it has in the cluster. */
async function inCluster(transport: Transport, gateway: Gateway): Promise<Gateway> {
  const live = await findGateway(transport, gateway);
  if (live !== undefined) return live;
  throw new ClusterProblem(
    `Gateway ${gatewayKey(gateway)} is not in the cluster; apply it first, with kubectl or --with-gateways`,
  );
}

async function findGateway(transport: Transport, gateway: Gateway): Promise<Gateway | undefined> {
  const { namespace, name } = gateway.metadata;
  try {
    const live = await getObject(transport, { kind: 'Gateway', namespace, name });
    if (live === undefined) return undefined;
    if (live.metadata.deletionTimestamp !== undefined) {
      throw new ClusterProblem(`Gateway ${namespace}/${name} is being deleted in the cluster`);
    }
    return { ...gateway, metadata: { ...gateway.metadata, uid: live.metadata.uid } };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.code === 404)
      throw new ClusterProblem("the Gateway API's CRDs are not installed in this cluster");
    if (error.code === 403)
      throw new ClusterProblem(
        `no right to get gateways.gateway.networking.k8s.io in namespace ${namespace}`,
      );
    throw error;
  }
}

/** Tells every two seconds what is being waited for, to somebody who looks on. */
function progress(io: Io): (waitingFor: readonly string[]) => void {
  let told = 0;
  return ([first = '', ...more]) => {
    if (!process.stderr.isTTY || Date.now() - told < 2_000) return;
    told = Date.now();
    io.stderr(`waiting for ${first}${more.length === 0 ? '' : ` and ${more.length} more`}\n`);
  };
}
