import type { Change } from '../k8s/change-set.ts';
import { failure } from '../k8s/failure.ts';
import { getObject } from '../k8s/live-object.ts';
import type { ClusterObject } from '../k8s/resources.ts';
import { StatusError } from '../k8s/status-error.ts';
import type { Gateway } from '../render/gateway-api.ts';
import { ClusterProblem, type ClusterSession } from './cluster-command.ts';

/** A Gateway of the input as it is in the cluster, if it is there; or why it cannot be told. */
export type FoundGateway = { readonly gateway: Gateway | undefined } | { readonly problem: Change };

/**
 * Looks for a Gateway of the input in the cluster; returned is the input's, with the cluster's uid.
 * @throws {ClusterProblem} if the cluster has no Gateways at all.
 */
export async function findGateway(
  { transport, signal }: Pick<ClusterSession, 'transport' | 'signal'>,
  gateway: Gateway,
): Promise<FoundGateway> {
  const object = referenceTo(gateway);
  try {
    const live = await getObject(transport, object, signal);
    if (live === undefined) return { gateway: undefined };
    const { uid, deletionTimestamp } = live.metadata;
    const deleted = deletionTimestamp === undefined ? {} : { deletionTimestamp };
    return { gateway: { ...gateway, metadata: { ...gateway.metadata, uid, ...deleted } } };
  } catch (error) {
    // Of every Gateway the same would have to be said.
    if (error instanceof StatusError && error.code === 404)
      throw new ClusterProblem("the Gateway API's CRDs are not installed in this cluster");
    return { problem: failure(object, error) };
  }
}

/** Looks for a Gateway that must be in the cluster, and live. */
export async function requireGateway(
  session: Pick<ClusterSession, 'transport' | 'signal'>,
  gateway: Gateway,
): Promise<{ readonly gateway: Gateway } | { readonly problem: Change }> {
  const found = await findGateway(session, gateway);
  if ('problem' in found) return found;
  const failed = (message: string) => {
    return { problem: { object: referenceTo(gateway), action: 'failed', message } } as const;
  };
  if (found.gateway === undefined)
    return failed('it is not in the cluster; apply it first, with kubectl or --with-gateways');
  if (found.gateway.metadata.deletionTimestamp !== undefined) return failed('it is being deleted');
  return { gateway: found.gateway };
}

function referenceTo({ metadata: { namespace, name } }: Gateway): ClusterObject {
  return { kind: 'Gateway', namespace, name };
}
