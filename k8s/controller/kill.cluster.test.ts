// The controller's process, killed when the server has done what it asked for and before it hears of that.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { loadAll } from 'js-yaml';
import { expect, it, onTestFinished } from 'vitest';
import { isJsonObject, type JsonObject } from '../../render/json.ts';
import { compareText } from '../../render/normalize.ts';
import { eventually } from '../../test/cluster/eventually.ts';
import { serviceAccountToken } from '../../test/cluster/service-account.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { holdingProxy, type PassingRequest } from '../../test/holding-proxy.ts';
import { ownedPart } from '../../test/owned-part.ts';
import { runGari } from '../../test/run-gari.ts';
import { canonical } from '../canonical.ts';
import { gatewayOf, type TestInstall, testInstall } from './test-controller.ts';

const PARTS = ['gateway-api', 'controller-manager'] as const;
const GATEWAYS = 100;
const TIMES_EACH = 10;
const SEED = 20_261_201;

const POINTS = {
  create: ({ method, path }: PassingRequest, status: number) =>
    method === 'PATCH' && isChild(path) && status === 201,
  update: ({ method, path }: PassingRequest, status: number) =>
    method === 'PATCH' && isChild(path) && status === 200,
  prune: ({ method, path }: PassingRequest) => method === 'DELETE' && isChild(path),
  binding: ({ method, path }: PassingRequest) => method === 'PATCH' && path.includes('/clusterrolebindings/'),
  status: ({ method, path }: PassingRequest) => method === 'PATCH' && path.endsWith('/status'),
} as const;
type Point = keyof typeof POINTS;

function isChild(path: string): boolean {
  return /\/(serviceaccounts|deployments|services)\/[^/]+$/.test(path);
}

const CHILDREN = [
  ['apps/v1', 'Deployment', 'deployments'],
  ['v1', 'Service', 'services'],
  ['v1', 'ServiceAccount', 'serviceaccounts'],
] as const;

