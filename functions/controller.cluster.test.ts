// The built controller as a process of its own, installed as `gari install` prints it, with its own ServiceAccount.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { auditEvents, auditMark } from '../test/cluster/audit.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { kubectl } from '../test/cluster/kubectl.ts';
import { freePorts } from '../test/cluster/ports.ts';
import { serviceAccountKubeconfig } from '../test/cluster/service-account.ts';
import {
  describeCluster,
  ownCluster,
  type SharedCluster,
  sharedCluster,
  testNamespace,
} from '../test/cluster/vitest.ts';
import { gari } from '../test/run-gari.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly error?: string;
}

/** Installs under names of its own; returns the account's kubeconfig and the arguments of the pod. */
async function install(cluster: SharedCluster) {
  const id = `gari-${randomBytes(4).toString('hex')}`;
  const names = [`--namespace=${id}`, `--binding-name=${id}`, `--class-name=${id}`];
  const { stdout: manifests } = await gari('install', ...names, `--controller-name=gari.dev/${id}`);
  const applied = await kubectl(cluster, ['apply', '--validate=strict', '-f', '-'], { input: manifests });
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  onTestFinished(async () => {
    const flags = ['--wait=false', '--ignore-not-found', '-f', '-'];
    // The role of all data planes stays: other tests have it too.
    const own = manifests.replace(
      /kind: ClusterRole\nmetadata:\n {2}name: gari-dataplane\n/,
      '$&unused: 1\n',
    );
    await kubectl(cluster, ['delete', ...flags], {
      input: own
        .split('---\n')
        .filter((text) => !text.includes('unused: 1'))
        .join('---\n'),
    });
  });
  return { id, ...(await podOf(cluster, id)) };
}

/** As whom and how the controller's pods in a namespace run. */
async function podOf(cluster: SharedCluster, namespace: string) {
  const { spec } = await cluster.client.get<{
    spec: { template: { spec: { containers: { args: string[] }[] } } };
  }>(`/apis/apps/v1/namespaces/${namespace}/deployments/gari-controller`);
  const { args = [] } = spec.template.spec.containers[0] ?? {};
  return {
    kubeconfig: await serviceAccountKubeconfig(cluster, namespace, 'gari-controller'),
    args: args.map((arg) => arg.replace('$(POD_NAMESPACE)', namespace)),
  };
}

/** The process of a controller, and what it logs. */
async function controller({ kubeconfig, args }: { kubeconfig: string; args: readonly string[] }) {
  const [health = 0, metrics = 0] = await freePorts(2);
  const child = spawn(
    process.execPath,
    ['dist/gari.cjs', ...args, `--health-port=${health}`, `--metrics-port=${metrics}`],
    { env: { ...process.env, KUBECONFIG: kubeconfig }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines: Line[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  const get = async (port: number, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  return {
    child,
    lines,
    exit: exitOf(child),
    probe: (path: string) => get(health, path),
    metrics: async () => (await get(metrics, '/metrics')).text,
    says: (msg: string) =>
      eventually(`it says ${msg}`, () => lines.find((line) => line.msg === msg), {
        giveUp: () => (child.exitCode === null ? undefined : JSON.stringify(lines)),
      }),
  };
}

function exitOf(child: ChildProcess): Promise<number | string | null> {
  return new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)));
}

function gateway(className: string, namespace: string) {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace },
    spec: { gatewayClassName: className, listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
  };
}

