// What the benchmarks of the controller share: the controller as a process of its own, the Gateways that it
// is given, and what other controllers would write, which none of them runs.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { compiledValidators } from '../scripts/compile-validators.mjs';
import type { Client } from '../test/cluster/client.ts';
import type { Cluster } from '../test/cluster/cluster.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { freePorts } from '../test/cluster/ports.ts';

/** A controller that runs. */
export interface ControllerProcess {
  readonly child: ChildProcess;
  /** Why it is of no use to wait for it any longer: it has ended. */
  giveUp(): string | undefined;
  stop(): Promise<void>;
}

/** Starts controllers for a cluster, one after the other. */
export type StartController = () => Promise<ControllerProcess>;

/** Builds the controller, and returns what starts it and waits until it has read all there is. */
export async function controllerFor(cluster: Cluster): Promise<StartController> {
  const { directory } = cluster;
  const bundle = join(directory, 'controller.cjs');
  await build({
    entryPoints: ['bench/controller-in-a-pod.ts'],
    outfile: bundle,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.url': '""' },
    plugins: [compiledValidators()],
    logLevel: 'warning',
  });
  const pod = join(directory, 'pod');
  mkdirSync(pod);
  writeFileSync(join(pod, 'token'), cluster.token);
  writeFileSync(join(pod, 'ca.crt'), cluster.ca);
  return () => start(cluster, [bundle, pod]);
}

async function start({ server, directory }: Cluster, command: readonly string[]): Promise<ControllerProcess> {
  const { hostname, port } = new URL(server);
  const [healthPort] = await freePorts(1);
  const log = openSync(join(directory, 'controller.log'), 'a');
  const env = { ...process.env, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
  const flags = (process.env.BENCH_NODE_FLAGS ?? '').split(' ').filter((flag) => flag !== '');
  const child = spawn(process.execPath, [...flags, ...command, String(healthPort)], {
    env,
    stdio: ['ignore', log, log],
  });
  const lastLog = () => readFileSync(join(directory, 'controller.log'), 'utf8').slice(-500);
  const giveUp = () => (child.exitCode === null ? undefined : `it has ended; ${lastLog()}`);
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  };
  const ready = async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).ok;
  await eventually('the controller is ready', ready, { timeoutMs: 300_000, giveUp });
  return { child, giveUp, stop };
}

/** Works on items, 16 at a time. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** How many objects a collection holds. */
export async function countOf(client: Client, path: string): Promise<number> {
  // The whole list would be work for the server that is measured.
  const { body } = await client.request<{ items: unknown[]; metadata: { remainingItemCount?: number } }>(
    'GET',
    path,
    { query: { limit: 1 } },
  );
  return body.items.length + (body.metadata.remainingItemCount ?? 0);
}

/** How many subjects a binding has. */
export async function subjectsOf(client: Client, binding: string): Promise<number> {
  const path = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${binding}`;
  return (await client.get<{ subjects?: unknown[] }>(path)).subjects?.length ?? 0;
}

/** Writes what the Deployment controller and a load balancer say of a Gateway's objects. */
export async function sayReady(client: Client, namespace: string, gateway: string): Promise<void> {
  const metadata = { name: `${gateway}-gari`, namespace };
  const live = await client.get(`/apis/apps/v1/namespaces/${namespace}/deployments/${metadata.name}`);
  const condition = (type: string, reason: string) => ({
    type,
    status: 'True',
    reason,
    message: 'Deployment has minimum availability.',
    lastTransitionTime: '2025-01-01T00:00:00Z',
    lastUpdateTime: '2025-01-01T00:00:00Z',
  });
  const replicas = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  const conditions = [
    condition('Available', 'MinimumReplicasAvailable'),
    condition('Progressing', 'NewReplicaSetAvailable'),
  ];
  const { generation: observedGeneration } = live.metadata;
  await client.apply(
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      status: { observedGeneration, ...replicas, conditions },
    },
    { fieldManager: 'kube-controller-manager', subresource: 'status', force: true },
  );
  await client.apply(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    },
    { fieldManager: 'controller', subresource: 'status', force: true },
  );
}

/** A Gateway as people write them. */
export function gatewayOf(namespace: string, name: string, gatewayClassName = 'gari', team = 'web') {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name, namespace },
    spec: {
      gatewayClassName,
      infrastructure: { labels: { team, environment: 'production' } },
      listeners: [
        { name: 'http', port: 80, protocol: 'HTTP' },
        {
          name: 'https',
          port: 443,
          protocol: 'HTTPS',
          hostname: `${name}.example.com`,
          tls: { certificateRefs: [{ name: `${name}-tls` }] },
        },
      ],
    },
  } as const;
}
