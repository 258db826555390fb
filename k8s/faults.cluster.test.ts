// Servers that go, or that lack something; and what creating only where nothing is stands on.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../functions/cli.ts';
import type { ClusterInfo } from '../test/cluster/cluster.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { describeCluster, ownCluster, sharedCluster, testNamespace } from '../test/cluster/vitest.ts';
import { holdingProxy } from '../test/holding-proxy.ts';
import { runGari } from '../test/run-gari.ts';
import { dataPlaneRbac } from './data-plane-rbac.ts';

const gateway = (name: string, namespace = 'default') => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name, namespace },
  spec: { gatewayClassName: 'gari', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
});

async function apply(
  cluster: ClusterInfo,
  objects: readonly object[],
  onOutput: () => void = () => undefined,
) {
  const directory = mkdtempSync(join(tmpdir(), 'gari-faults-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'gateways.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  let [stdout, stderr] = ['', ''];
  const io = {
    stdout: (text: string) => {
      stdout += text;
      onOutput();
    },
    stderr: (text: string) => {
      stderr += text;
    },
  };
  const exitCode = await run(['apply', file, '--kubeconfig', cluster.kubeconfig], io);
  return { exitCode, stdout, stderr };
}

const connection = ({ kubeconfig }: ClusterInfo) => ['--kubeconfig', kubeconfig];

describeCluster('gari apply', ['gateway-api'], () => {
  it('whose server is killed half-way says so in one line, and a second run finishes', async () => {
    const cluster = await ownCluster({ parts: ['gateway-api'] });
    for (const object of dataPlaneRbac('gari-dataplane')) await cluster.client.apply(object);
    const gateways = Array.from({ length: 40 }, (_, index) => gateway(`web-${10 + index}`));
    for (const object of gateways) await cluster.client.apply(object);
    let lines = 0;
    let killed: Promise<unknown> | undefined;
    // What went wrong before must still be said.
    const foreign = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'web-10-gari' } };
    await cluster.client.create({ ...foreign, metadata: { ...foreign.metadata, namespace: 'default' } });
    const broken = await apply(cluster, gateways, () => {
      // In the middle of the third Gateway.
      if (++lines === 9) killed = cluster.stopApiServer('SIGKILL');
    });
    await killed;
    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).toMatch(
      /^error: serviceaccount\/web-10-gari conflict in default: .+\nerror: https:\S+ cannot be reached: .+\n$/,
    );

    await cluster.startApiServer();
    await cluster.client.delete('/api/v1/namespaces/default/serviceaccounts/web-10-gari');
    const whole = await apply(cluster, gateways);
    expect(whole).toMatchObject({ exitCode: 0, stderr: '' });
    expect(whole.stdout.match(/created/g)?.length).toBeLessThan(3 * gateways.length - 3);
    const { subjects } = await cluster.client.get<{ subjects: { name: string }[] }>(
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/gari-dataplane',
    );
    expect(subjects.map(({ name }) => name)).toEqual(gateways.map(({ metadata }) => `${metadata.name}-gari`));
    expect((await apply(cluster, gateways)).stdout).not.toMatch(/created|configured/);
  }, 120_000);

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('on %s says so in one line, and a second run finishes', async (signal, exitCode) => {
    const cluster = sharedCluster();
    const namespace = await testNamespace();
    const bindingName = `gari-${namespace}`;
    for (const object of dataPlaneRbac(bindingName)) await cluster.client.apply(object);
    const binding = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${bindingName}`;
    onTestFinished(() => cluster.client.delete(binding));
    const object = gateway('web', namespace);
    await cluster.client.apply(object);
    const file = join(tmpdir(), `${namespace}.json`);
    writeFileSync(file, JSON.stringify(object));
    onTestFinished(() => rmSync(file));
    let process: ChildProcess | undefined;
    const proxy = await holdingProxy(cluster, ({ method, path }) => {
      if (method !== 'PATCH' || !path.endsWith('/deployments/web-gari')) return undefined;
      process?.kill(signal);
      // This one is never answered.
      return new Promise(() => undefined);
    });
    const args = ['apply', file, '--binding-name', bindingName, '--kubeconfig'];
    const command = ['--import', 'tsx', 'functions/main.ts', ...args, proxy.kubeconfig];
    process = spawn(execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = (stream: Readable | null | undefined) => (stream ? text(stream) : '');
    const ended = new Promise((resolve) => process?.once('exit', resolve));
    const [stdout, stderr] = await Promise.all([output(process.stdout), output(process.stderr)]);
    expect([await ended, stderr]).toEqual([
      exitCode,
      'error: interrupted; another run finishes what is left\n',
    ]);
    expect(stdout).toBe(
      `serviceaccount/web-gari created in ${namespace}\nclusterrolebinding.rbac.authorization.k8s.io/${bindingName} configured\n`,
    );
    const whole = await runGari(
      'apply',
      [object],
      ...['--binding-name', bindingName],
      ...connection(cluster),
    );
    expect(whole).toMatchObject({ exitCode: 0, stderr: '' });
    expect(whole.stdout.match(/created/g)).toHaveLength(2);
  });

  it('says that the CRDs are not installed', async () => {
    const cluster = await ownCluster({ parts: [] });
    const stderr = "error: the Gateway API's CRDs are not installed in this cluster\n";
    expect(await apply(cluster, [gateway('web')])).toEqual({ exitCode: 1, stdout: '', stderr });
    expect(await runGari('apply', [gateway('web')], '--with-gateways', ...connection(cluster))).toEqual({
      exitCode: 1,
      stdout: '',
      stderr,
    });
  }, 60_000);

  it('gives the objects of a Gateway that was made anew to the new one', async () => {
    const cluster = sharedCluster();
    const namespace = await testNamespace();
    const object = gateway('web', namespace);
    await cluster.client.apply(object);
    await apply(cluster, [object]);
    const path = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways/web`;
    await cluster.client.delete(path);
    await eventually(
      'the Gateway to go',
      async () => (await cluster.client.request('GET', path)).status === 404,
    );
    const { metadata } = await cluster.client.apply(object);
    // The garbage collector may come before, between or after: in the end all belong to the new one.
    await eventually('all to belong to the new Gateway', async () => {
      await apply(cluster, [object]);
      const service = await cluster.client.request<{ metadata: { ownerReferences?: { uid: string }[] } }>(
        'GET',
        `/api/v1/namespaces/${namespace}/services/web-gari`,
      );
      return service.status === 200 && service.body.metadata.ownerReferences?.[0]?.uid === metadata.uid;
    });
  });
});

