// `gari apply` and `gari delete` on a real API server.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { run } from '../functions/cli.ts';
import { formatYaml } from '../functions/yaml.ts';
import type { KubeObject } from '../test/cluster/client.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { kubectl } from '../test/cluster/kubectl.ts';
import { serviceAccountKubeconfig } from '../test/cluster/service-account.ts';
import { describeCluster, sharedCluster, testNamespace } from '../test/cluster/vitest.ts';
import { holdingProxy } from '../test/holding-proxy.ts';
import { dataPlaneRbac } from './data-plane-rbac.ts';

// Twelve runs at a time in one process, which would be twelve processes.
process.setMaxListeners(20);

const binding = `gari-${randomBytes(4).toString('hex')}`;
const directory = mkdtempSync(join(tmpdir(), 'gari-apply-'));
let namespace = '';

const gateway = (name = 'web', more: Record<string, unknown> = {}) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name, namespace },
  spec: { gatewayClassName: 'gari', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }], ...more },
});
const path = (kind: string, name = 'web-gari') => {
  const group = kind === 'deployments' ? '/apis/apps/v1' : '/api/v1';
  return `${group}/namespaces/${namespace}/${kind}/${name}`;
};
// Who may not read classes may have parameters that nobody hears of.
const UNREADABLE_CLASS =
  'warning: GatewayClass gari: is not in the files, and there is no right to get gatewayclasses.gateway.networking.k8s.io: its parameters, if it has any, are left out';
