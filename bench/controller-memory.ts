// Resident memory of a controller that is idle after it has read a cluster, by the number of Gateways. The
// server is real; no other controller runs, so what they would write is written here.
// `npx tsx bench/controller-memory.ts`, or with the numbers to try, which writes no results.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { dataPlaneRbac } from '../k8s/data-plane-rbac.ts';
import { compiledValidators } from '../scripts/compile-validators.mjs';
import type { Client } from '../test/cluster/client.ts';
import { type Cluster, startCluster } from '../test/cluster/cluster.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { freePorts } from '../test/cluster/ports.ts';
import { writeResults } from './measure.ts';

const COUNTS = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10, 100, 1_000, 5_000];
const IDLE_MS = 20_000;

const cluster = await startCluster({ parts: ['gateway-api'] });
const { client } = cluster;
const bundle = join(cluster.directory, 'controller.cjs');
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
const pod = join(cluster.directory, 'pod');
mkdirSync(pod);
writeFileSync(join(pod, 'token'), cluster.token);
writeFileSync(join(pod, 'ca.crt'), cluster.ca);

const results: object[] = [];
let there = 0;
try {
  for (const object of dataPlaneRbac('gari-dataplane')) await client.apply(object, { force: true });
  for (const gateways of COUNTS) {
    const names = Array.from({ length: gateways - there }, (_, index) => `web-${there + index}`);
    await inTurns(names, (name) => client.create(gateway(name)));
    there = gateways;
    // The first controller makes the objects, what others would say of them follows; the second finds all done.
    await measureOne(cluster, () => allThere(client, gateways));
    await inTurns(names, (name) => sayReady(client, name));
    const { samples } = await measureOne(cluster, () => true);
    const megabytes = Math.round(samples.at(-1) ?? 0);
    console.log(`${gateways} Gateways: ${megabytes} MB resident (${samples.map(Math.round).join(', ')})`);
    results.push({ gateways, megabytes, samples: samples.map(Math.round) });
  }
} finally {
  await cluster.stop();
}
if (process.argv.length === 2) writeResults('controller-memory', { node: process.version, results });

/** Runs a controller until it is done and idle. */
async function measureOne(
  { server, directory }: Cluster,
  isDone: () => Promise<boolean> | boolean,
): Promise<{ readonly samples: readonly number[] }> {
  const { hostname, port } = new URL(server);
  const [healthPort] = await freePorts(1);
  const log = openSync(join(directory, 'controller.log'), 'a');
  const env = { ...process.env, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
  const flags = (process.env.BENCH_NODE_FLAGS ?? '').split(' ').filter((flag) => flag !== '');
  const child = spawn(process.execPath, [...flags, bundle, pod, String(healthPort)], {
    env,
    stdio: ['ignore', log, log],
  });
  try {
    const giveUp = () => (child.exitCode === null ? undefined : `it has ended; ${lastOf(directory)}`);
    const ready = async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).ok;
    await eventually('the controller is ready', ready, { timeoutMs: 300_000, giveUp });
    await eventually('all is done', isDone, { timeoutMs: 1_200_000, intervalMs: 1_000, giveUp });
    const samples: number[] = [];
    for (let sample = 0; sample < 4; sample++) {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS / 4));
      samples.push(residentMegabytes(child));
    }
    return { samples };
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

function lastOf(directory: string): string {
  return readFileSync(join(directory, 'controller.log'), 'utf8').slice(-500);
}

function residentMegabytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

async function allThere(client: Client, count: number): Promise<boolean> {
  const services = await client.list('/api/v1/namespaces/default/services', {
    labelSelector: 'gari.dev/component=dataplane',
  });
  const { subjects = [] } = await client.get<{ subjects?: unknown[] }>(
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/gari-dataplane',
  );
  return services.length === count && subjects.length === count;
}

/** What the Deployment controller and a load balancer write. */
async function sayReady(client: Client, name: string): Promise<void> {
  const metadata = { name: `${name}-gari`, namespace: 'default' };
  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: 'MinimumReplicasAvailable',
    message: 'Deployment has minimum availability.',
    lastTransitionTime: '2025-01-01T00:00:00Z',
    lastUpdateTime: '2025-01-01T00:00:00Z',
  });
  const replicas = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  await client.apply(
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      status: { observedGeneration: 1, ...replicas, conditions: ['Available', 'Progressing'].map(condition) },
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

function gateway(name: string): object {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name, namespace: 'default' },
    spec: {
      gatewayClassName: 'gari',
      infrastructure: { labels: { team: 'web', environment: 'production' } },
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
  };
}
