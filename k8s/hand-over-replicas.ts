import { isJsonObject, type Json } from '../render/json.ts';
import type { RenderedObject } from '../render/objects.ts';
import { applyBody } from './json-body.ts';
import type { LiveObject } from './live-object.ts';
import { entriesOf, hasField, isOwn } from './managed-fields.ts';
import { type ClusterObject, pathOf } from './resources.ts';
import type { Transport } from './transport.ts';

/**
 * Where `replicas` is not rendered any more, leaves the number that is there to whoever scales from now on.
 * Just dropped, it would be 1 until an autoscaler gets round to it (Kubernetes, "Server-Side Apply",
 * transferring ownership).
 * @throws {StatusError} 409 if somebody has scaled since it was read.
 */
export async function handOverReplicas(
  transport: Transport,
  object: ClusterObject,
  live: LiveObject,
  desired: RenderedObject,
  signal?: AbortSignal,
): Promise<void> {
  const own = entriesOf(live).find(isOwn);
  if (object.kind !== 'Deployment' || !hasField(own?.fieldsV1, ['spec', 'replicas'])) return;
  const [wanted, replicas] = [replicasOf(desired), replicasOf(live as unknown as Json)];
  if (wanted !== undefined || replicas === undefined) return;
  const { apiVersion, kind } = desired;
  await transport.request('PATCH', pathOf(object), {
    signal,
    query: { fieldManager: 'gari-handover' },
    contentType: 'application/apply-patch+yaml',
    body: applyBody({
      apiVersion,
      kind,
      metadata: { name: object.name, uid: live.metadata.uid },
      spec: { replicas },
    }),
  });
}

function replicasOf(deployment: Json): Json | undefined {
  const spec = isJsonObject(deployment) ? deployment.spec : undefined;
  return isJsonObject(spec) ? spec.replicas : undefined;
}
