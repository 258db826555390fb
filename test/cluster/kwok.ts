import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from './client.ts';
import { type Launcher, launch } from './launch.ts';
import type { ManagedProcess } from './process.ts';

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'kwok',
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: { 'kubernetes.io/hostname': 'kwok', 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
  },
  status: {
    allocatable: { cpu: '1000', memory: '1Ti', pods: '10000' },
    capacity: { cpu: '1000', memory: '1Ti', pods: '10000' },
  },
};

// Pods that are late, crash or are never ready, for tests that ask for it with a label or an annotation.
const OWN_STAGES = fileURLToPath(new URL('stages', import.meta.url));

/** Starts the fake kubelet and gives it a node; pods become ready at once, or as `stages/` says. */
export async function startKwok(
  launcher: Launcher,
  client: Client,
  kubeconfig: string,
): Promise<ManagedProcess> {
  const config = join(launcher.run.path, 'kwok.yaml');
  writeFileSync(
    config,
    [launcher.assets.path('kwok-stages'), OWN_STAGES]
      .flatMap((folder) => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8')))
      .join('\n---\n'),
  );
  await client.create(NODE);
  return launch(launcher, {
    name: 'kwok',
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--config=${config}`,
      '--manage-all-nodes=true',
      '--node-lease-duration-seconds=40',
      '--cidr=10.244.0.0/16',
    ],
    ready: async () => {
      const { spec, status } = await client.get<NodeState>('/api/v1/nodes/kwok');
      const ready = status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
      // A taint left over would keep every pod pending.
      return ready === true && (spec.taints ?? []).length === 0;
    },
  });
}

interface NodeState {
  readonly spec: { readonly taints?: readonly unknown[] };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}
