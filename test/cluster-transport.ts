import { onTestFinished } from 'vitest';
import { Transport } from '../k8s/transport.ts';
import type { ClusterInfo } from './cluster/cluster.ts';

/** A transport to a cluster for the running test, as the admin or as whoever has the token. */
export function clusterTransport(
  { server, ca, token }: Pick<ClusterInfo, 'server' | 'ca' | 'token'>,
  timeoutMs?: number,
): Transport {
  const authorization = async () => ({ authorization: `Bearer ${token}` });
  const transport = new Transport({ server, ca, insecure: false, authorization }, timeoutMs);
  onTestFinished(() => transport.close().catch(() => undefined));
  return transport;
}
