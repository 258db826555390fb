import { applyGateway, type OnChange } from '../k8s/apply-gateway.ts';
import type { WriteOptions } from '../k8s/apply-object.ts';
import { applyWrittenGateway } from '../k8s/apply-written-gateway.ts';
import { changeSubjects } from '../k8s/binding.ts';
import { type Action, isProblem } from '../k8s/change-set.ts';
import { gatherSubjects } from '../k8s/gather-subjects.ts';
import type { ClusterKind, ClusterObject } from '../k8s/resources.ts';
import { waitUntilReady } from '../k8s/wait.ts';
import type { Gateway } from '../render/gateway-api.ts';
import type { JsonObject } from '../render/json.ts';
import { gatewayKey } from '../render/metadata.ts';
import { renderedName } from '../render/names.ts';
import type { RenderInput } from '../render/render.ts';
import {
  type ClusterFlags,
  type ClusterSession,
  GATEWAYS_AT_A_TIME,
  withCluster,
} from './cluster-command.ts';
import { requireGateway } from './gateway-in-cluster.ts';
import { inTurn } from './in-turn.ts';
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

// What --wait waits for: not what went or was left as it is.
const WAITED_FOR: ReadonlySet<ClusterKind> = new Set<ClusterKind>(['Deployment', 'Service']);
const IS_THERE: ReadonlySet<Action> = new Set<Action>(['created', 'configured', 'unchanged']);

/** Runs `gari apply` and returns its exit code: 0 done, 1 the input is wrong or something was not done. */
export async function applyCommand(paths: readonly string[], flags: ApplyFlags, io: Io): Promise<number> {
  let failed = 0;
  const complete = async (written: RenderInput): Promise<CompletedInput> => {
    let completed: CompletedInput = { input: written, diagnostics: [] };
    const isWhole = missingClasses(written, flags).length + missingParameters(written, flags).length === 0;
    if (isWhole) return completed;
    failed = await withCluster(flags, io, async ({ transport }) => {
      completed = await completeFromCluster(transport, written, flags);
    });
    return completed;
  };
  const loaded = await loadAndRender(paths, flags, complete);
  const { result, input, writtenGateways, diagnostics } = loaded;
  if (failed !== 0) return failed;
  const problems = [...diagnostics, ...result.diagnostics];
  io.stderr(formatDiagnostics(problems, flags.diagnostics));
  if (problems.some(({ severity }) => severity === 'error')) return 1;
  io.stderr(formatDiagnostics(countsOf(result.objects.size, loaded), flags.diagnostics));
  if (result.objects.size === 0) return 0;
  const shared = new Set(result.subjects.map(({ namespace, name }) => `${namespace}/${name}`));
  return withCluster(flags, io, async (session) => {
    const { transport, signal, onChange } = session;
    const options = { dryRun: flags.dryRun === 'server', signal };
    const ours = input.gateways
      .map(({ object }) => object)
      .filter((gateway) => result.objects.has(gatewayKey(gateway)));
    const wanted =
      flags.withGateways === true
        ? await applyGateways(session, ours, writtenGateways, options)
        : ours.map((gateway) => ({ gateway }));
    const changeSubjectsAtOnce = gatherSubjects((change) =>
      changeSubjects(transport, flags.bindingName, change, options),
    );
    const applied: ClusterObject[] = [];
    const apply = async ({ gateway, dryRunUid }: WantedGateway, tell: OnChange): Promise<void> => {
      const found =
        dryRunUid === undefined
          ? await requireGateway(session, gateway)
          : { gateway: withUid(gateway, dryRunUid) };
      if ('problem' in found) return tell(found.problem);
      const { namespace, name } = gateway.metadata;
      const children = {
        gateway: found.gateway,
        objects: result.objects.get(gatewayKey(gateway)) ?? [],
        retain: result.retain.filter((key) => key.namespace === namespace && key.name === renderedName(name)),
        shared: shared.has(`${namespace}/${renderedName(name)}`),
      };
      await applyGateway(transport, children, {
        ...options,
        changeSubjects: changeSubjectsAtOnce,
        onChange: (change) => {
          if (WAITED_FOR.has(change.object.kind) && IS_THERE.has(change.action)) applied.push(change.object);
          tell(change);
        },
      });
    };
    await inTurn(wanted, GATEWAYS_AT_A_TIME, apply, onChange);
    if (flags.wait !== true || options.dryRun) return;
    const waiting = await waitUntilReady(transport, applied, flags.timeout * 1000, progress(io), signal);
    for (const { object, reason } of waiting) {
      onChange({ object, action: 'failed', message: `not ready after ${flags.timeout} s: ${reason}` });
    }
  });
}

/** A Gateway of the input whose objects are to be applied. */
interface WantedGateway {
  readonly gateway: Gateway;
  /** Of one that only a dry run has created, which is not there to be asked. */
  readonly dryRunUid?: string;
}

/** Applies Gateways as they are written; returns those that are now so. */
async function applyGateways(
  { transport, onChange }: ClusterSession,
  gateways: readonly Gateway[],
  written: ReadonlyMap<string, JsonObject>,
  options: WriteOptions,
): Promise<readonly WantedGateway[]> {
  const applied = new Map<Gateway, WantedGateway>();
  const apply = async (gateway: Gateway, tell: OnChange): Promise<void> => {
    const object = written.get(gatewayKey(gateway)) ?? {};
    const { change, uid } = await applyWrittenGateway(transport, gateway, object, options);
    tell(change);
    if (isProblem(change)) return;
    const isNew = options.dryRun && change.action === 'created' && uid !== undefined;
    applied.set(gateway, { gateway, ...(isNew ? { dryRunUid: uid } : {}) });
  };
  await inTurn(gateways, GATEWAYS_AT_A_TIME, apply, onChange);
  return gateways.flatMap((gateway) => applied.get(gateway) ?? []);
}

function withUid(gateway: Gateway, uid: string): Gateway {
  return { ...gateway, metadata: { ...gateway.metadata, uid } };
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
