import { getObject, type LiveObject } from './live-object.ts';
import { pause } from './pause.ts';
import { type ClusterObject, printed } from './resources.ts';
import { StatusError } from './status-error.ts';
import { type Transport, UnreachableError } from './transport.ts';

const INTERVAL_MS = 500;
const LAST_LOOK_MS = 1_000;

/** An object that is not ready, and why. */
export interface NotReady {
  readonly object: ClusterObject;
  readonly reason: string;
}

/**
 * Waits until Deployments are available and load balancers have an address. Returns what is still
 * not so at the end. A server that is away for a while is waited for as well.
 */
export async function waitUntilReady(
  transport: Transport,
  objects: readonly ClusterObject[],
  timeoutMs: number,
  onProgress: (waitingFor: readonly string[]) => void,
  signal?: AbortSignal,
): Promise<readonly NotReady[]> {
  const end = Date.now() + timeoutMs;
  let waiting = objects;
  for (;;) {
    // A server that is silent must not hold up the end by much.
    const enough = AbortSignal.timeout(Math.max(LAST_LOOK_MS, end - Date.now()));
    const either = signal === undefined ? enough : AbortSignal.any([signal, enough]);
    const states = await Promise.all(waiting.map((object) => stateOf(transport, object, either)));
    const notReady = states.filter((state): state is NotReady => state.reason !== undefined);
    if (notReady.length === 0 || Date.now() >= end) return notReady;
    onProgress(
      notReady.map(({ object, reason }) => `${printed(object)} in ${object.namespace ?? ''}: ${reason}`),
    );
    waiting = notReady.map(({ object }) => object);
    await pause(Math.min(INTERVAL_MS, Math.max(0, end - Date.now())), signal);
  }
}

async function stateOf(transport: Transport, object: ClusterObject, signal: AbortSignal) {
  try {
    return { object, reason: missingOf(object.kind, await getObject(transport, object, signal)) };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return { object, reason: 'the server does not answer' };
    const passing = error instanceof UnreachableError || (error instanceof StatusError && error.code >= 429);
    if (!passing) throw error;
    return { object, reason: error.message };
  }
}

function missingOf(kind: string, live: LiveObject | undefined): string | undefined {
  if (live === undefined) return 'it is gone';
  if (kind === 'Deployment') return isAvailable(live) ? undefined : 'no replica is available';
  const balanced = kind === 'Service' && (live as { spec?: { type?: string } }).spec?.type === 'LoadBalancer';
  return balanced && (live.status?.loadBalancer?.ingress ?? []).length === 0
    ? 'no address is assigned'
    : undefined;
}

// `Available` alone is true with no replica at all.
function isAvailable({ metadata, status = {} }: LiveObject): boolean {
  const { generation } = metadata as { generation?: number };
  return (
    status.observedGeneration === generation &&
    (status.availableReplicas ?? 0) > 0 &&
    (status.conditions ?? []).some(({ type, status: value }) => type === 'Available' && value === 'True')
  );
}
