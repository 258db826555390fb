import { getObject } from '../k8s/live-object.ts';
import { StatusError } from '../k8s/status-error.ts';
import type { Transport } from '../k8s/transport.ts';
import type { Gateway } from '../render/gateway-api.ts';
import { gatewayKey } from '../render/metadata.ts';
import { ClusterProblem } from './cluster-command.ts';

/** A Gateway of the input that must be in the cluster. */
export interface WantedInCluster {
  readonly gateway: Gateway;
  /** Of one that only a dry run has created, which is not there to be asked. */
  readonly dryRunUid?: string;
}

/** A Gateway of the input with the uid that it has in the cluster. */
export async function inCluster(
  transport: Transport,
  { gateway, dryRunUid: uid }: WantedInCluster,
): Promise<Gateway> {
  if (uid !== undefined) return { ...gateway, metadata: { ...gateway.metadata, uid } };
  const live = await findGateway(transport, gateway);
  if (live?.metadata.deletionTimestamp !== undefined) {
    throw new ClusterProblem(`Gateway ${gatewayKey(gateway)} is being deleted in the cluster`);
  }
  if (live !== undefined) return live;
  throw new ClusterProblem(
    `Gateway ${gatewayKey(gateway)} is not in the cluster; apply it first, with kubectl or --with-gateways`,
  );
}

/** A Gateway of the input as it is in the cluster, if it is there. */
export async function findGateway(transport: Transport, gateway: Gateway): Promise<Gateway | undefined> {
  const { namespace, name } = gateway.metadata;
  try {
    const live = await getObject(transport, { kind: 'Gateway', namespace, name });
    if (live === undefined) return undefined;
    const { uid, deletionTimestamp } = live.metadata;
    const deleted = deletionTimestamp === undefined ? {} : { deletionTimestamp };
    return { ...gateway, metadata: { ...gateway.metadata, uid, ...deleted } };
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
