import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { auditEvents, auditMark } from '../../test/cluster/audit.ts';
import type { Client, KubeObject } from '../../test/cluster/client.ts';
import { type Cluster, type ClusterInfo, startCluster } from '../../test/cluster/cluster.ts';
import { eventually } from '../../test/cluster/eventually.ts';
import { installManifests } from '../../test/cluster/manifests.ts';
import { serviceAccountToken } from '../../test/cluster/service-account.ts';
import { describeCluster, ownCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { clusterTransport } from '../../test/cluster-transport.ts';
import { networkLink } from '../../test/network-link.ts';
import { ClusterCache, type ClusterCacheOptions, type WatchedResource } from './cluster-cache.ts';
import { ObjectWatches } from './object-watches.ts';
import type { ObjectChange } from './reflector.ts';
import { withoutFieldRecords } from './trim.ts';

const GATEWAY_API = 'gateway.networking.k8s.io';
const LISTENER_SETS = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/listenersets.${GATEWAY_API}`;

const configMaps: WatchedResource = {
  type: { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
  labelSelector: 'gari.dev/test=cache',
  indexes: { colour: ({ metadata: { labels } }) => (labels?.colour === undefined ? [] : [labels.colour]) },
  trim: withoutFieldRecords,
};
const namespaces: WatchedResource = {
  type: { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false },
};
const listenerSets: WatchedResource = {
  type: { group: GATEWAY_API, version: 'v1', plural: 'listenersets', kind: 'ListenerSet', namespaced: true },
  optional: true,
};
const grants: WatchedResource = {
  type: {
    group: GATEWAY_API,
    version: 'v1',
    plural: 'referencegrants',
    kind: 'ReferenceGrant',
    namespaced: true,
  },
  otherVersions: ['v1beta1'],
  optional: true,
};

const TIMING = { firstRetryMs: 50, longestRetryMs: 500, missingMs: 200 };

function nameOf({ before, after }: ObjectChange): string {
  const verb = before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed';
  return `${verb} ${(after ?? before)?.metadata.name}`;
}

/** Follows a cluster for the running test. */
function follow(
  cluster: Pick<ClusterInfo, 'server' | 'ca' | 'token'>,
  resources: readonly WatchedResource[],
  options: Partial<ClusterCacheOptions> = {},
) {
  const changes: string[] = [];
  const cache = new ClusterCache(clusterTransport(cluster), {
    scope: 'cluster',
    resources,
    onChange: (change) => {
      changes.push(nameOf(change));
    },
    timing: TIMING,
    ...options,
  });
  const abort = new AbortController();
  const ended = cache.run(abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await ended;
  });
  const names = (kind = 'ConfigMap') =>
    [...cache.store(kind).list()].map(({ metadata }) => metadata.name).sort();
  return { cache, changes, names };
}

const configMap = (namespace: string, name: string, colour = 'red') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, labels: { 'gari.dev/test': 'cache', colour } },
});

const pathOf = (namespace: string, name: string) => `/api/v1/namespaces/${namespace}/configmaps/${name}`;

/** A ServiceAccount without rights, and its token. */
async function account(namespace: string): Promise<{ readonly token: string; readonly user: string }> {
  await sharedCluster().client.create({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'cache', namespace },
  });
  const token = await serviceAccountToken(sharedCluster(), namespace, 'cache');
  return { token, user: `system:serviceaccount:${namespace}:cache` };
}

/** Gives the ServiceAccount rights in a namespace. */
async function grant(of: string, namespace: string, rule: object): Promise<void> {
  const { client } = sharedCluster();
  const metadata = { name: `cache-${randomBytes(4).toString('hex')}`, namespace };
  const api = 'rbac.authorization.k8s.io';
  await client.create({ apiVersion: `${api}/v1`, kind: 'Role', metadata, rules: [rule] });
  await client.create({
    apiVersion: `${api}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: api, kind: 'Role', name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name: 'cache', namespace: of }],
  });
}

