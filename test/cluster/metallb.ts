import type { Client } from './client.ts';
import { type Launcher, launch } from './launch.ts';
import { installManifests, readManifests } from './manifests.ts';
import type { ManagedProcess } from './process.ts';

/** The addresses that MetalLB gives out: a range that RFC 5737 reserves for documentation. */
export const ADDRESS_POOL = '198.51.100.0/24';

const NAMESPACE = 'metallb-system';
const POOL = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name: 'test', namespace: NAMESPACE },
  spec: { addresses: [ADDRESS_POOL] },
};

/** Installs MetalLB's kinds and its pool. Before the controllers start: they look for new kinds only now and then. */
export async function installMetalLb(launcher: Launcher, client: Client): Promise<void> {
  await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await installManifests(client, readManifests(launcher.assets.path('metallb-crds')));
  await client.apply(POOL);
}

/**
 * Starts MetalLB's controller, the allocator of addresses. It serves the Services that name no load-balancer class,
 * so another allocator can be given a class of its own.
 */
export async function startMetalLb(
  launcher: Launcher,
  client: Client,
  kubeconfig: string,
): Promise<ManagedProcess> {
  return launch(launcher, {
    name: 'metallb-controller',
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--namespace=${NAMESPACE}`,
      '--webhook-mode=disabled',
      // It would serve its metrics on every interface. A port that cannot be only costs it a line in the log.
      '--port=-1',
    ],
    env: { METALLB_BGP_TYPE: 'native' },
    // It counts what is free in a pool once it has loaded it.
    ready: async () => {
      const path = `/apis/metallb.io/v1beta1/namespaces/${NAMESPACE}/ipaddresspools/test`;
      const { status } = await client.get<{ status?: { availableIPv4?: number } }>(path);
      return typeof status?.availableIPv4 === 'number';
    },
  });
}
