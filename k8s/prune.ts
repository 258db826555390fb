import type { Gateway } from '../render/gateway-api.ts';
import { GATEWAY_NAME_LABEL } from '../render/metadata.ts';
import { labelValue } from '../render/names.ts';
import type { ObjectKey } from '../render/objects.ts';
import { ownershipOf } from '../render/ownership.ts';
import type { WriteOptions } from './apply-object.ts';
import type { Change } from './change-set.ts';
import { failure } from './failure.ts';
import { getObject, type LiveObject } from './live-object.ts';
import { type ClusterObject, pathOf } from './resources.ts';
import { StatusError } from './status-error.ts';
import type { Transport } from './transport.ts';

/** The kinds of a Gateway's children, in the order in which they go: traffic first, rights last. */
const CHILD_KINDS = ['Service', 'Deployment', 'RoleBinding', 'ServiceAccount'] as const;

/**
 * Deletes the children of a Gateway that are in the cluster and not among `keep`. Only what is the
 * Gateway's own, and only as it was read: uid and resourceVersion are preconditions.
 */
export async function pruneChildren(
  transport: Transport,
  gateway: Gateway,
  keep: readonly Pick<ObjectKey, 'kind' | 'name'>[],
  options: WriteOptions,
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const kind of CHILD_KINDS) {
    const collection: ClusterObject = { kind, namespace: gateway.metadata.namespace, name: '' };
    try {
      const children = await (options.listChildren?.(gateway, kind) ??
        listChildren(transport, gateway, kind, options.signal));
      for (const live of children) {
        const kept = keep.some((each) => each.kind === kind && each.name === live.metadata.name);
        if (kept || ownershipOf(live, gateway) === 'foreign') continue;
        if (live.metadata.deletionTimestamp !== undefined) continue;
        const object = { ...collection, name: live.metadata.name };
        changes.push(...(await remove(transport, gateway, object, live, options)));
      }
    } catch (error) {
      // Without the right to look, we have made none either: to bind a role takes more than that.
      const cannotHave = kind === 'RoleBinding' && error instanceof StatusError && error.code === 403;
      if (!cannotHave) changes.push(failure(collection, error));
    }
  }
  return changes;
}

async function listChildren(
  transport: Transport,
  { metadata: { name, namespace } }: Gateway,
  kind: ClusterObject['kind'],
  signal: AbortSignal | undefined,
): Promise<readonly LiveObject[]> {
  const list = await transport.request('GET', pathOf({ kind, namespace, name: '' }, 'collection'), {
    signal,
    query: { labelSelector: `${GATEWAY_NAME_LABEL}=${labelValue(name)}` },
  });
  return (list as { items: readonly LiveObject[] }).items;
}

const MOST_TRIES = 5;

async function remove(
  transport: Transport,
  gateway: Gateway,
  object: ClusterObject,
  first: LiveObject,
  { dryRun, memo, signal }: WriteOptions,
): Promise<readonly Change[]> {
  let live: LiveObject | undefined = first;
  try {
    for (let attempt = 1; live !== undefined; attempt++) {
      const { uid, resourceVersion } = live.metadata;
      try {
        await transport.request('DELETE', pathOf(object), {
          signal,
          ...(dryRun ? { query: { dryRun: 'All' } } : {}),
          body: JSON.stringify({ preconditions: { uid, resourceVersion }, propagationPolicy: 'Background' }),
        });
        if (!dryRun) memo?.forget(object);
        return [{ object, action: 'pruned' }];
      } catch (error) {
        const changed = error instanceof StatusError && (error.code === 409 || error.code === 404);
        if (!changed || attempt === MOST_TRIES) throw error;
        // A controller wrote its status, or it went or changed hands: look again whose it is now.
        live = await getObject(transport, object, signal);
        if (live !== undefined && ownershipOf(live, gateway) === 'foreign') return [];
      }
    }
    return [{ object, action: 'pruned' }];
  } catch (error) {
    return [failure(object, error)];
  }
}