/** A number below `limit`, from a seed. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
}

/** Gateways that come, change and go, until `isOver`. */
async function churn(install: TestInstall, namespace: string, isOver: () => boolean): Promise<void> {
  const { client } = sharedCluster();
  const next = random(SEED);
  const other = { ...install, className: 'of-somebody-else' };
  const gateways = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways`;
  while (!isOver()) {
    const name = `g${next(GATEWAYS)}`;
    const spec = {
      listeners: [{ name: 'http', port: 80 + next(5), protocol: 'HTTP' }],
      infrastructure: { labels: { turn: String(next(10)) } },
    };
    const what = next(10);
    if (what === 0) await client.request('DELETE', `${gateways}/${name}`);
    // Its children are to go, and to come again with the next change.
    else await client.apply(gatewayOf(what <= 3 ? other : install, namespace, name, spec), { force: true });
    await delay(10);
  }
}

describeCluster('a controller that is killed again and again', PARTS, () => {
  it('leaves in the end what gari renders, and nothing else', { timeout: 400_000 }, async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const install = await testInstall({ maxUnavailableGateways: '100%' });
    const namespace = await testNamespace();
    const [, , home = '', account = ''] = install.username.split(':');
    const token = await serviceAccountToken(cluster, home, account);

    const foreign = ['g1', 'g2', 'g3'].map((name, n) => {
      const [apiVersion, kind] = CHILDREN[(n % 2) + 1] ?? CHILDREN[1];
      const spec = kind === 'Service' ? { spec: { ports: [{ port: 1 }] } } : {};
      return { apiVersion, kind, metadata: { name: `${name}-gari`, namespace }, ...spec };
    });
    for (const object of foreign) await client.create(object);
    const bytes = async () =>
      Promise.all(foreign.map(async (each) => JSON.stringify(await client.get(await client.pathOf(each)))));
    const before = await bytes();

    let point: Point | undefined;
    let onKill: (() => void) | undefined;
    let child: ChildProcess | undefined;
    const proxy = await holdingProxy(
      { ...cluster, token },
      () => undefined,
      (request, status) => {
        if (point === undefined || !POINTS[point](request, status) || status >= 300) return false;
        point = undefined;
        child?.kill('SIGKILL');
        onKill?.();
        return true;
      },
    );
    const start = (): void => {
      const { className, bindingName, options } = install;
      const flags = [
        `--class-name=${className}`,
        `--binding-name=${bindingName}`,
        `--controller-name=${options.controllerName}`,
        '--max-unavailable-gateways=100%',
        ...['--health-port=0', '--metrics-port=0', '--log-level=error'],
      ];
      child = spawn(process.execPath, ['dist/gari.cjs', 'controller', ...flags], {
        env: { ...process.env, KUBECONFIG: proxy.kubeconfig },
        stdio: 'ignore',
      });
    };
    onTestFinished(() => {
      child?.kill('SIGKILL');
    });

    let isOver = false;
    const churning = churn(install, namespace, () => isOver);
    const points = (Object.keys(POINTS) as Point[]).flatMap((each) =>
      Array.from({ length: TIMES_EACH }, () => each),
    );
    const [order = []] = fc.sample(fc.shuffledSubarray(points, { minLength: points.length }), {
      seed: SEED,
      numRuns: 1,
    });
    for (const [n, next] of order.entries()) {
      const killed = new Promise<void>((resolve) => {
        onKill = resolve;
      });
      // Not always the first request of its kind.
      start();
      await delay(random(SEED + n)(300));
      point = next;
      const late = delay(60_000).then(() => Promise.reject(new Error(`no ${next} within 60 s (kill ${n})`)));
      await Promise.race([killed, late]);
    }
    isOver = true;
    await churning;
    start();

    const compare = async (): Promise<void> => {
      const gateways = await client.list<JsonObject>(
        `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways`,
      );
      const whole = gateways.map((gateway) => ({
        ...gateway,
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'Gateway',
      }));
      const { stdout, stderr } = await runGari('render', whole, `--class-name=${install.className}`);
      if (stdout === '') throw new Error(stderr);
      const isForeign = ({ kind, metadata: { name } }: { kind: string; metadata: { name: string } }) =>
        foreign.some(
          (each) =>
            each.metadata.name === name &&
            (each.kind === kind || (kind === 'Deployment' && each.kind === 'ServiceAccount')),
        );
      const rendered = (loadAll(stdout) as { kind: string; metadata: { name: string } }[])
        .filter(({ kind }) => kind !== 'ClusterRoleBinding')
        .filter((object) => !isForeign(object))
        .map((object) => [`${object.kind} ${object.metadata.name}`, object] as const);
      const live = (
        await Promise.all(
          CHILDREN.map(async ([apiVersion, kind, plural]) => {
            const path = `${apiVersion === 'v1' ? '/api/v1' : '/apis/apps/v1'}/namespaces/${namespace}/${plural}`;
            const items = await client.list<JsonObject>(path, {
              labelSelector: 'gari.dev/component=dataplane',
            });
            return items.map(
              (item) => [`${kind} ${nameOf(item)}`, projected(item, apiVersion, kind)] as const,
            );
          }),
        )
      ).flat();
      expect(inOrder(Object.fromEntries(live))).toEqual(inOrder(Object.fromEntries(rendered)));
      const binding = await client.get<{ subjects?: { name: string }[] }>(
        `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${install.bindingName}`,
      );
      const accounts = rendered.filter(([, { kind }]) => kind === 'ServiceAccount');
      const names = accounts.map(([, { metadata }]) => metadata.name).sort();
      expect((binding.subjects ?? []).map(({ name }) => name)).toEqual(names);
    };
    let last: unknown;
    await eventually(
      'the cluster to be what gari renders',
      () =>
        compare().then(
          () => true,
          (error) => {
            last = error;
            return false;
          },
        ),
      { timeoutMs: 60_000, intervalMs: 2_000 },
    ).catch(() => {
      throw last;
    });
    expect(await bytes()).toEqual(before);
  });
});

function nameOf({ metadata }: JsonObject): string {
  return isJsonObject(metadata) ? String(metadata.name) : '';
}

/** With the items of lists in an order of their own: that of associative lists says nothing. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.some(isJsonObject) ? items.sort((a, b) => compareText(text(a), text(b))) : items;
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inOrder(each)]));
}

function text(value: unknown): string {
  return canonical(value as JsonObject);
}

/** What gari owns of an object, without the owner, which only a cluster knows. */
function projected(object: JsonObject, apiVersion: string, kind: string): JsonObject {
  const { metadata } = object as {
    metadata: {
      managedFields: { manager: string; operation: string; fieldsV1: JsonObject }[];
      name: string;
      namespace: string;
    };
  };
  const own = metadata.managedFields.filter(
    ({ manager, operation }) => manager === 'gari' && operation === 'Apply',
  );
  const part = ownedPart(
    object,
    own.map(({ fieldsV1 }) => fieldsV1),
  ) as { metadata?: JsonObject };
  const { ownerReferences: _, ...rest } = part.metadata ?? {};
  const { name, namespace } = metadata;
  return { ...part, apiVersion, kind, metadata: { ...rest, name, namespace } };
}