describeCluster('ClusterCache', ['gateway-api'], () => {
  it('reads more than a page, and follows what happens', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const count = 510;
    for (let index = 0; index < count; index += 10) {
      const ten = Array.from({ length: 10 }, (_, each) =>
        client.create(configMap(namespace, `many-${index + each}`)),
      );
      await Promise.all(ten);
    }
    const { cache, changes } = follow(sharedCluster(), [configMaps], { scope: [namespace] });
    await cache.synced;
    const store = cache.store('ConfigMap');
    expect(store.size).toBe(count);
    expect(changes).toHaveLength(count);
    expect(store.get(namespace, 'many-7')).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(store.get(namespace, 'many-7')?.metadata.managedFields).toBeUndefined();

    await client.apply(configMap(namespace, 'many-7', 'blue'), { force: true });
    await client.delete(pathOf(namespace, 'many-8'));
    await client.create(configMap(namespace, 'new', 'blue'));
    await eventually('the changes to be known', () => changes.length === count + 3);
    expect(changes.slice(count)).toEqual(['changed many-7', 'deleted many-8', 'added new']);
    expect(store.by('colour', 'blue').map(({ metadata }) => metadata.name)).toEqual(['many-7', 'new']);
    expect(cache.states()).toEqual([
      { type: configMaps.type, namespace, synced: true, lastContact: expect.any(Number) },
    ]);
  });

  it('asks in a scope of namespaces for nothing outside of them, with Roles alone', async () => {
    const { client } = sharedCluster();
    const [a, b, other] = [await testNamespace(), await testNamespace(), await testNamespace()];
    const { token, user } = await account(a);
    const verbs = ['get', 'list', 'watch'];
    for (const namespace of [a, b]) {
      await grant(a, namespace, { apiGroups: [''], resources: ['configmaps'], verbs });
      await grant(a, namespace, {
        apiGroups: [GATEWAY_API],
        resources: ['listenersets', 'referencegrants'],
        verbs,
      });
    }
    const mark = await auditMark(sharedCluster());
    const resources = [configMaps, namespaces, listenerSets, grants];
    const { cache, names } = follow({ ...sharedCluster(), token }, resources, { scope: [a, b] });
    await cache.synced;
    for (const namespace of [a, b, other]) await client.create(configMap(namespace, `in-${namespace}`));
    await eventually('both to be known', () => names().length === 2);
    expect(names()).toEqual([`in-${a}`, `in-${b}`].sort());
    expect([...cache.store('Namespace').list()]).toEqual([]);
    expect(
      cache
        .states()
        .map(({ type, namespace }) => `${type.kind} ${namespace}`)
        .sort(),
    ).toEqual(
      [a, b].flatMap((each) => [`ConfigMap ${each}`, `ListenerSet ${each}`, `ReferenceGrant ${each}`]).sort(),
    );
    const events = (await auditEvents(sharedCluster(), mark)).filter((event) => event.user.username === user);
    expect(events.length).toBeGreaterThanOrEqual(12);
    expect(new Set(events.map(({ objectRef }) => objectRef?.namespace))).toEqual(new Set([a, b]));
    expect(new Set(events.map(({ responseStatus }) => responseStatus?.code))).toEqual(new Set([200]));
    expect(new Set(events.map(({ verb }) => verb))).toEqual(new Set(['list', 'watch']));
  });

  it('shows that it may not read a kind, and reads it once it may', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const { token, user } = await account(namespace);
    const { cache, names } = follow({ ...sharedCluster(), token }, [configMaps, listenerSets], {
      scope: [namespace],
    });
    const stateOf = (kind: string) => cache.states().find(({ type }) => type.kind === kind);
    await eventually('both to be refused', () =>
      cache.states().every(({ lastError }) => lastError !== undefined),
    );
    expect(stateOf('ConfigMap')).toMatchObject({
      synced: false,
      lastError: `configmaps is forbidden: User "${user}" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
    });
    expect(stateOf('ListenerSet')).toMatchObject({ synced: false });
    await client.create(configMap(namespace, 'hidden'));
    await grant(namespace, namespace, {
      apiGroups: [''],
      resources: ['configmaps'],
      verbs: ['list', 'watch'],
    });
    await eventually('it to be read', () => names().length === 1);
    expect(stateOf('ConfigMap')).toMatchObject({ synced: true });
    expect(stateOf('ConfigMap')).not.toHaveProperty('lastError');
    expect(stateOf('ListenerSet')).toMatchObject({ synced: false });
  });

  it('follows single objects by name, with the right to these alone, until they are released', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const { token, user } = await account(namespace);
    const verbs = ['list', 'watch'];
    await grant(namespace, namespace, {
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: ['it'],
      verbs,
    });
    const mark = await auditMark(sharedCluster());
    const changes: string[] = [];
    const watches = new ObjectWatches(clusterTransport({ ...sharedCluster(), token }), {
      onChange: (change) => {
        changes.push(nameOf(change));
      },
      timing: TIMING,
    });
    onTestFinished(() => watches.close());
    const one = watches.watch(configMaps.type, namespace, 'it');
    const two = watches.watch(configMaps.type, namespace, 'it');
    expect([one.isSynced, one.current]).toEqual([false, undefined]);
    await one.synced;
    expect([two.isSynced, two.current]).toEqual([true, undefined]);
    await client.create(configMap(namespace, 'another'));
    await client.create(configMap(namespace, 'it'));
    await eventually('it to be known', () => two.current !== undefined);
    one.release();
    one.release();
    await client.delete(pathOf(namespace, 'it'));
    await eventually('it to be gone', () => two.current === undefined);
    expect(changes).toEqual(['added it', 'deleted it']);
    two.release();
    // A watch that ends is written to the audit log a second time.
    await eventually('the watch to end', async () => {
      const events = await auditEvents(sharedCluster(), mark);
      const own = events
        .filter((event) => event.user.username === user)
        .map(({ verb, stage }) => `${verb} ${stage}`);
      expect(own).toEqual(['list ResponseComplete', 'watch ResponseStarted', 'watch ResponseComplete']);
      return true;
    });
    const forbidden = watches.watch(configMaps.type, namespace, 'another');
    await eventually('it to be refused', () => forbidden.lastError?.includes('is forbidden'));
  });
});

describeCluster('ClusterCache', ['gateway-api'], () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({ parts: ['gateway-api'] });
  });
  afterAll(() => cluster?.stop());

  it('runs without a kind that the cluster lacks, and picks it up when it comes and goes', async () => {
    const { client } = cluster;
    const crd = await withoutCrd(client, LISTENER_SETS);
    const { cache, names } = follow(cluster, [listenerSets, namespaces]);
    await cache.synced;
    expect(names('Namespace')).toContain('default');
    expect(cache.states()[0]).toMatchObject({
      synced: true,
      lastError: `the cluster has no listenersets.${GATEWAY_API}`,
    });
    await installManifests(client, [crd]);
    await client.create(listenerSet('one'));
    await eventually('it to be known', () => names('ListenerSet').length === 1);
    expect(cache.states()[0]).not.toHaveProperty('lastError');
    expect(cache.store('ListenerSet').get('default', 'one')?.apiVersion).toBe(`${GATEWAY_API}/v1`);
    await withoutCrd(client, LISTENER_SETS);
    await eventually('it to be gone', () => names('ListenerSet').length === 0);
    await installManifests(client, [crd]);
    await client.create(listenerSet('two'));
    await eventually('the next to be known', () => names('ListenerSet').join() === 'two');
  }, 120_000);

  it('reads ReferenceGrants of v1beta1 where there is no v1, and follows an upgrade', async () => {
    const { client } = cluster;
    const path = LISTENER_SETS.replace('listenersets', 'referencegrants');
    const crd = await withoutCrd(client, path);
    await installManifests(client, [old(crd)]);
    const spec = {
      from: [{ group: GATEWAY_API, kind: 'Gateway', namespace: 'a' }],
      to: [{ group: '', kind: 'Secret' }],
    };
    const metadata = { name: 'one', namespace: 'default' };
    await client.create({ apiVersion: `${GATEWAY_API}/v1beta1`, kind: 'ReferenceGrant', metadata, spec });
    const { cache, names } = follow(cluster, [grants]);
    await cache.synced;
    expect(names('ReferenceGrant')).toEqual(['one']);
    expect(cache.store('ReferenceGrant').get('default', 'one')?.apiVersion).toBe(`${GATEWAY_API}/v1beta1`);
    await installManifests(client, [crd]);
    await client.create({
      apiVersion: `${GATEWAY_API}/v1`,
      kind: 'ReferenceGrant',
      metadata: { ...metadata, name: 'two' },
      spec,
    });
    await eventually('the new one to be known', () => names('ReferenceGrant').join() === 'one,two');
  }, 120_000);
});

describeCluster('ClusterCache', [], () => {
  it('is as the server is after it was killed, cut off, and forgot what has been', async () => {
    const cluster = await ownCluster({ parts: [] });
    const { client } = cluster;
    const link = await networkLink(cluster);
    for (const name of ['kept', 'changed', 'deleted', 'renewed'])
      await client.create(configMap('default', name));
    const { cache, names, changes } = follow({ ...cluster, server: link.server }, [configMaps], {
      timing: { ...TIMING, idleMs: 2_000 },
    });
    await cache.synced;
    changes.length = 0;

    // The process is gone for a while; nobody has to read anything anew.
    await cluster.stopApiServer('SIGKILL');
    await eventually('the loss to be seen', () => cache.states()[0]?.lastError?.includes('reached'));
    await cluster.startApiServer();
    await client.create(configMap('default', 'after-the-crash'));
    await eventually('it to be known', () => names().includes('after-the-crash'));
    expect(changes).toEqual(['added after-the-crash']);
    changes.length = 0;

    // What happens meanwhile is forgotten when the link is there again.
    link.cut();
    await client.apply(configMap('default', 'changed', 'blue'), { force: true });
    await client.delete(pathOf('default', 'deleted'));
    await client.delete(pathOf('default', 'renewed'));
    await client.create(configMap('default', 'renewed'));
    await client.create(configMap('default', 'created'));
    await cluster.stopApiServer();
    await cluster.compact();
    await cluster.startApiServer();
    link.restore();
    await eventually('all to be known', () => changes.length >= 5);
    expect([...changes].sort()).toEqual([
      'added created',
      'added renewed',
      'changed changed',
      'deleted deleted',
      'deleted renewed',
    ]);

    // A way that carries nothing any more looks like a quiet cluster.
    link.silence();
    await client.create(configMap('default', 'in-silence'));
    await eventually('the silence to be noticed', () =>
      cache.states()[0]?.lastError?.includes('no sign of life'),
    );
    link.restore();
    await eventually('it to be known', () => names().includes('in-silence'));
  }, 180_000);
});

/** Deletes a CRD, and gives it as it can be applied again. */
async function withoutCrd(client: Client, path: string): Promise<KubeObject> {
  const { apiVersion, kind, metadata, spec } = await client.get(path);
  const { name, annotations } = metadata;
  await client.delete(path);
  const { group, names } = spec as { group: string; names: { plural: string } };
  await eventually('the kind to be gone', async () => {
    const { status } = await client.request('GET', `/apis/${group}/v1/${names.plural}`);
    return status === 404 && (await client.request('GET', path)).status === 404;
  });
  return { apiVersion, kind, metadata: { name, annotations }, spec };
}

/** A CRD as it was before its v1. */
function old(crd: KubeObject): KubeObject {
  const { versions, ...spec } = crd.spec as { versions: { name: string; storage: boolean }[] };
  const v1beta1 = versions
    .filter(({ name }) => name === 'v1beta1')
    .map((version) => ({ ...version, storage: true }));
  return { ...crd, spec: { ...spec, versions: v1beta1 } };
}

const listenerSet = (name: string) => ({
  apiVersion: `${GATEWAY_API}/v1`,
  kind: 'ListenerSet',
  metadata: { name, namespace: 'default' },
  spec: { parentRef: { name: 'web' }, listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
});
