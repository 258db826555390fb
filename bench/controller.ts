// What the controller costs: its writes and its time, beside the same writes fired by a bare loop, on one API server.
// Counts and times are the server's, from its audit log. No other controller runs, so what they would write is
// written here. `npx tsx bench/controller.ts`, or with the numbers of Gateways to try, which writes no results.

import { loadCredentials } from '../k8s/credentials.ts';
import { dataPlaneRbac } from '../k8s/data-plane-rbac.ts';
import type { ObservedGateway } from '../k8s/status/observed.ts';
import { Transport } from '../k8s/transport.ts';
import { type AuditEvent, auditEvents, auditMark } from '../test/cluster/audit.ts';
import { startCluster } from '../test/cluster/cluster.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { bareLoop } from './bare-loop.ts';
import { controllerFor, countOf, gatewayOf, inTurns, sayReady, subjectsOf } from './controller-process.ts';
import { median, writeResults } from './measure.ts';

const COUNTS = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 5_000];
const FIRST = COUNTS[0] ?? 1_000;
const ROUNDS = 3;
const CHANGES = 20;
const IDLE_MS = 30_000;
const BINDING = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/gari-dataplane';

const cluster = await startCluster({ parts: ['gateway-api'] });
const { client } = cluster;
const startController = await controllerFor(cluster);
const transport = new Transport(await loadCredentials({ kubeconfig: cluster.kubeconfig }));

const results: Record<string, unknown> = { node: process.version };
try {
  for (const name of ['gari-dataplane', 'bare']) {
    for (const object of dataPlaneRbac(name)) await client.apply(object, { force: true });
  }
  results.fromNothing = await fromNothing();
  let names: readonly string[] = [];
  for (const gateways of COUNTS) {
    names = await grow('gateways', names, gateways);
    results[`at${gateways}`] = await atRest('gateways', names);
  }
} finally {
  await transport.close();
  await cluster.stop();
}
if (process.argv.length === 2) writeResults('controller', results);

/** A controller that finds Gateways of which nothing exists, in turns with the bare loop. */
async function fromNothing() {
  const rounds: { gari: number; bare: number; writes: Writes }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const namespace = `gari-${round}`;
    const names = await makeGateways(namespace, FIRST);
    const mark = await auditMark(cluster);
    const controller = await startController();
    await allThere(namespace, FIRST, controller.giveUp);
    await controller.stop();
    const events = writesOf(await auditEvents(cluster, mark));
    const status = await client.get<ObservedGateway>(`${gatewaysIn(namespace)}/${names[0]}`);
    const later = await auditMark(cluster);
    await inTurns(names, (name) => sayReady(client, namespace, name));
    // Those that were made before say now that they serve.
    const second = await startController();
    await quiet(later);
    await second.stop();
    const all = [...events, ...writesOf(await auditEvents(cluster, later))];
    const writes = countWrites(all, FIRST);

    const bareNamespace = `bare-${round}`;
    await makeGateways(bareNamespace, FIRST, 'bare');
    const bareMark = await auditMark(cluster);
    const gateways = await client.list<ObservedGateway>(gatewaysIn(bareNamespace));
    await bareLoop(transport, { gateways, status, bindingName: 'bare', bindingWrites: writes.binding });
    const bare = spanOf(writesOf(await auditEvents(cluster, bareMark)));
    const gari = spanOf(events);
    console.log(
      `${FIRST} Gateways from nothing: ${ratio(gari, bare)} × the bare loop (${gari} ms against ${bare} ms); ${JSON.stringify(writes)}`,
    );
    rounds.push({ gari, bare, writes });
    for (const each of [namespace, bareNamespace]) await clear(each);
  }
  const ratios = rounds.map(({ gari, bare }) => ratio(gari, bare));
  return { gateways: FIRST, ratio: median(ratios), rounds };
}

/** Lets a controller make what is missing for a number of Gateways, and all of it be ready. */
async function grow(
  namespace: string,
  there: readonly string[],
  gateways: number,
): Promise<readonly string[]> {
  const names = await makeGateways(namespace, gateways, 'gari', there.length);
  const controller = await startController();
  await allThere(namespace, gateways, controller.giveUp);
  const mark = await auditMark(cluster);
  await inTurns(names, (name) => sayReady(client, namespace, name));
  await quiet(mark);
  await controller.stop();
  return [...there, ...names];
}

/** What a controller does that finds all as it should be, and then what single changes cost. */
async function atRest(namespace: string, names: readonly string[]) {
  const mark = await auditMark(cluster);
  const controller = await startController();
  await quiet(mark);
  const restart = writesOf(await auditEvents(cluster, mark)).length;
  const idleMark = await auditMark(cluster);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const idle = (await auditEvents(cluster, idleMark)).filter(
    ({ userAgent, verb }) => userAgent === 'gari' && verb !== 'watch',
  ).length;
  const some = Array.from({ length: CHANGES }, (_, n) => names[n * Math.floor(names.length / CHANGES)] ?? '');
  const label = await changes(namespace, some, (name) =>
    client.apply(gatewayOf(namespace, name, 'gari', 'payments'), { force: true }),
  );
  const altered = await changes(namespace, some, (name) =>
    client.request('PATCH', `/apis/apps/v1/namespaces/${namespace}/deployments/${name}-gari`, {
      body: { metadata: { labels: { team: 'nobody' } } },
      contentType: 'application/merge-patch+json',
    }),
  );
  const deleted = await changes(namespace, some, (name) =>
    client.request('DELETE', `/api/v1/namespaces/${namespace}/services/${name}-gari`),
  );
  await controller.stop();
  const result = { restart, idle, label, altered, deleted };
  console.log(`${names.length} Gateways: ${JSON.stringify(result)}`);
  return result;
}

