import { join } from 'node:path';
import { createClient } from './client.ts';
import type { ClusterInfo } from './cluster.ts';
import { writeKubeconfig } from './credentials.ts';

/** A token of an existing ServiceAccount, valid for an hour, as a pod would have it. */
export async function serviceAccountToken(
  cluster: ClusterInfo,
  namespace: string,
  name: string,
): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const answer = await createClient(cluster).request<{ status?: { token?: string } }>('POST', path, {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
  });
  const token = answer.body.status?.token;
  if (token === undefined)
    throw new Error(`no token for ${namespace}/${name}: ${JSON.stringify(answer.body)}`);
  return token;
}

/** Path of a kubeconfig with such a token; its namespace is the account's. */
export async function serviceAccountKubeconfig(
  cluster: ClusterInfo,
  namespace: string,
  name: string,
): Promise<string> {
  const token = await serviceAccountToken(cluster, namespace, name);
  const file = join(cluster.directory, `${namespace}.${name}.kubeconfig`);
  return writeKubeconfig(file, { ...cluster, token }, namespace);
}
