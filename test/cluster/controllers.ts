import type { Client } from './client.ts';
import { type Launcher, launch } from './launch.ts';
import type { ManagedProcess } from './process.ts';

/** Starts the controllers: garbage collection, Deployments, namespaces, node lifecycle and so on. */
export function startControllerManager(
  launcher: Launcher,
  client: Client,
  kubeconfig: string,
  serviceAccountKey: string,
): Promise<ManagedProcess> {
  return launch(launcher, {
    name: 'kube-controller-manager',
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--secure-port=0',
      '--leader-elect=false',
      `--service-account-private-key-file=${serviceAccountKey}`,
      '--use-service-account-credentials=false',
      '--kube-api-qps=500',
      '--kube-api-burst=1000',
      // The node lifecycle controller stays: it takes the not-ready taint off the node.
      '--controllers=*,-node-ipam-controller',
    ],
    // The first visible work: without this account no pod is admitted in the namespace.
    ready: async () => {
      const path = '/api/v1/namespaces/default/serviceaccounts/default';
      return (await client.request('GET', path)).status === 200;
    },
  });
}

/** Starts the scheduler. It counts as ready at once: what waits for a pod waits for it as well. */
export function startScheduler(launcher: Launcher, kubeconfig: string): Promise<ManagedProcess> {
  return launch(launcher, {
    name: 'kube-scheduler',
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--secure-port=0',
      '--leader-elect=false',
      '--kube-api-qps=500',
      '--kube-api-burst=1000',
    ],
    ready: async () => true,
  });
}
