// Resident memory of a controller that is idle after it has read a cluster, by the number of Gateways. The
// server is real; no other controller runs, so what they would write is written here.
// `npx tsx bench/controller-memory.ts`, or with the numbers to try, which writes no results.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dataPlaneRbac } from '../k8s/data-plane-rbac.ts';
import { startCluster } from '../test/cluster/cluster.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { controllerFor, countOf, gatewayOf, inTurns, sayReady, subjectsOf } from './controller-process.ts';
import { writeResults } from './measure.ts';

const COUNTS = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10, 100, 1_000, 5_000];
const IDLE_MS = 20_000;
const NAMESPACE = 'gateways';

const cluster = await startCluster({ parts: ['gateway-api'] });
const { client } = cluster;
const startController = await controllerFor(cluster);

const results: object[] = [];
let there = 0;
try {
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const object of dataPlaneRbac('gari-dataplane')) await client.apply(object, { force: true });
  for (const gateways of COUNTS) {
    const names = Array.from({ length: gateways - there }, (_, index) => `web-${there + index}`);
    await inTurns(names, (name) => client.create(gatewayOf(NAMESPACE, name)));
    there = gateways;
    // The first controller makes the objects, what others would say of them follows; the second finds all done.
    const first = await startController();
    const { giveUp } = first;
    const isDone = async () =>
      (await countOf(client, `/api/v1/namespaces/${NAMESPACE}/services`)) === gateways &&
      (await subjectsOf(client, 'gari-dataplane')) === gateways;
    await eventually('all is done', isDone, { timeoutMs: 1_200_000, intervalMs: 1_000, giveUp });
    await first.stop();
    await inTurns(names, (name) => sayReady(client, NAMESPACE, name));
    const samples = await residentWhenIdle();
    const megabytes = samples.at(-1) ?? 0;
    console.log(`${gateways} Gateways: ${megabytes} MB resident (${samples.join(', ')})`);
    results.push({ gateways, megabytes, samples });
  }
} finally {
  await cluster.stop();
}
if (process.argv.length === 2) writeResults('controller-memory', { node: process.version, results });

async function residentWhenIdle(): Promise<readonly number[]> {
  const { child, stop } = await startController();
  const samples: number[] = [];
  for (let sample = 0; sample < 4; sample++) {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS / 4));
    samples.push(Math.round(residentMegabytes(child)));
  }
  await stop();
  return samples;
}

function residentMegabytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