/** Changes one Gateway after the other; says what was written for it, for others, and how soon. */
async function changes(
  namespace: string,
  names: readonly string[],
  change: (name: string) => Promise<unknown>,
) {
  const first: number[] = [];
  const done: number[] = [];
  const writes: Record<string, number> = {};
  let forOthers = 0;
  for (const name of names) {
    const mark = await auditMark(cluster);
    await change(name);
    await quiet(mark, 1);
    await sayReady(client, namespace, name);
    const events = await auditEvents(cluster, mark);
    const cause = events.find(({ userAgent, verb }) => userAgent !== 'gari' && verb !== 'get');
    const answers = writesOf(events).filter(({ objectRef }) => objectRef?.resource !== 'events');
    for (const { objectRef } of answers) {
      const what = `${objectRef?.resource}${objectRef?.subresource ? `/${objectRef.subresource}` : ''}`;
      writes[what] = (writes[what] ?? 0) + 1;
      if (objectRef?.name !== name && objectRef?.name !== `${name}-gari`) forOthers++;
    }
    const since = timeOf(cause?.stageTimestamp);
    first.push(
      Math.min(...answers.map(({ requestReceivedTimestamp }) => timeOf(requestReceivedTimestamp))) - since,
    );
    const children = answers.filter(({ objectRef }) => objectRef?.subresource === undefined);
    done.push(Math.max(...children.map(({ stageTimestamp }) => timeOf(stageTimestamp))) - since);
  }
  const round = (values: readonly number[]) => ({
    median: Math.round(median(values)),
    most: Math.round(Math.max(...values)),
  });
  return { changes: names.length, firstWriteMs: round(first), doneMs: round(done), writes, forOthers };
}

async function makeGateways(
  namespace: string,
  upTo: number,
  className = 'gari',
  from = 0,
): Promise<readonly string[]> {
  await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const names = Array.from({ length: upTo - from }, (_, index) => `web-${from + index}`);
  await inTurns(names, (name) => client.create(gatewayOf(namespace, name, className)));
  return names;
}

async function allThere(
  namespace: string,
  gateways: number,
  giveUp: () => string | undefined,
): Promise<void> {
  const mark = await auditMark(cluster);
  const isThere = async () => {
    if ((await countOf(client, `/api/v1/namespaces/${namespace}/services`)) < gateways) return false;
    return (await subjectsOf(client, 'gari-dataplane')) >= gateways;
  };
  await eventually('all is there', isThere, { timeoutMs: 1_200_000, intervalMs: 500, giveUp });
  await quiet(mark);
}

/** Waits until the controller has written what it has to: at least so much, and then nothing for two looks. */
async function quiet(mark: number, least = 0): Promise<void> {
  let last = -1;
  await eventually(
    'the controller to have nothing to do',
    async () => {
      const writes = writesOf(await auditEvents(cluster, mark)).length;
      const isQuiet = writes === last && writes >= least;
      last = writes;
      return isQuiet;
    },
    { timeoutMs: 1_200_000, intervalMs: least > 0 ? 300 : 2_000 },
  );
}

/** Takes away Gateways and what was made for them. */
async function clear(namespace: string): Promise<void> {
  const paths = [
    gatewaysIn(namespace),
    `/apis/apps/v1/namespaces/${namespace}/deployments`,
    `/api/v1/namespaces/${namespace}/serviceaccounts`,
    `/api/v1/namespaces/${namespace}/services`,
  ];
  for (const path of paths) await client.request('DELETE', path);
  for (const path of paths)
    await eventually(`${path} is empty`, async () => (await countOf(client, path)) === 0);
  await client.request('PATCH', BINDING, {
    body: { subjects: null },
    contentType: 'application/merge-patch+json',
  });
}

function gatewaysIn(namespace: string): string {
  return `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways`;
}

interface Writes {
  readonly childrenPerGateway: number;
  readonly statusPerGateway: number;
  readonly binding: number;
}

function countWrites(events: readonly AuditEvent[], gateways: number): Writes {
  const of = (resource: string) => events.filter(({ objectRef }) => objectRef?.resource === resource).length;
  return {
    childrenPerGateway: (of('serviceaccounts') + of('deployments') + of('services')) / gateways,
    statusPerGateway: of('gateways') / gateways,
    binding: of('clusterrolebindings'),
  };
}

/** What gari has written. */
function writesOf(events: readonly AuditEvent[]): readonly AuditEvent[] {
  return events.filter(
    ({ userAgent, verb, objectRef }) =>
      userAgent === 'gari' && !['get', 'list', 'watch'].includes(verb) && objectRef?.resource !== 'leases',
  );
}

/** From the first write's arrival to the last one's answer, in milliseconds. */
function spanOf(writes: readonly AuditEvent[]): number {
  const from = Math.min(...writes.map(({ requestReceivedTimestamp }) => timeOf(requestReceivedTimestamp)));
  return Math.round(Math.max(...writes.map(({ stageTimestamp }) => timeOf(stageTimestamp))) - from);
}

function timeOf(timestamp: string | undefined): number {
  return Date.parse(timestamp ?? '');
}

function ratio(a: number, b: number): number {
  return Number((a / b).toFixed(2));
}