describeCluster('an apply with resourceVersion 1', ['gateway-api'], () => {
  it.each([
    ['a ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount' }],
    ['a Service', { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80 }] } }],
    [
      'a Deployment',
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        spec: {
          replicas: 0,
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
        },
      },
    ],
    ['a custom resource', gateway('web')],
  ])('creates %s where nothing is, and changes nothing where something is', async (_, body) => {
    const { client } = sharedCluster();
    const metadata = { name: 'once', namespace: await testNamespace() };
    const object = { ...body, metadata: { ...metadata, resourceVersion: '1' } };
    const path = await client.pathOf(object);
    const send = () =>
      client.request('PATCH', path, {
        query: { fieldManager: 'once', force: true },
        body: object,
        contentType: 'application/apply-patch+yaml',
      });
    // The Deployment controller writes an annotation and status meanwhile.
    const ours = async () => {
      const { spec, metadata } = await client.get(path);
      const { uid, generation, managedFields, resourceVersion } = metadata;
      const own = ((managedFields ?? []) as { manager: string }[]).filter(
        ({ manager }) => manager === 'once',
      );
      return { spec, uid, generation, own, ...(body.kind === 'Deployment' ? {} : { resourceVersion }) };
    };
    expect((await send()).status).toBe(201);
    const before = await ours();
    expect((await send()).status).toBe(409);
    expect(await ours()).toEqual(before);
  });
});
