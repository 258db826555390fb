import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cluster } from '../cluster/cluster.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { type ManagedProcess, startProcess } from '../cluster/process.ts';
import { serviceAccountKubeconfig } from '../cluster/service-account.ts';

const MANIFESTS = fileURLToPath(new URL('../../k8s/controller.yaml', import.meta.url));
const GARI = fileURLToPath(new URL('../../dist/gari.cjs', import.meta.url));
const NAMESPACE = 'gari-system';
const NAME = 'gari-controller';

/** Who the controller is for the API server. */
export const CONTROLLER_USER = `system:serviceaccount:${NAMESPACE}:${NAME}`;

interface Deployment {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
}

interface Container {
  readonly args: readonly string[];
}

/**
 * Applies k8s/controller.yaml and runs what its Deployment would run, with the same arguments and under the same
 * ServiceAccount: the pods of this cluster run nothing.
 */
export async function startShippedController(cluster: Cluster): Promise<ManagedProcess> {
  const { code, stderr } = await kubectl(cluster, ['apply', '--server-side', '-f', MANIFESTS]);
  if (code !== 0) throw new Error(`k8s/controller.yaml cannot be applied: ${stderr}`);
  const path = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/${NAME}`;
  const [container] = (await cluster.client.get<Deployment>(path)).spec.template.spec.containers;
  const args = (container?.args ?? []).map((arg) => arg.replace('$(POD_NAMESPACE)', NAMESPACE));
  return startProcess({
    name: NAME,
    command: process.execPath,
    // Its ports may be somebody else's on this machine.
    args: [GARI, ...args, '--health-port=0', '--metrics-port=0'],
    env: { KUBECONFIG: await serviceAccountKubeconfig(cluster, NAMESPACE, NAME) },
    logFile: join(cluster.directory, `${NAME}.log`),
  });
}
