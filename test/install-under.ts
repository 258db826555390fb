import { expect, onTestFinished } from 'vitest';
import { sharedCluster } from './cluster/vitest.ts';
import { gari } from './run-gari.ts';

/**
 * The manifests of a controller for the shared cluster whose namespace, class and binding have this name. They
 * go with the test; what all installs have in common stays.
 */
export async function installUnder(id: string): Promise<string> {
  const names = [`--namespace=${id}`, `--binding-name=${id}`, `--class-name=${id}`];
  const { exitCode, stdout, stderr } = await gari('install', ...names, `--controller-name=gari.dev/${id}`);
  expect(exitCode, stderr).toBe(0);
  const { client } = sharedCluster();
  onTestFinished(async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await client.request('DELETE', `/api/v1/namespaces/${id}`);
    await client.request('DELETE', `${rbac}/clusterroles/${id}-controller`);
    await client.request('DELETE', `${rbac}/clusterrolebindings/${id}-controller`);
    await client.request('DELETE', `${rbac}/clusterrolebindings/${id}`);
    await client.request('DELETE', `/apis/gateway.networking.k8s.io/v1/gatewayclasses/${id}`);
  });
  return stdout;
}
