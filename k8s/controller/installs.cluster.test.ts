// Installs side by side, other controllers' Gateways, what is left, and an install for some namespaces only.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { auditEvents, auditMark } from '../../test/cluster/audit.ts';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { namespaceRules } from '../install/controller-rbac.ts';
import type { LiveObject } from '../live-object.ts';
import {
  becomes,
  gatewayOf,
  gatewayPath,
  startController,
  type TestInstall,
  testInstall,
} from './test-controller.ts';

const PARTS = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;
const READS = ['get', 'list', 'watch'];

const writesOf = async ({ username }: TestInstall, since: number): Promise<string[]> =>
  (await auditEvents(sharedCluster(), since))
    .filter(({ user, verb }) => user.username === username && !READS.includes(verb))
    .map(({ verb, requestURI }) => `${verb} ${requestURI}`);

const child = (namespace: string, plural: string, name = 'web') =>
  `${plural === 'deployments' ? '/apis/apps/v1' : '/api/v1'}/namespaces/${namespace}/${plural}/${name}-gari`;

const isGone = async (path: string): Promise<boolean> =>
  (await sharedCluster().client.request('GET', path)).status === 404;

const subjectsOf = async ({ bindingName }: TestInstall): Promise<readonly string[]> => {
  const rbac = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${bindingName}`;
  return ((await sharedCluster().client.get<LiveObject>(rbac)).subjects ?? []).map(({ name }) => name);
};

describeCluster('installs', PARTS, () => {
  it('live side by side, and take over a Gateway whose class changes', async () => {
    const { client } = sharedCluster();
    const [a, b] = [await testInstall(), await testInstall()];
    const namespace = await testNamespace();
    await Promise.all([startController(a), startController(b)]);
    await client.apply(gatewayOf(a, namespace, 'of-a'));
    await client.apply(gatewayOf(b, namespace, 'of-b'));
    await becomes(gatewayPath(namespace, 'of-a'), 'Programmed', 'True');
    await becomes(gatewayPath(namespace, 'of-b'), 'Programmed', 'True');
    await becomes(
      gatewayPath(namespace, 'of-b'),
      'Accepted',
      `True Accepted: claimed by ${b.options.controllerName}`,
    );
    expect([await subjectsOf(a), await subjectsOf(b)]).toEqual([['of-a-gari'], ['of-b-gari']]);

    await client.apply(gatewayOf(b, namespace, 'of-a'));
    await becomes(
      gatewayPath(namespace, 'of-a'),
      'Accepted',
      `True Accepted: claimed by ${b.options.controllerName}`,
    );
    await becomes(gatewayPath(namespace, 'of-a'), 'Programmed', 'True');
    await eventually('the subject to move', async () => (await subjectsOf(a)).length === 0);
    expect(await subjectsOf(b)).toEqual(['of-a-gari', 'of-b-gari']);
  });

  it('write nothing for Gateways of others, and take away what a change of class leaves', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const install = await testInstall();
    const namespace = await testNamespace();
    await startController(install);
    const other = { ...install, className: 'of-somebody-else' };
    const mark = await auditMark(cluster);
    for (let n = 0; n < 100; n++) await client.apply(gatewayOf(other, namespace, `other-${n}`));
    await delay(2_000);
    expect(await writesOf(install, mark)).toEqual([]);

    await client.apply(gatewayOf(install, namespace));
    await becomes(gatewayPath(namespace), 'Programmed', 'True');
    await client.apply(gatewayOf(other, namespace));
    for (const plural of ['serviceaccounts', 'deployments', 'services']) {
      await eventually(`no ${plural}`, () => isGone(child(namespace, plural)));
    }
    await eventually('no subject', async () => (await subjectsOf(install)).length === 0);
  });

  it('sweep what nobody else would take away, and nothing else', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    const first = await startController(install);
    await client.apply(gatewayOf(install, namespace));
    await becomes(gatewayPath(namespace), 'Programmed', 'True');
    await first.stop();
    // What a GitOps tool has applied before its Gateway is there.
    const { metadata, spec } = await client.get<LiveObject & { spec: object }>(child(namespace, 'services'));
    const service = { apiVersion: 'v1', kind: 'Service' };
    await client.apply({
      ...service,
      metadata: {
        name: 'early-gari',
        namespace,
        labels: { ...metadata.labels, 'gateway.networking.k8s.io/gateway-name': 'early' },
        annotations: { 'gari.dev/gateway': `${namespace}/early` },
      },
      spec: { ports: (spec as { ports: readonly { port: number }[] }).ports.map(({ port }) => ({ port })) },
    });
    await client.delete(gatewayPath(namespace), { propagationPolicy: 'Orphan' });
    await eventually('the Gateway to go', () => isGone(gatewayPath(namespace)));
    expect(await subjectsOf(install)).toEqual(['web-gari']);
    await startController(install);
    for (const plural of ['serviceaccounts', 'deployments', 'services']) {
      await eventually(`no ${plural}`, () => isGone(child(namespace, plural)));
    }
    await eventually('no subject', async () => (await subjectsOf(install)).length === 0);
    expect(await isGone(child(namespace, 'services', 'early'))).toBe(false);
  });

  it('restart without a write, and leave alone what has left their scope', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const install = await testInstall();
    const namespace = await testNamespace();
    const first = await startController(install);
    await client.apply(gatewayOf(install, namespace));
    await becomes(gatewayPath(namespace), 'Programmed', 'True');
    await first.stop();
    const versions = async () =>
      Promise.all(
        [
          gatewayPath(namespace),
          ...['serviceaccounts', 'deployments', 'services'].map((each) => child(namespace, each)),
        ].map(async (path) => (await client.get(path)).metadata.resourceVersion),
      );
    const before = await versions();
    const second = await startController(install);
    await delay(2_000);
    expect(await versions()).toEqual(before);
    await second.stop();

    const mark = await auditMark(cluster);
    await startController({ ...install, options: { ...install.options, classNames: ['another'] } });
    await delay(2_000);
    expect(await writesOf(install, mark)).toEqual([]);
    expect(await versions()).toEqual(before);
    expect(await subjectsOf(install)).toEqual(['web-gari']);
  });

  it('see nothing outside of the namespaces that they are for', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const namespaces = [await testNamespace(), await testNamespace()];
    const outside = await testNamespace();
    const install = await testInstall({ namespaces });
    // Instead of the ClusterRole: Roles, in these namespaces alone.
    const group = '/apis/rbac.authorization.k8s.io/v1';
    await client.delete(`${group}/clusterrolebindings/${install.bindingName}-controller`);
    const [, , home, name] = install.username.split(':');
    const account = { kind: 'ServiceAccount', name, namespace: home };
    for (const namespace of namespaces) {
      const role = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'gari', namespace } };
      await client.apply({
        ...role,
        kind: 'Role',
        rules: namespaceRules().map(({ purpose: _, ...rule }) => rule),
      });
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'gari' };
      await client.apply({ ...role, kind: 'RoleBinding', roleRef, subjects: [account] });
    }
    const mark = await auditMark(cluster);
    await startController(install);
    for (const namespace of [...namespaces, outside]) await client.apply(gatewayOf(install, namespace));
    for (const namespace of namespaces) await becomes(gatewayPath(namespace), 'Programmed', 'True');
    const requests = (await auditEvents(cluster, mark)).filter(
      ({ user }) => user.username === install.username,
    );
    expect(requests.filter(({ objectRef }) => !namespaces.includes(objectRef?.namespace ?? ''))).toEqual([]);
    expect(requests.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
    expect(await isGone(child(outside, 'services'))).toBe(true);
  });
});
