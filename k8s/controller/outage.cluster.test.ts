// A controller whose API server is away, forgetful, silent, overloaded or broken.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Cluster } from '../../test/cluster/cluster.ts';
import { writeKubeconfig } from '../../test/cluster/credentials.ts';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, ownCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { holdingProxy } from '../../test/holding-proxy.ts';
import { networkLink } from '../../test/network-link.ts';
import { dataPlaneRbac } from '../data-plane-rbac.ts';
import type { LiveObject } from '../live-object.ts';
import type { ControllerOptions } from './options.ts';
import { becomes, gatewayOf, gatewayPath, startController, testInstall } from './test-controller.ts';

const OUTAGE_MS = 30_000;
const CHILDREN = ['/api/v1 serviceaccounts', '/apis/apps/v1 deployments', '/api/v1 services'] as const;

const OPTIONS: ControllerOptions = {
  controllerName: 'gari.dev/gateway-controller',
  classNames: ['gari'],
  image: 'gari-dataplane:v0.1.0',
  bindingName: 'gari-dataplane',
  status: 'infrastructure',
  maxUnavailableGateways: '100%',
  dryRun: false,
};

/** A cluster in which nobody but gari does anything, and what a test asks and tells it. */
function playground({ client }: Cluster) {
  const set = (name: string, team = 'a') =>
    client.apply(
      gatewayOf({ className: 'gari' }, 'default', name, { infrastructure: { labels: { team } } }),
      { force: true },
    );
  const children = async () => {
    const lists = CHILDREN.map(async (kind) => {
      const [group, plural] = kind.split(' ');
      const path = `${group}/namespaces/default/${plural}`;
      return client.list<LiveObject>(path, { labelSelector: 'gari.dev/component=dataplane' });
    });
    return (await Promise.all(lists)).flat();
  };
  /** Whether just these Gateways have children and rights, with these labels. */
  const isProvided = async (expected: Readonly<Record<string, string>>) => {
    const { subjects = [] } = await client.get<LiveObject>(
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/gari-dataplane',
    );
    const names = Object.keys(expected).map((name) => `${name}-gari`);
    if (subjects.map(({ name }) => name).join() !== names.sort().join()) return false;
    const there = await children();
    return Object.entries(expected).every(
      ([name, team]) =>
        there.filter(({ metadata }) => metadata.name === `${name}-gari` && metadata.labels?.team === team)
          .length === CHILDREN.length,
    );
  };
  const uids = async (...names: readonly string[]) =>
    (await children())
      .filter(({ metadata }) => names.includes(metadata.name.replace(/-gari$/, '')))
      .map(({ metadata: { uid } }) => uid)
      .sort();
  return { set, isProvided, uids, remove: (name: string) => client.delete(gatewayPath('default', name)) };
}

describeCluster('a controller', ['gateway-api'], () => {
  it('goes on after an API server that was down, forgot what has been, and fell silent', async () => {
    const cluster = await ownCluster({ parts: ['gateway-api'] });
    const link = await networkLink(cluster);
    for (const object of dataPlaneRbac('gari-dataplane')) await cluster.client.apply(object, { force: true });
    const { set, remove, isProvided, uids } = playground(cluster);
    for (const name of ['g0', 'g1', 'g2', 'g3']) await set(name);
    const file = join(cluster.directory, 'link.kubeconfig');
    const kubeconfig = writeKubeconfig(file, { ...cluster, server: link.server });
    const timing = { idleMs: 5_000, longestRetryMs: 2_000 };
    await startController({ kubeconfig, options: OPTIONS }, { timing, timeoutMs: 5_000 });
    await eventually('all to be provided', () => isProvided({ g0: 'a', g1: 'a', g2: 'a', g3: 'a' }));
    const before = await uids('g0', 'g3');

    // Down: what changes right afterwards, before the controller is back, is not lost.
    await cluster.stopApiServer('SIGKILL');
    await delay(OUTAGE_MS);
    await cluster.startApiServer();
    await Promise.all([set('g0', 'b'), remove('g1'), set('g4')]);
    const patience = { timeoutMs: 60_000 };
    await eventually(
      'the changes after the outage',
      () => isProvided({ g0: 'b', g2: 'a', g3: 'a', g4: 'a' }),
      patience,
    );

    // Cut off, and when it is back nobody knows any more what has been meanwhile: 410.
    link.cut();
    await Promise.all([set('g0', 'c'), remove('g2'), set('g5')]);
    await cluster.stopApiServer();
    await cluster.compact();
    await cluster.startApiServer();
    link.restore();
    await eventually(
      'the changes that were forgotten',
      () => isProvided({ g0: 'c', g3: 'a', g4: 'a', g5: 'a' }),
      patience,
    );

    // A way that carries nothing any more looks like a quiet cluster.
    link.silence();
    await Promise.all([set('g0', 'd'), set('g6')]);
    link.restore();
    await eventually(
      'the changes in silence',
      () => isProvided({ g0: 'd', g3: 'a', g4: 'a', g5: 'a', g6: 'a' }),
      patience,
    );
    // Nothing was taken for gone, and made anew, in all that time.
    expect(await uids('g0', 'g3')).toEqual(before);
  }, 300_000);
});

describeCluster(
  'a controller whose requests are refused',
  ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'],
  () => {
    it('waits out a storm of 429, and serves the others while one object meets a 500', async () => {
      const { client } = sharedCluster();
      const install = await testInstall();
      const namespace = await testNamespace();
      let isStorm = true;
      let isBroken = true;
      let refusals = 0;
      const { kubeconfig } = await holdingProxy(
        sharedCluster(),
        () => undefined,
        () => false,
        ({ method, path }) => {
          if (isBroken && method === 'PATCH' && path.endsWith('/deployments/broken-gari')) {
            return { code: 500, message: 'Internal error occurred: the disk is on fire' };
          }
          // Who is asked not to come so often is let in later; who follows is not sent away.
          if (!isStorm || method === 'GET') return undefined;
          refusals++;
          return { code: 429, message: 'too many requests', retryAfter: 1 };
        },
      );
      await startController({ ...install, kubeconfig }, { timing: { longestRetryMs: 2_000 } });
      for (const name of ['broken', 'web', 'api']) await client.apply(gatewayOf(install, namespace, name));
      await eventually('a storm', () => refusals >= 12);
      isStorm = false;
      for (const name of ['web', 'api']) {
        await becomes(gatewayPath(namespace, name), 'Programmed', 'True Programmed');
      }
      await becomes(
        gatewayPath(namespace, 'broken'),
        'Programmed',
        /^False Pending: tried again: Deployment broken-gari: .*the disk is on fire/,
      );
      const added = gatewayOf(install, namespace, 'added');
      await client.apply(added);
      await becomes(gatewayPath(namespace, 'added'), 'Programmed', 'True Programmed');
      isBroken = false;
      await becomes(gatewayPath(namespace, 'broken'), 'Programmed', 'True Programmed');
    }, 120_000);
  },
);
