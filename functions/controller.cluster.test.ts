// The built controller as a process of its own, installed as `gari install` prints it, with its own ServiceAccount.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import type { Cluster } from '../test/cluster/cluster.ts';
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
async function install(cluster: SharedCluster | Cluster, more: readonly string[] = []) {
  const id = `gari-${randomBytes(4).toString('hex')}`;
  const names = [`--namespace=${id}`, `--binding-name=${id}`, `--class-name=${id}`];
  const { stdout: manifests } = await gari('install', ...names, `--controller-name=gari.dev/${id}`, ...more);
  const applied = await kubectl(cluster, ['apply', '--validate=strict', '-f', '-'], { input: manifests });
  expect(applied.stderr).toBe('');
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
  const pod = await cluster.client.get<{
    spec: { template: { spec: { containers: { args: string[] }[] } } };
  }>(`/apis/apps/v1/namespaces/${id}/deployments/gari-controller`);
  const { args = [] } = pod.spec.template.spec.containers[0] ?? {};
  return {
    id,
    kubeconfig: await serviceAccountKubeconfig(cluster, id, 'gari-controller'),
    args: args.map((arg) => arg.replace('$(POD_NAMESPACE)', id)),
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

describeCluster(
  'gari controller',
  ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'],
  () => {
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
  },
);

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
