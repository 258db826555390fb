import { setTimeout as delay } from 'node:timers/promises';
import type { RenderedObject } from '../render/objects.ts';
import { getObject, type LiveObject } from './live-object.ts';
import { type ClusterKind, type ClusterObject, printed } from './resources.ts';
import type { Transport } from './transport.ts';

const INTERVAL_MS = 500;

/**
 * Waits until Deployments are available and load balancers have an address. Returns what is still
 * not so at the end, in words.
 */
export async function waitUntilReady(
  transport: Transport,
  objects: readonly RenderedObject[],
  timeoutMs: number,
  onProgress: (waitingFor: readonly string[]) => void,
): Promise<readonly string[]> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const waiting: string[] = [];
    for (const { kind, metadata } of objects) {
      const object: ClusterObject = {
        kind: kind as ClusterKind,
        namespace: String(metadata.namespace),
        name: metadata.name,
      };
      const missing = missingOf(kind, await getObject(transport, object));
      if (missing !== undefined) waiting.push(`${printed(object)} in ${object.namespace}: ${missing}`);
    }
    if (waiting.length === 0 || Date.now() > end) return waiting;
    onProgress(waiting);
    await delay(INTERVAL_MS);
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