const CHILDREN = ['serviceaccounts', 'deployments', 'services'];
const bindingPath = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${binding}`;

/** Runs a command on objects, as admin or with another kubeconfig. */
async function gari(command: string, objects: readonly object[], ...flags: string[]) {
  const file = join(directory, `${randomBytes(4).toString('hex')}.yaml`);
  writeFileSync(file, objects.map((object) => formatYaml(object as never)).join('---\n'));
  let [stdout, stderr] = ['', ''];
  const io = {
    stdout: (text: string) => {
      stdout += text;
    },
    stderr: (text: string) => {
      stderr += text;
    },
  };
  const connection = flags.includes('--kubeconfig') ? [] : ['--kubeconfig', sharedCluster().kubeconfig];
  const exitCode = await run([command, file, '--binding-name', binding, ...connection, ...flags], io);
  return { exitCode, stdout, stderr, lines: stdout.trim().split('\n') };
}
const apply = (objects: readonly object[], ...flags: string[]) => gari('apply', objects, ...flags);
const raw = async (url: string) => JSON.stringify((await sharedCluster().client.request('GET', url)).body);
const mine = async () =>
  (
    (await sharedCluster().client.get<{ subjects?: { name: string; namespace: string }[] }>(bindingPath))
      .subjects ?? []
  )
    .filter((subject) => subject.namespace === namespace)
    .map(({ name }) => name);

describeCluster('gari apply', ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'], () => {
  beforeAll(async () => {
    for (const object of dataPlaneRbac(binding)) await sharedCluster().client.apply(object);
  });
  beforeEach(async () => {
    namespace = await testNamespace();
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true });
    await sharedCluster().client.request('DELETE', bindingPath);
  });

  it('creates, then changes nothing, then changes what changed', async () => {
    await sharedCluster().client.apply(gateway());
    const first = await apply([gateway()]);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.lines).toEqual([
      `serviceaccount/web-gari created in ${namespace}`,
      `clusterrolebinding.rbac.authorization.k8s.io/${binding} configured`,
      `deployment.apps/web-gari created in ${namespace}`,
      `service/web-gari created in ${namespace}`,
    ]);
    expect(await mine()).toEqual(['web-gari']);
    expect((await apply([gateway()], '--wait')).lines).toEqual([
      `serviceaccount/web-gari unchanged in ${namespace}`,
      `clusterrolebinding.rbac.authorization.k8s.io/${binding} unchanged`,
      `deployment.apps/web-gari unchanged in ${namespace}`,
      `service/web-gari unchanged in ${namespace}`,
    ]);
    const labelled = gateway('web', { infrastructure: { labels: { team: 'a' } } });
    expect((await apply([labelled])).lines.filter((line) => line.includes('configured'))).toHaveLength(3);
    await apply([gateway()]);
    for (const kind of CHILDREN) {
      expect((await sharedCluster().client.get<KubeObject>(path(kind))).metadata.labels).not.toHaveProperty(
        'team',
      );
    }
  });

  it('keeps what kubectl scaled and restarted, and TCP and UDP on one port', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const dns = [
      { name: 'tcp', port: 53, protocol: 'TCP' },
      { name: 'udp', port: 53, protocol: 'UDP' },
    ];
    await client.apply(gateway());
    await apply([gateway()]);
    const target = ['-n', namespace, 'deployment/web-gari'];
    expect(await kubectl(cluster, ['scale', '--replicas=3', ...target])).toMatchObject({ code: 0 });
    expect(await kubectl(cluster, ['rollout', 'restart', ...target])).toMatchObject({ code: 0 });
    expect((await apply([gateway('web', { listeners: dns })])).exitCode).toBe(0);
    expect(await client.get(path('deployments'))).toMatchObject({
      spec: {
        replicas: 3,
        template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': expect.any(String) } } },
      },
    });
    const service = await client.get<{ spec: { ports: { port: number; protocol: string }[] } }>(
      path('services'),
    );
    expect(service.spec.ports.map(({ port, protocol }) => `${port}/${protocol}`)).toEqual([
      '53/TCP',
      '53/UDP',
    ]);
  });

  it.each([
    ['serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount' }],
    ['services', { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80 }] } }],
    [
      'deployments',
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
  ])('leaves foreign %s of the name as they are, and names them', async (kind, object) => {
    const { client } = sharedCluster();
    await client.apply(gateway());
    await client.create({ ...object, metadata: { name: 'web-gari', namespace } });
    if (kind === 'deployments') {
      await eventually('the Deployment to be observed', async () =>
        (await raw(path(kind))).includes('observedGeneration'),
      );
    }
    const before = await raw(path(kind));
    const { exitCode, stdout, stderr } = await apply([gateway()]);
    expect(exitCode).toBe(1);
    // Pods of ours must not run as somebody else's account either.
    expect(stdout.includes('retained')).toBe(kind === 'serviceaccounts');
    const hasDeployment = (await client.request('GET', path('deployments'))).status === 200;
    expect(hasDeployment).toBe(kind !== 'serviceaccounts');
    expect(stderr).toMatch(
      /^error: \S+\/web-gari conflict in \S+: it is not gari's; rename or remove it, or rename the Gateway\n$/,
    );
    expect(await raw(path(kind))).toBe(before);
    expect(await mine()).toEqual(kind === 'serviceaccounts' ? [] : ['web-gari']);
    await gari('delete', [gateway()]);
    expect(await raw(path(kind))).toBe(before);
  });

  it('creates once, however many do it at a time, and takes nothing over', async () => {
    await sharedCluster().client.apply(gateway());
    const runs = await Promise.all(Array.from({ length: 12 }, () => apply([gateway()])));
    expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(runs.map(() => [0, '']));
    const created = runs.flatMap(({ lines }) => lines).filter((line) => line.includes('created'));
    expect(created).toHaveLength(3);
    expect(await mine()).toEqual(['web-gari']);
  });

  it('loses nobody when ten add subjects at once', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `web-${index}`);
    for (const name of names) await sharedCluster().client.apply(gateway(name));
    const runs = await Promise.all(names.map((name) => apply([gateway(name)])));
    expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(names.map(() => [0, '']));
    expect((await mine()).sort()).toEqual(names.map((name) => `${name}-gari`));
  });

  it('takes over what gari rendered and somebody else applied, and what an earlier Gateway left', async () => {
    const { client } = sharedCluster();
    await client.apply(gateway());
    await apply([gateway()]);
    const gatewayPath = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways/web`;
    const old = await client.get(path('services'));
    await client.delete(gatewayPath, { propagationPolicy: 'Orphan' });
    await eventually(
      'the Gateway to go',
      async () => (await client.request('GET', gatewayPath)).status === 404,
    );
    await client.apply(gateway());
    expect((await apply([gateway()])).exitCode).toBe(0);
    const adopted = await client.get<KubeObject & { metadata: { ownerReferences: { uid: string }[] } }>(
      path('services'),
    );
    const { metadata } = await client.get(gatewayPath);
    expect(adopted.metadata.uid).toBe(old.metadata.uid);
    expect(adopted.metadata.ownerReferences.map(({ uid }) => uid)).toEqual([metadata.uid]);
  });

  it('takes over what kubectl applied without server-side apply, and can then drop a label and move a port', async () => {
    const cluster = sharedCluster();
    await cluster.client.apply(gateway());
    const file = join(directory, 'labelled.yaml');
    writeFileSync(file, formatYaml(gateway('web', { infrastructure: { labels: { team: 'a' } } }) as never));
    let rendered = '';
    const io = {
      stdout: (text: string) => {
        rendered += text;
      },
      stderr: () => undefined,
    };
    await run(['render', file, '--gateway', `${namespace}/web`], io);
    expect(await kubectl(cluster, ['apply', '-f', '-'], { input: rendered })).toMatchObject({ code: 0 });
    const moved = gateway('web', { listeners: [{ name: 'http', port: 8080, protocol: 'HTTP' }] });
    expect(await apply([moved])).toMatchObject({ exitCode: 0, stderr: '' });
    const service = await cluster.client.get<KubeObject & { spec: { ports: { port: number }[] } }>(
      path('services'),
    );
    expect(service.metadata.labels).not.toHaveProperty('team');
    expect(service.spec.ports.map(({ port }) => port)).toEqual([8080]);
  });

  it('keeps the Service when no listener can be served any more', async () => {
    const { client } = sharedCluster();
    await client.apply(gateway());
    await apply([gateway()]);
    const { metadata } = await client.get(path('services'));
    const unknown = gateway('web', { listeners: [{ name: 'x', port: 80, protocol: 'example.com/x' }] });
    const { exitCode, stdout } = await apply([unknown]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('service/web-gari retained');
    expect((await client.get(path('services'))).metadata.uid).toBe(metadata.uid);
  });

  it('applies the Gateways first when it is asked to, as they are written', async () => {
    const { client } = sharedCluster();
    const first = await apply([gateway()], '--with-gateways');
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.lines[0]).toBe(`gateway.gateway.networking.k8s.io/web created in ${namespace}`);
    expect((await apply([gateway()], '--with-gateways')).lines[0]).toBe(
      `gateway.gateway.networking.k8s.io/web unchanged in ${namespace}`,
    );
    const gatewayPath = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways/web`;
    const live = await client.get<KubeObject & { metadata: { managedFields: { fieldsV1: object }[] } }>(
      gatewayPath,
    );
    // What the server adds is nobody's.
    expect(JSON.stringify(live.metadata.managedFields)).not.toContain('allowedRoutes');
    // Somebody else's field is not taken.
    await client.apply(gateway('web', { gatewayClassName: 'other' }), {
      fieldManager: 'somebody',
      force: true,
    });
    const { exitCode, stderr } = await apply([gateway()], '--with-gateways');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('conflict');
  });

  it('shows what it would do with Gateways that are not there yet', async () => {
    const { lines, exitCode, stderr } = await apply([gateway()], '--with-gateways', '--dry-run=server');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(lines).toEqual([
      `gateway.gateway.networking.k8s.io/web created in ${namespace} (server dry run)`,
      `serviceaccount/web-gari created in ${namespace} (server dry run)`,
      `clusterrolebinding.rbac.authorization.k8s.io/${binding} configured (server dry run)`,
      `deployment.apps/web-gari created in ${namespace} (server dry run)`,
      `service/web-gari created in ${namespace} (server dry run)`,
    ]);
    const gateways = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways`;
    expect(await sharedCluster().client.list(gateways)).toEqual([]);
  });

  it('leaves out Gateways that cannot be applied, and names them', async () => {
    const lost = { ...gateway(), metadata: { name: 'web', namespace: 'not-there' } };
    const { exitCode, lines, stderr } = await apply([gateway(), lost], '--with-gateways');
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'error: gateway.gateway.networking.k8s.io/web failed in not-there: namespace not-there is not there; create it first\n',
    );
    expect(lines).toHaveLength(5);
  });

  it('tells at the end of all that went wrong, and waits only for what it has applied', async () => {
    const { client } = sharedCluster();
    await client.apply(gateway());
    await client.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web-gari', namespace },
      spec: { ports: [{ port: 80 }], type: 'LoadBalancer', loadBalancerClass: 'example.com/nobody' },
    });
    expect((await apply([gateway()])).exitCode).toBe(1);
    expect(
      await kubectl(sharedCluster(), [
        ...['scale', 'deployment/web-gari', '--replicas=0', '--namespace', namespace],
      ]),
    ).toMatchObject({ code: 0 });
    await eventually('the data plane to be gone', async () => {
      const { status } = await client.get<{ status?: { availableReplicas?: number } }>(path('deployments'));
      return status?.availableReplicas === undefined;
    });
    const isTerminal = process.stderr.isTTY;
    process.stderr.isTTY = true;
    const { exitCode, stderr } = await apply([gateway()], '--wait', '--timeout', '3').finally(() => {
      process.stderr.isTTY = isTerminal;
    });
    expect(exitCode).toBe(1);
    const waiting = `waiting for deployment.apps/web-gari in ${namespace}: no replica is available`;
    // Each two seconds.
    expect(stderr.trim().split('\n')).toEqual([
      waiting,
      waiting,
      `error: service/web-gari conflict in ${namespace}: it is not gari's; rename or remove it, or rename the Gateway`,
      `error: deployment.apps/web-gari failed in ${namespace}: not ready after 3 s: no replica is available`,
    ]);
  });

  it('says of a text that cannot be sent what is wrong, in one line', async () => {
    const { client } = sharedCluster();
    await client.apply(gateway());
    const broken = gateway('web', { infrastructure: { annotations: { 'example.com/a': '\ud800' } } });
    const { exitCode, stderr } = await apply([broken]);
    expect(exitCode).toBe(1);
    for (const line of stderr.trim().split('\n')) expect(line).toMatch(/^error: .*surrogate/);
  });

  it('changes nothing in a dry run', async () => {
    const { client } = sharedCluster();
    await client.apply(gateway());
    const { lines, exitCode } = await apply([gateway()], '--dry-run=server');
    expect(exitCode).toBe(0);
    expect(lines.every((line) => line.endsWith('(server dry run)'))).toBe(true);
    for (const kind of CHILDREN) expect((await client.request('GET', path(kind))).status).toBe(404);
    expect(await mine()).toEqual([]);
  });

  it('deletes what it made, and never the Gateway', async () => {
    const { client } = sharedCluster();
    await client.apply(gateway());
    await apply([gateway()]);
    const { lines, exitCode } = await gari('delete', [gateway()]);
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      `clusterrolebinding.rbac.authorization.k8s.io/${binding} configured`,
      `service/web-gari pruned in ${namespace}`,
      `deployment.apps/web-gari pruned in ${namespace}`,
      `serviceaccount/web-gari pruned in ${namespace}`,
    ]);
    expect(await mine()).toEqual([]);
    expect(
      (await client.request('GET', `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways/web`))
        .status,
    ).toBe(200);
  });

  it('deletes what it made for a Gateway that is going itself', async () => {
    const { client } = sharedCluster();
    const held = { ...gateway(), metadata: { ...gateway().metadata, finalizers: ['example.com/hold'] } };
    await client.apply(held);
    await apply([gateway()]);
    const gatewayPath = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways/web`;
    await client.delete(gatewayPath, { propagationPolicy: 'Orphan' });
    try {
      expect(await apply([gateway()])).toMatchObject({
        exitCode: 1,
        stderr: `error: gateway.gateway.networking.k8s.io/web failed in ${namespace}: it is being deleted\n`,
      });
      expect(await gari('delete', [gateway()])).toMatchObject({ exitCode: 0, stderr: '' });
      expect(await mine()).toEqual([]);
      for (const kind of CHILDREN) expect((await client.request('GET', path(kind))).status).toBe(404);
    } finally {
      const release = { metadata: { finalizers: null } };
      await client.request('PATCH', gatewayPath, {
        body: release,
        contentType: 'application/merge-patch+json',
      });
    }
  });

  it('prunes what is its own and not wanted any more, and nothing else', async () => {
    const { client } = sharedCluster();
    const { metadata } = await client.apply(gateway());
    const labels = { 'gateway.networking.k8s.io/gateway-name': 'web' };
    const service = (name: string, more: object) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace, labels, ...more },
      spec: { ports: [{ port: 80 }] },
    });
    const owner = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      name: 'web',
      uid: metadata.uid,
      controller: true,
    };
    await client.create(service('web-gari-old', { ownerReferences: [owner] }));
    await client.create(service('web-of-somebody', {}));
    const before = await raw(path('services', 'web-of-somebody'));
    const { exitCode, lines } = await apply([gateway()]);
    expect(exitCode).toBe(0);
    expect(lines.filter((line) => line.includes('pruned'))).toEqual([
      `service/web-gari-old pruned in ${namespace}`,
    ]);
    expect((await client.request('GET', path('services', 'web-gari-old'))).status).toBe(404);
    expect(await raw(path('services', 'web-of-somebody'))).toBe(before);
  });

  it('sends the requests that docs/reference/apply.md counts', async () => {
    const proxy = await holdingProxy(sharedCluster(), () => undefined);
    await sharedCluster().client.apply(gateway());
    const sent = async () => {
      proxy.passed.length = 0;
      await apply([gateway()], '--kubeconfig', proxy.kubeconfig);
      const place = new RegExp(`^(\\w+) .*?/(\\w+(?:/(?:web|web-gari|gari|${binding}))?)$`);
      return proxy.passed.map((request) => request.replace(place, '$1 $2').replace(`/${binding}`, ''));
    };
    const before = [
      'GET gatewayclasses/gari',
      'GET gateways/web',
      'GET serviceaccounts/web-gari',
      'PATCH serviceaccounts/web-gari',
    ];
    const after = [
      ...['GET deployments/web-gari', 'PATCH deployments/web-gari'],
      ...['GET services/web-gari', 'PATCH services/web-gari'],
      ...['GET services', 'GET deployments', 'GET rolebindings', 'GET serviceaccounts'],
    ];
    const bindings = ['GET clusterrolebindings', 'PATCH clusterrolebindings'];
    expect(await sent()).toEqual([...before, ...bindings, ...after]);
    expect(await sent()).toEqual([...before, 'GET clusterrolebindings', ...after]);
  });

  it('owns what it renders, and nothing that others set', async () => {
    const cluster = sharedCluster();
    await cluster.client.apply(gateway());
    await apply([gateway()]);
    const target = ['--namespace', namespace, 'deployment/web-gari'];
    expect(await kubectl(cluster, ['label', ...target, 'example.com/mine=yes'])).toMatchObject({ code: 0 });
    const labelled = gateway('web', { infrastructure: { labels: { team: 'a' } } });
    expect((await apply([labelled])).lines).toContain(`deployment.apps/web-gari configured in ${namespace}`);
    const { metadata } = await cluster.client.get<
      KubeObject & { metadata: { managedFields: { manager: string; fieldsV1: object }[] } }
    >(path('deployments'));
    expect(metadata.labels).toMatchObject({ 'example.com/mine': 'yes', team: 'a' });
    const own = metadata.managedFields.filter(({ manager }) => manager === 'gari');
    expect(own).toHaveLength(1);
    expect(JSON.stringify(own)).not.toMatch(/f:replicas|example\.com|revision/);
  });

  it('can drop a label after the record of who owns what was wiped', async () => {
    const { client } = sharedCluster();
    await client.apply(gateway());
    const labelled = gateway('web', { infrastructure: { labels: { team: 'a' } } });
    await apply([labelled]);
    const wipe = { metadata: { managedFields: [{}], annotations: { 'example.com/note': 'mine' } } };
    for (const kind of CHILDREN) {
      const contentType = 'application/merge-patch+json';
      await client.request('PATCH', path(kind), { body: wipe, contentType });
    }
    expect((await apply([labelled])).exitCode).toBe(0);
    expect((await apply([gateway()])).exitCode).toBe(0);
    for (const kind of CHILDREN) {
      const { metadata } = await client.get<KubeObject>(path(kind));
      expect(metadata.labels).not.toHaveProperty('team');
      expect(metadata.annotations).toHaveProperty(['example.com/note'], 'mine');
    }
  });

  it('can drop a label and a port of what kubectl applied with server-side apply, and nothing a user added so', async () => {
    const cluster = sharedCluster();
    await cluster.client.apply(gateway());
    const file = join(directory, 'server-side.yaml');
    writeFileSync(file, formatYaml(gateway('web', { infrastructure: { labels: { team: 'a' } } }) as never));
    let rendered = '';
    const io = {
      stdout: (text: string) => {
        rendered += text;
      },
      stderr: () => undefined,
    };
    await run(['render', file, '--gateway', `${namespace}/web`], io);
    const ssa = ['apply', '--server-side', '-f', '-'];
    expect(await kubectl(cluster, ssa, { input: rendered })).toMatchObject({ code: 0 });
    const added = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'web-gari', namespace } };
    const note = { ...added, metadata: { ...added.metadata, annotations: { 'example.com/note': 'mine' } } };
    await cluster.client.apply(note, { fieldManager: 'somebody' });
    const moved = gateway('web', { listeners: [{ name: 'http', port: 8080, protocol: 'HTTP' }] });
    expect(await apply([moved])).toMatchObject({ exitCode: 0, stderr: '' });
    const service = await cluster.client.get<KubeObject & { spec: { ports: { port: number }[] } }>(
      path('services'),
    );
    expect(service.spec.ports.map(({ port }) => port)).toEqual([8080]);
    for (const kind of CHILDREN) {
      expect((await cluster.client.get<KubeObject>(path(kind))).metadata.labels).not.toHaveProperty('team');
    }
    const account = await cluster.client.get<KubeObject>(path('serviceaccounts'));
    expect(account.metadata.annotations).toHaveProperty(['example.com/note'], 'mine');
  });

  it('takes back what was edited so that ours no longer fits in, and leaves all else that was edited', async () => {
    const { client } = sharedCluster();
    await client.apply(gateway());
    await apply([gateway()]);
    const edit = async (kind: string, ...body: object[]) => {
      const contentType = 'application/json-patch+json';
      const query = { fieldManager: 'kubectl-edit' };
      expect(await client.request('PATCH', path(kind), { contentType, query, body })).toMatchObject({
        status: 200,
      });
    };
    const container = '/spec/template/spec/containers/0';
    const sidecar = { name: 'sidecar', image: 'sidecar', ports: [{ name: 'side', containerPort: 9998 }] };
    await edit(
      'services',
      { op: 'replace', path: '/spec/ports/0/port', value: 81 },
      { op: 'add', path: '/spec/ports/-', value: { name: 'mine', port: 9999 } },
    );
    await edit(
      'deployments',
      { op: 'replace', path: `${container}/ports/0/containerPort`, value: 9999 },
      { op: 'remove', path: `${container}/readinessProbe/httpGet` },
      { op: 'add', path: `${container}/readinessProbe/tcpSocket`, value: { port: 8000 } },
      { op: 'add', path: `${container}/env`, value: [{ name: 'MINE', value: 'yes' }] },
      { op: 'add', path: '/spec/template/spec/containers/-', value: sidecar },
    );
    const again = await apply([gateway()]);
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(again.lines.filter((line) => line.includes('configured'))).toHaveLength(2);
    interface Container {
      readonly name: string;
      readonly ports: readonly { readonly containerPort: number }[];
      readonly readinessProbe: object;
      readonly env: object;
    }
    interface Specs {
      readonly spec: {
        readonly ports: readonly { readonly name: string; readonly port: number }[];
        readonly template: { readonly spec: { readonly containers: readonly Container[] } };
      };
    }
    const service = await client.get<KubeObject & Specs>(path('services'));
    expect(service.spec.ports.map(({ name, port }) => `${name} ${port}`).sort()).toEqual([
      'http-80 80',
      'mine 9999',
    ]);
    const deployment = await client.get<KubeObject & Specs>(path('deployments'));
    const [ours, side] = deployment.spec.template.spec.containers;
    expect(ours?.ports.map(({ containerPort }) => containerPort)).toEqual([8000, 8443, 8443, 8081]);
    expect(ours?.readinessProbe).toHaveProperty('httpGet');
    expect(ours?.readinessProbe).not.toHaveProperty('tcpSocket');
    expect(ours?.env).toEqual([{ name: 'MINE', value: 'yes' }]);
    expect(side?.name).toBe('sidecar');
    expect((await apply([gateway()])).stdout).not.toMatch(/configured/);
  });

  it('leaves out Gateways that are not there or that it may not see, and applies the others', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const forbidden = await testNamespace();
    await client.apply(gateway());
    const RBAC = 'rbac.authorization.k8s.io/v1';
    await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'ci', namespace } });
    const metadata = { name: 'ci', namespace };
    const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    await client.create({ apiVersion: RBAC, kind: 'Role', metadata, rules: everything });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'ci' };
    const subjects = [{ kind: 'ServiceAccount', name: 'ci', namespace }];
    await client.create({ apiVersion: RBAC, kind: 'RoleBinding', metadata, roleRef, subjects });
    const kubeconfig = await serviceAccountKubeconfig(cluster, namespace, 'ci');
    const elsewhere = { ...gateway(), metadata: { name: 'web', namespace: forbidden } };
    const line = 'error: gateway.gateway.networking.k8s.io';
    await eventually('the rights to be known', async () => {
      const { exitCode, stderr } = await apply(
        [elsewhere, gateway('absent'), gateway()],
        ...['--kubeconfig', kubeconfig],
      );
      expect(exitCode).toBe(1);
      expect(stderr.trim().split('\n').sort()).toEqual(
        [
          `error: clusterrolebinding.rbac.authorization.k8s.io/${binding} failed: no right to get clusterrolebindings.rbac.authorization.k8s.io ${binding}`,
          `${line}/absent failed in ${namespace}: it is not in the cluster; apply it first, with kubectl or --with-gateways`,
          UNREADABLE_CLASS,
          `${line}/web failed in ${forbidden}: no right to get gateways.gateway.networking.k8s.io web in namespace ${forbidden}`,
        ].sort(),
      );
      return true;
    });
    for (const kind of CHILDREN) expect((await client.request('GET', path(kind))).status).toBe(200);
  });

  it('applies many Gateways at a time, says so in their order, and writes the binding less often', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `web-${10 + index}`);
    for (const name of names) await sharedCluster().client.apply(gateway(name));
    const proxy = await holdingProxy(sharedCluster(), () => undefined);
    const gateways = names.map((name) => gateway(name)).reverse();
    const { exitCode, stderr, lines } = await apply(gateways, '--kubeconfig', proxy.kubeconfig);
    expect([exitCode, stderr]).toEqual([0, '']);
    const deployments = lines.filter((line) => line.startsWith('deployment'));
    expect(deployments).toEqual(
      [...names].reverse().map((name) => `deployment.apps/${name}-gari created in ${namespace}`),
    );
    expect((await mine()).sort()).toEqual(names.map((name) => `${name}-gari`));
    expect(proxy.passed.filter((request) => request === `PATCH ${bindingPath}`).length).toBeLessThan(
      names.length,
    );
    const again = await apply(gateways);
    expect(again.lines.filter((line) => line.includes(binding))).toEqual([
      `clusterrolebinding.rbac.authorization.k8s.io/${binding} unchanged`,
    ]);
  });

  it('waits for nothing that was pruned', async () => {
    const { client } = sharedCluster();
    const { metadata } = await client.apply(gateway());
    const { apiVersion, kind } = gateway();
    const owner = { apiVersion, kind, name: 'web', uid: metadata.uid, controller: true };
    const labels = { 'gateway.networking.k8s.io/gateway-name': 'web' };
    await client.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web-gari-old', namespace, labels, ownerReferences: [owner] },
      spec: { ports: [{ port: 80 }] },
    });
    const { exitCode, stderr, stdout } = await apply([gateway()], '--wait', '--timeout', '30');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('service/web-gari-old pruned');
  });

  it('deletes without the Gateway, without the binding, and where nothing is left', async () => {
    const { client } = sharedCluster();
    await client.apply(gateway());
    await apply([gateway()]);
    const gatewayPath = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways/web`;
    await client.delete(gatewayPath, { propagationPolicy: 'Orphan' });
    await eventually(
      'the Gateway to go',
      async () => (await client.request('GET', gatewayPath)).status === 404,
    );
    const first = await gari('delete', [gateway()]);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.lines.filter((line) => line.includes('pruned'))).toHaveLength(3);
    expect(await gari('delete', [gateway()])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await gari('delete', [gateway()], '--binding-name', 'gari-absent')).toMatchObject({
      ...{ exitCode: 0, stdout: '', stderr: '' },
    });
    expect(await mine()).toEqual([]);
  });

  it('leaves no trace in a binding that has no subjects', async () => {
    const { client } = sharedCluster();
    const name = `${binding}-empty`;
    for (const object of dataPlaneRbac(name)) await client.apply(object);
    const own = bindingPath.replace(binding, name);
    try {
      await client.apply(gateway());
      await apply([gateway()], '--binding-name', name);
      await gari('delete', [gateway()], '--binding-name', name);
      const before = await raw(own);
      expect(before).not.toContain('subjects');
      const again = await gari('delete', [gateway()], '--binding-name', name);
      expect(again.stdout).toContain(`${name} unchanged`);
      expect(await raw(own)).toBe(before);
    } finally {
      await client.delete(own);
    }
  });

  it.each([
    [
      'a Gateway that is not in the cluster',
      [],
      'is not in the cluster; apply it first, with kubectl or --with-gateways',
    ],
    [
      'no kubeconfig',
      ['--kubeconfig', '/nowhere/config'],
      'error: the kubeconfig /nowhere/config cannot be read',
    ],
    ['no such context', ['--context', 'nowhere'], 'error: the kubeconfig has no context "nowhere"'],
  ])('says of %s what is wrong', async (_, flags, message) => {
    const { exitCode, stdout, stderr } = await apply([gateway('absent')], ...flags);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('says which right is missing, and where', async () => {
    const cluster = sharedCluster();
    await cluster.client.apply(gateway());
    await cluster.client.create({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'nobody', namespace },
    });
    const kubeconfig = await serviceAccountKubeconfig(cluster, namespace, 'nobody');
    const { exitCode, stderr } = await apply([gateway()], '--kubeconfig', kubeconfig);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `${UNREADABLE_CLASS}\nerror: gateway.gateway.networking.k8s.io/web failed in ${namespace}: no right to get gateways.gateway.networking.k8s.io web in namespace ${namespace}\n`,
    );
  });

  it('says that a token is not taken', async () => {
    const cluster = sharedCluster();
    const config = join(directory, 'expired');
    const text = readFileSync(cluster.kubeconfig, 'utf8').replaceAll(cluster.token, 'expired');
    writeFileSync(config, text);
    const { exitCode, stderr } = await apply([gateway()], '--kubeconfig', config);
    expect([exitCode, stderr]).toEqual([
      1,
      'error: the server does not take the credentials; they may have expired\n',
    ]);
  });

  it('says that the namespace is not there', async () => {
    const { exitCode, stderr } = await apply([
      { ...gateway(), metadata: { name: 'web', namespace: 'not-there' } },
    ]);
    expect([exitCode, stderr]).toEqual([
      1,
      'error: gateway.gateway.networking.k8s.io/web failed in not-there: it is not in the cluster; apply it first, with kubectl or --with-gateways\n',
    ]);
  });

  it('says that the namespace is being deleted, and finishes nothing by halves', async () => {
    const { client } = sharedCluster();
    // Its own finalizer keeps the Gateway, and so the namespace.
    const held = { ...gateway(), metadata: { ...gateway().metadata, finalizers: ['example.com/hold'] } };
    await client.apply(held);
    await client.delete(`/api/v1/namespaces/${namespace}`);
    const release = { body: { metadata: { finalizers: null } }, contentType: 'application/merge-patch+json' };
    const gatewayPath = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways/web`;
    try {
      const { exitCode, stderr } = await apply([gateway()]);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/is being deleted/);
      expect(await mine()).toEqual([]);
      expect(await apply([gateway('new')], '--with-gateways')).toMatchObject({
        ...{ exitCode: 1, stdout: '' },
        stderr: `error: gateway.gateway.networking.k8s.io/new failed in ${namespace}: namespace ${namespace} is being deleted\n`,
      });
    } finally {
      await client.request('PATCH', gatewayPath, release);
    }
  });

  it('says that a server cannot be reached', async () => {
    const config = join(directory, 'unreachable');
    writeFileSync(
      config,
      formatYaml({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'x', cluster: { server: 'https://127.0.0.1:1' } }],
        contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
        users: [{ name: 'x', user: { token: 'x' } }],
        'current-context': 'x',
      }),
    );
    const { exitCode, stderr } = await apply([gateway()], '--kubeconfig', config);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: https:\/\/127\.0\.0\.1:1 cannot be reached: .+\n$/);
  });

  it('says that the binding is to another role, and gives nobody its rights', async () => {
    const { client } = sharedCluster();
    const name = `${binding}-foreign`;
    const own = bindingPath.replace(binding, name);
    const [, rbac] = dataPlaneRbac(name);
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
    await client.create({ ...rbac, roleRef });
    try {
      await client.apply(gateway());
      const before = await raw(own);
      const { exitCode, stderr } = await apply([gateway()], '--binding-name', name);
      expect(exitCode).toBe(1);
      expect(stderr).toBe(
        `error: clusterrolebinding.rbac.authorization.k8s.io/${name} conflict: it binds ClusterRole cluster-admin, not ClusterRole gari-dataplane; choose another with --binding-name\n`,
      );
      expect(await raw(own)).toBe(before);
    } finally {
      await client.delete(own);
    }
  });

  it('says that the binding is not there, and applies the rest', async () => {
    await sharedCluster().client.apply(gateway());
    const { exitCode, stderr } = await apply([gateway()], '--binding-name', 'gari-absent');
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'error: clusterrolebinding.rbac.authorization.k8s.io/gari-absent failed: it is not there; gari install --only=data-plane-rbac prints it\n',
    );
    expect((await sharedCluster().client.request('GET', path('services'))).status).toBe(200);
  });
});
