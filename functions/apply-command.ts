import { applyGateway } from '../k8s/apply-gateway.ts';
import { applyWrittenGateway } from '../k8s/apply-written-gateway.ts';
import { changedBy, type SubjectChange, writeSubjects } from '../k8s/binding.ts';
import { type Change, isProblem } from '../k8s/change-set.ts';
import type { ClusterObject } from '../k8s/resources.ts';
import type { Transport } from '../k8s/transport.ts';
import { waitUntilReady } from '../k8s/wait.ts';
import type { Gateway } from '../render/gateway-api.ts';
import type { JsonObject } from '../render/json.ts';
import { gatewayKey } from '../render/metadata.ts';
import { renderedName } from '../render/names.ts';
import type { RenderInput } from '../render/render.ts';
import { type ClusterFlags, withCluster } from './cluster-command.ts';
import { inCluster, type WantedInCluster } from './gateway-in-cluster.ts';
import type { Io } from './io.ts';
import { type InputFlags, loadAndRender } from './load-and-render.ts';
import { countsOf } from './output/counts.ts';
import { type DiagnosticsFormat, formatDiagnostics } from './output/print-diagnostics.ts';
import {
  type CompletedInput,
  completeFromCluster,
  missingClasses,
  missingParameters,
} from './parameters-in-cluster.ts';

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
  let failed = 0;
  const complete = async (written: RenderInput): Promise<CompletedInput> => {
    let completed: CompletedInput = { input: written, diagnostics: [] };
    const isWhole = missingClasses(written, flags).length + missingParameters(written, flags).length === 0;
    if (isWhole) return completed;
    failed = await withCluster(flags, io, async (transport) => {
      completed = await completeFromCluster(transport, written, flags);
    });
    return completed;
  };
  const { result, input, writtenGateways, files, diagnostics } = await loadAndRender(paths, flags, complete);
  if (failed !== 0) return failed;
  const problems = [...diagnostics, ...result.diagnostics];
  io.stderr(formatDiagnostics(problems, flags.diagnostics));
  if (problems.some(({ severity }) => severity === 'error')) return 1;
  io.stderr(formatDiagnostics(countsOf(result.objects.size, result.others, files), flags.diagnostics));
  if (result.objects.size === 0) return 0;
  const shared = new Set(result.subjects.map(({ namespace, name }) => `${namespace}/${name}`));
  const options = { dryRun: flags.dryRun === 'server' };
  return withCluster(flags, io, async (transport, onChange) => {
    const applied: ClusterObject[] = [];
    const gatewayOptions = {
      ...options,
      changeSubjects: (change: SubjectChange) =>
        writeSubjects(transport, flags.bindingName, changedBy(change), options),
      onChange: (change: Change) => {
        if (!isProblem(change)) applied.push(change.object);
        onChange(change);
      },
    };
    const ours = input.gateways
      .map(({ object }) => object)
      .filter((gateway) => result.objects.has(gatewayKey(gateway)));
    const wanted =
      flags.withGateways === true
        ? await applyGateways(transport, ours, writtenGateways, options, onChange)
        : ours.map((gateway) => ({ gateway }));
    // All of them before the first write: a typing error should not show half-way.
    const live = await Promise.all(wanted.map((each) => inCluster(transport, each)));
    for (const gateway of live) {
      const { namespace, name } = gateway.metadata;
      const objects = result.objects.get(gatewayKey(gateway)) ?? [];
      const retain = result.retain.filter(
        (key) => key.namespace === namespace && key.name === renderedName(name),
      );
      const isShared = shared.has(`${namespace}/${renderedName(name)}`);
      await applyGateway(transport, { gateway, objects, retain, shared: isShared }, gatewayOptions);
    }
    if (flags.wait !== true || options.dryRun) return;
    const children = applied.filter(({ kind }) => kind === 'Deployment' || kind === 'Service');
    const waiting = await waitUntilReady(transport, children, flags.timeout * 1000, progress(io));
    for (const { object, reason } of waiting) {
      onChange({ object, action: 'failed', message: `not ready after ${flags.timeout} s: ${reason}` });
    }
  });
}

/** Applies Gateways as they are written; returns those that are now so. */
async function applyGateways(
  transport: Transport,
  gateways: readonly Gateway[],
  written: ReadonlyMap<string, JsonObject>,
  options: { readonly dryRun: boolean },
  onChange: (change: Change) => void,
): Promise<readonly WantedInCluster[]> {
  const applied: WantedInCluster[] = [];
  for (const gateway of gateways) {
    const object = written.get(gatewayKey(gateway)) ?? {};
    const { change, uid } = await applyWrittenGateway(transport, gateway, object, options);
    onChange(change);
    if (isProblem(change)) continue;
    const isNew = options.dryRun && change.action === 'created' && uid !== undefined;
    applied.push({ gateway, ...(isNew ? { dryRunUid: uid } : {}) });
  }
  return applied;
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