interface Conditioned {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const programmed = (namespace: string) =>
  eventually('the Gateway is programmed', async () => {
    const path = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways/web`;
    const { status } = await sharedCluster().client.get<Conditioned>(path);
    return status?.conditions?.some((each) => each.type === 'Programmed' && each.status === 'True');
  });

const PARTS = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;

describeCluster('gari controller', PARTS, () => {
  it('works as one of two replicas, and hands over when it is told to end', async () => {
    const cluster = sharedCluster();
    const setup = await install(cluster);
    const first = await controller(setup);
    await first.says('all is read, the work begins');
    const second = await controller(setup);
    await eventually('the second one is ready', async () => (await second.probe('/readyz')).status === 200);
    expect((await second.probe('/readyz')).text).toBe(
      `[+]leases.coordination.k8s.io in namespace ${setup.id} ok\nok\n`,
    );
    expect((await first.probe('/readyz')).text).toContain('[+]gateways.gateway.networking.k8s.io ok\n');
    expect(await first.probe('/healthz')).toMatchObject({ status: 200 });
    expect(await first.metrics()).toContain('leader_election_master_status{name="gari-controller"} 1\n');
    expect(await second.metrics()).toContain('leader_election_master_status{name="gari-controller"} 0\n');

    const namespace = await testNamespace();
    await cluster.client.create(gateway(setup.id, namespace));
    await programmed(namespace);
    expect(await first.metrics()).toMatch(
      /controller_runtime_reconcile_total\{controller="gateway",result="success"\} [1-9]/,
    );
    expect(await first.metrics()).toMatch(
      /workqueue_adds_total\{name="gateway",controller="gateway"\} [1-9]/,
    );
    expect(await first.metrics()).toMatch(
      /rest_client_requests_total\{code="201",method="PATCH",host="[^"]+"\} 3\n/,
    );
    const described = await kubectl(cluster, ['describe', 'gateway', 'web', '-n', namespace]);
    expect(described.stdout).toMatch(/Events:[\s\S]*Programmed/);

    first.child.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    await second.says('leading');
    await second.says('all is read, the work begins');
    second.child.kill('SIGTERM');
    expect(await second.exit).toBe(0);
  });
});

describeCluster('gari controller for some namespaces', PARTS, () => {
  it('is installed and works with Roles there alone, and asks for nothing outside of them', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const [a, b, elsewhere] = [await testNamespace(), await testNamespace(), await testNamespace()];
    // Who installs it may do all in two namespaces, and nothing else.
    const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'tenant' };
    await client.create({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'tenant', namespace: a },
    });
    for (const namespace of [a, b]) {
      const metadata = { name: 'tenant', namespace };
      const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
      const subjects = [{ kind: 'ServiceAccount', name: 'tenant', namespace: a }];
      await client.create({ ...rbac, kind: 'Role', metadata, rules });
      await client.create({ ...rbac, kind: 'RoleBinding', metadata, roleRef, subjects });
    }
    const { stdout } = await gari('install', `--namespaces=${a},${b}`, '--class-name=scoped');
    const kubeconfig = await serviceAccountKubeconfig(cluster, a, 'tenant');
    const applied = await kubectl(cluster, ['apply', '-f', '-'], { input: stdout, kubeconfig });
    expect(applied).toMatchObject({ code: 0, stderr: '' });

    const mark = await auditMark(cluster);
    const process = await controller(await podOf(cluster, a));
    await process.says('all is read, the work begins');
    for (const namespace of [a, b, elsewhere]) await client.create(gateway('scoped', namespace));
    await programmed(a);
    await programmed(b);
    process.child.kill('SIGTERM');
    expect(await process.exit).toBe(0);

    const user = `system:serviceaccount:${a}:gari-controller`;
    const requests = (await auditEvents(cluster, mark)).filter((event) => event.user.username === user);
    const inside = new RegExp(`/namespaces/(${a}|${b})/`);
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.map(({ requestURI }) => requestURI).filter((uri) => !inside.test(uri))).toEqual([]);
    expect(requests.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
    // The data plane may read its own namespace, and no other.
    const mayRead = async (namespace: string) => {
      const who = `--as=system:serviceaccount:${a}:web-gari`;
      const asked = await kubectl(cluster, ['auth', 'can-i', 'list', 'secrets', '-n', namespace, who]);
      return asked.stdout.trim();
    };
    expect([await mayRead(a), await mayRead(b)]).toEqual(['yes', 'no']);
  });
});

describeCluster('gari controller in a cluster without the Gateway API', [], () => {
  it('says at the start what is missing', async () => {
    const cluster = await ownCluster({ parts: [] });
    const { exit, lines } = await controller({ kubeconfig: cluster.kubeconfig, args: ['controller'] });
    expect(await exit).toBe(1);
    expect(lines.at(-1)).toMatchObject({ level: 'error' });
    expect(lines.at(-1)?.error).toContain('the cluster has no gateways.gateway.networking.k8s.io: install');
    expect(lines.at(-1)?.error).toContain('the cluster has no clusterrolebindings');
  });
});
