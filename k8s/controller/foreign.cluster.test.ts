// Objects of others where a Gateway's own should be.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { auditEvents, auditMark } from '../../test/cluster/audit.ts';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import type { LiveObject } from '../live-object.ts';
import { becomes, gatewayOf, gatewayPath, startController, testInstall } from './test-controller.ts';

const PARTS = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;
const SILENCE_MS = 20_000;
const MANY = 50;

const FOREIGN = {
  ServiceAccount: { apiVersion: 'v1', kind: 'ServiceAccount' },
  Service: { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 80 }] } },
  Deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: {
      replicas: 0,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  },
} as const;
const KINDS = Object.keys(FOREIGN) as (keyof typeof FOREIGN)[];

describeCluster('a foreign object in the way', PARTS, () => {
  it('is named, left as it is, asked for no more, and waited for', { timeout: 120_000 }, async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const install = await testInstall();
    const namespace = await testNamespace();
    const blocked = KINDS.map((kind) => ({ kind, gateway: kind.toLowerCase() }));
    const many = Array.from({ length: MANY }, (_, n) => ({ kind: 'Service' as const, gateway: `many-${n}` }));
    const all = [...blocked, ...many];
    const pathOfForeign = ({ kind, gateway }: (typeof all)[number]) =>
      client.pathOf({ ...FOREIGN[kind], metadata: { name: `${gateway}-gari`, namespace } });
    for (const { kind, gateway } of all) {
      await client.create({ ...FOREIGN[kind], metadata: { name: `${gateway}-gari`, namespace } });
    }
    await eventually('the Deployment to be observed', async () => {
      const { status } = await client.get<LiveObject>(
        await pathOfForeign({ kind: 'Deployment', gateway: 'deployment' }),
      );
      return status?.observedGeneration !== undefined;
    });
    const bytes = async () =>
      Promise.all(all.map(async (each) => JSON.stringify(await client.get(await pathOfForeign(each)))));
    const before = await bytes();
    await startController(install);
    for (const { gateway } of all) await client.apply(gatewayOf(install, namespace, gateway));
    for (const { kind, gateway } of all) {
      const text = `False ResourceConflict: ${kind} ${namespace}/${gateway}-gari is there and is not gari's`;
      await becomes(gatewayPath(namespace, gateway), 'Programmed', text);
    }
    // The other objects are Available and have their addresses after a while; then there is nothing to do.
    await delay(3_000);
    const mark = await auditMark(cluster);
    await delay(SILENCE_MS);
    const requests = (await auditEvents(cluster, mark)).filter(
      ({ user, objectRef }) => user.username === install.username && objectRef?.namespace === namespace,
    );
    expect(requests.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
    expect(await bytes()).toEqual(before);
    const rbac = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${install.bindingName}`;
    const subjects = async () =>
      ((await client.get<LiveObject>(rbac)).subjects ?? []).map(({ name }) => name);
    expect(await subjects()).not.toContain('serviceaccount-gari');
    // Its pods would have run as somebody else.
    const deployment = `/apis/apps/v1/namespaces/${namespace}/deployments/serviceaccount-gari`;
    expect((await client.request('GET', deployment)).status).toBe(404);

    for (const each of blocked) await client.delete(await pathOfForeign(each));
    for (const { gateway } of blocked) await becomes(gatewayPath(namespace, gateway), 'Programmed', 'True');
    expect(await subjects()).toContain('serviceaccount-gari');
  });
});
