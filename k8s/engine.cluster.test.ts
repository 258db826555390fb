// The apply engine with a cache and a memo, as a controller uses it, on a real API server.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Gateway } from '../render/gateway-api.ts';
import { type RenderResult, render } from '../render/render.ts';
import { auditEvents, auditMark } from '../test/cluster/audit.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../test/cluster/vitest.ts';
import { applyGateway, deleteGatewayObjects } from './apply-gateway.ts';
import { applyObject, type WriteOptions } from './apply-object.ts';
import { changedBy, changeSubjects, exactly, writeSubjects } from './binding.ts';
import type { Change } from './change-set.ts';
import { loadCredentials } from './credentials.ts';
import { dataPlaneRbac } from './data-plane-rbac.ts';
import type { LiveObject } from './live-object.ts';
import { ApplyMemo } from './memo.ts';
import { type ClusterObject, pathOf } from './resources.ts';
import { Transport } from './transport.ts';

const bindingName = `gari-${randomBytes(4).toString('hex')}`;
const binding: ClusterObject = { kind: 'ClusterRoleBinding', name: bindingName };
const KINDS = ['ServiceAccount', 'Deployment', 'Service'] as const;
let transport: Transport;

async function createGateway(namespace: string, name: string, port = 80, labels = {}): Promise<Gateway> {
  const object = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name, namespace },
    spec: {
      gatewayClassName: 'gari',
      infrastructure: { labels },
      listeners: [{ name: 'http', port, protocol: 'HTTP' }],
    },
  } as const;
  const { metadata } = await sharedCluster().client.apply(object);
  return { ...object, metadata: { name, namespace, uid: metadata.uid ?? '' } };
}

const renderOf = (gateway: Gateway): RenderResult =>
  render({
    gateways: [{ object: gateway }],
    gatewayClasses: [],
    listenerSets: [],
    referenceGrants: [],
    namespaces: [],
    existing: [],
    clusterRoleBindings: [],
  });

async function applyAll(gateway: Gateway, options: WriteOptions): Promise<readonly Change[]> {
  const { objects, retain } = renderOf(gateway);
  const wanted = { gateway, objects: [...objects.values()].flat(), retain, shared: true };
  return applyGateway(transport, wanted, {
    ...options,
    changeSubjects: (change) => changeSubjects(transport, bindingName, change, options),
  });
}

/** A cache of a namespace's children and of the binding, read by somebody else's requests. */
function cacheOf(namespace: string) {
  const { client } = sharedCluster();
  const objects = new Map<string, LiveObject>();
  const key = ({ kind, name }: ClusterObject) => `${kind} ${name}`;
  return {
    refresh: async () => {
      objects.clear();
      for (const kind of KINDS) {
        const items = await client.list<LiveObject>(pathOf({ kind, namespace, name: '' }, 'collection'));
        for (const item of items) objects.set(key({ kind, name: item.metadata.name }), item);
      }
      objects.set(key(binding), await client.get<LiveObject>(pathOf(binding)));
    },
    read: async (object: ClusterObject) => objects.get(key(object)),
    listChildren: async (gateway: Gateway, kind: string) =>
      [...objects]
        .filter(([name]) => name.startsWith(`${kind} `))
        .map(([, object]) => object)
        .filter(
          ({ metadata }) =>
            metadata.labels?.['gateway.networking.k8s.io/gateway-name'] === gateway.metadata.name,
        ),
  };
}

/** The engine's requests for a namespace, and for the binding, since a mark. */
async function requestsSince(mark: number, namespace: string): Promise<string[]> {
  const events = await auditEvents(sharedCluster(), mark);
  return events
    .filter(({ userAgent }) => userAgent === 'gari')
    .filter(({ objectRef }) => objectRef?.namespace === namespace || objectRef?.name === bindingName)
    .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}`);
}

describeCluster('the apply engine', ['gateway-api', 'controller-manager', 'scheduler', 'kwok'], () => {
  beforeAll(async () => {
    transport = new Transport(await loadCredentials({ kubeconfig: sharedCluster().kubeconfig }));
    for (const object of dataPlaneRbac(bindingName)) await sharedCluster().client.apply(object);
  });
  afterAll(async () => {
    await transport.close();
    await sharedCluster().client.request('DELETE', pathOf(binding));
  });

  it('sends nothing while nothing of its own changes', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const names = Array.from({ length: 50 }, (_, index) => `web-${index}`);
    const gateways = await Promise.all(names.map((name) => createGateway(namespace, name)));
    const cache = cacheOf(namespace);
    const options = {
      dryRun: false,
      memo: new ApplyMemo(),
      read: cache.read,
      listChildren: cache.listChildren,
    };
    await cache.refresh();
    for (const gateway of gateways) {
      await applyAll(gateway, options);
      await cache.refresh();
    }
    // For the subjects, which need the ServiceAccounts to be in the cache.
    for (const gateway of gateways) {
      await applyAll(gateway, options);
      await cache.refresh();
    }
    const scaled = pathOf({ kind: 'Deployment', namespace, name: 'web-0-gari' });
    const replicas = async () => (await client.get<{ spec: { replicas: number } }>(scaled)).spec.replicas;
    await client.apply({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web-0', namespace },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web-0-gari' },
        minReplicas: 4,
        maxReplicas: 5,
      },
    });
    const mark = await auditMark(sharedCluster());
    const end = Date.now() + 20_000;
    let round = 0;
    while (Date.now() < end) {
      const deployment = pathOf({ kind: 'Deployment', namespace, name: `web-${1 + (round % 49)}-gari` });
      // Somebody who scales, and somebody with annotations of their own; the controllers write status meanwhile.
      const contentType = 'application/merge-patch+json';
      const scale = { spec: { replicas: 1 + (round % 3) } };
      await client.request('PATCH', `${deployment}/scale`, { contentType, body: scale });
      const note = { metadata: { annotations: { 'example.com/note': String(round) } } };
      await client.request('PATCH', deployment, { contentType, body: note });
      await cache.refresh();
      for (const gateway of gateways) {
        for (const { action } of await applyAll(gateway, options)) expect(action).toBe('unchanged');
      }
      round++;
      await delay(200);
    }
    expect(round).toBeGreaterThan(5);
    // Its controller looks every 15 seconds.
    await eventually('the autoscaler to scale', async () => (await replicas()) === 4);
    await cache.refresh();
    for (const { action } of await applyAll(gateways[0]!, options)) expect(action).toBe('unchanged');
    expect(await requestsSince(mark, namespace)).toEqual([]);
    const labelled = await createGateway(namespace, 'web-0', 80, { team: 'a' });
    expect((await applyAll(labelled, options)).some(({ action }) => action === 'configured')).toBe(true);
    expect(await replicas()).toBe(4);
  }, 120_000);

  it('sends one request for each object that drifted, and none after a restart', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const cache = cacheOf(namespace);
    const options = {
      dryRun: false,
      memo: new ApplyMemo(),
      read: cache.read,
      listChildren: cache.listChildren,
    };
    const settle = async (): Promise<void> => {
      await cache.refresh();
      await applyAll(gateway, options);
      await cache.refresh();
    };
    await cache.refresh();
    let mark = await auditMark(sharedCluster());
    await settle();
    await settle();
    expect((await requestsSince(mark, namespace)).sort()).toEqual([
      'patch clusterrolebindings',
      'patch deployments',
      'patch serviceaccounts',
      'patch services',
    ]);

    const service = pathOf({ kind: 'Service', namespace, name: 'web-gari' });
    const contentType = 'application/merge-patch+json';
    const port = { name: 'http-80', port: 81, targetPort: 8000 };
    const patch = 'patch services';
    const drifts: [string, unknown, string[]][] = [
      ['a value of ours', { spec: { type: 'ClusterIP' } }, [patch]],
      ['a label of ours', { metadata: { labels: { 'gari.dev/component': null } } }, [patch]],
      // The second one drops the record that the server made up.
      ['the record of who owns what', { metadata: { managedFields: [{}] } }, [patch, patch]],
      // The first one is refused, the second one takes the edit back.
      ['a port of ours', { spec: { ports: [port] } }, [patch, 'get services', patch, 'get services', patch]],
    ];
    for (const [what, body, requests] of drifts) {
      expect((await client.request('PATCH', service, { contentType, body })).status, what).toBe(200);
      mark = await auditMark(sharedCluster());
      await settle();
      expect(await requestsSince(mark, namespace), what).toEqual(requests);
      expect(await client.get(service), what).toMatchObject({
        metadata: { labels: { 'gari.dev/component': 'dataplane' } },
        spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
      });
    }

    const { metadata } = await client.get<LiveObject & { metadata: { managedFields: unknown } }>(service);
    expect(JSON.stringify(metadata.managedFields)).not.toContain('before-first-apply');

    mark = await auditMark(sharedCluster());
    const restarted = { ...options, memo: new ApplyMemo() };
    await cache.refresh();
    for (const { action } of await applyAll(gateway, restarted)) expect(action).toBe('unchanged');
    expect(await requestsSince(mark, namespace)).toEqual([]);
  });

  it('sends nothing either while its cache has not heard of what was written', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const cache = cacheOf(namespace);
    const options = {
      dryRun: false,
      memo: new ApplyMemo(),
      read: cache.read,
      listChildren: cache.listChildren,
    };
    await cache.refresh();
    await applyAll(gateway, options);
    let mark = await auditMark(sharedCluster());
    expect((await applyAll(gateway, options)).map(({ action }) => action)).not.toContain('created');
    const requests = await requestsSince(mark, namespace);
    expect(
      requests.filter((request) => !request.startsWith('get')),
      'the cache has none of them',
    ).toEqual([]);
    await cache.refresh();
    const labelled = await createGateway(namespace, 'web', 80, { team: 'a' });
    await applyAll(labelled, options);
    mark = await auditMark(sharedCluster());
    const again = await applyAll(labelled, options);
    expect(again.map(({ action }) => action)).toEqual(Array(4).fill('unchanged'));
    expect(await requestsSince(mark, namespace), 'the cache has the old ones').toEqual([]);
    // Nor does it take what has gone for what is not there yet.
    await client.delete(pathOf({ kind: 'ServiceAccount', namespace, name: 'web-gari' }));
    await cache.refresh();
    expect((await applyAll(labelled, options))[0]).toMatchObject({ action: 'created' });
  });

  it('breaks off when it is told to, and sends nothing more', async () => {
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const stop = new AbortController();
    const { objects, retain } = renderOf(gateway);
    const wanted = { gateway, objects: [...objects.values()].flat(), retain, shared: true };
    const told: string[] = [];
    const mark = await auditMark(sharedCluster());
    const applied = applyGateway(transport, wanted, {
      dryRun: false,
      signal: stop.signal,
      changeSubjects: async () => undefined,
      onChange: ({ object, action }) => {
        told.push(`${object.kind} ${action}`);
        if (object.kind === 'Deployment') stop.abort(new Error('the lease is lost'));
      },
    });
    await expect(applied).rejects.toThrow('the lease is lost');
    expect(told).toEqual(['ServiceAccount created', 'Deployment created']);
    expect(await requestsSince(mark, namespace)).toEqual([
      ...['get serviceaccounts', 'patch serviceaccounts', 'get deployments', 'patch deployments'],
    ]);
    await expect(
      writeSubjects(transport, bindingName, changedBy({ add: [], remove: [] }), {
        ...{ dryRun: false, signal: stop.signal },
      }),
    ).rejects.toThrow('the lease is lost');
  });

  it('prunes all of a Gateway that is nobody’s any more, and nothing of another', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateways = [await createGateway(namespace, 'web'), await createGateway(namespace, 'web-2')];
    for (const gateway of gateways) await applyAll(gateway, { dryRun: false });
    const [gateway = gateways[0]!] = gateways;
    const changes = await deleteGatewayObjects(transport, gateway, {
      dryRun: false,
      changeSubjects: (change) => changeSubjects(transport, bindingName, change, { dryRun: false }),
    });
    expect(changes.map(({ object, action }) => `${object.kind} ${action}`)).toEqual([
      ...['ClusterRoleBinding configured', 'Service pruned', 'Deployment pruned', 'ServiceAccount pruned'],
    ]);
    for (const kind of KINDS) {
      const path = pathOf({ kind, namespace, name: 'web-gari' });
      await eventually(`the ${kind} to go`, async () => (await client.request('GET', path)).status === 404);
      const other = pathOf({ kind, namespace, name: 'web-2-gari' });
      expect((await client.request('GET', other)).status).toBe(200);
    }
  });

  it('keeps the number of replicas when it is not rendered any more', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const plain = [...renderOf(gateway).objects.values()].flat().find(({ kind }) => kind === 'Deployment')!;
    const scaled = { ...plain, spec: { ...(plain.spec as object), replicas: 3 } };
    const path = pathOf({ kind: 'Deployment', namespace, name: 'web-gari' });
    const options = { dryRun: false, memo: new ApplyMemo() };
    const replicas = async () => (await client.get<{ spec: { replicas: number } }>(path)).spec.replicas;
    await applyObject(transport, scaled, gateway, options);
    expect(await applyObject(transport, plain, gateway, options)).toMatchObject({ action: 'unchanged' });
    expect(await replicas()).toBe(3);
    const body = { spec: { replicas: 5 } };
    await client.request('PATCH', `${path}/scale`, { contentType: 'application/merge-patch+json', body });
    await applyObject(transport, plain, gateway, options);
    expect(await replicas(), 'somebody has scaled').toBe(5);
    await applyObject(transport, scaled, gateway, options);
    expect(await replicas(), 'it is rendered again').toBe(3);
  });

  it('writes two bindings for two installs, each its own', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const names = [`${bindingName}-a`, `${bindingName}-b`];
    for (const name of names) for (const object of dataPlaneRbac(name)) await client.apply(object);
    try {
      const subject = (name: string) => ({ kind: 'ServiceAccount', namespace, name }) as const;
      const rules = names.map((_, index) => exactly([subject(`web-${index}-gari`)]));
      const write = () =>
        Promise.all(
          names.map((name, index) => writeSubjects(transport, name, rules[index]!, { dryRun: false })),
        );
      expect((await write()).map(({ action }) => action)).toEqual(['configured', 'configured']);
      expect((await write()).map(({ action }) => action)).toEqual(['unchanged', 'unchanged']);
      for (const [index, name] of names.entries()) {
        const { subjects } = await client.get<LiveObject>(pathOf({ kind: 'ClusterRoleBinding', name }));
        expect(subjects).toEqual([subject(`web-${index}-gari`)]);
      }
    } finally {
      for (const name of names) await client.delete(pathOf({ kind: 'ClusterRoleBinding', name }));
    }
  });

  it('asks the server where its cache lags behind', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const desired = [...renderOf(gateway).objects.values()].flat().find(({ kind }) => kind === 'Service')!;
    const path = pathOf({ kind: 'Service', namespace, name: 'web-gari' });
    const applyWith = (cached: LiveObject | undefined) =>
      applyObject(transport, desired, gateway, { dryRun: false, read: async () => cached });
    const remove = async () => {
      await client.delete(path);
      await eventually('the Service to go', async () => (await client.request('GET', path)).status === 404);
    };
    expect(await applyWith(undefined)).toMatchObject({ action: 'created' });
    expect(await applyWith(undefined), 'ours is there').toMatchObject({ action: 'unchanged' });
    const old = await client.get<LiveObject>(path);
    await remove();
    expect(await applyWith(old), 'ours has gone').toMatchObject({ action: 'created' });
    await remove();
    const foreign = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web-gari', namespace },
      spec: { ports: [{ port: 80 }] },
    };
    const before = JSON.stringify(await client.create(foreign));
    expect(await applyWith(old), 'a foreign one in its place').toMatchObject({ action: 'conflict' });
    expect(await applyWith(undefined), 'a foreign one').toMatchObject({ action: 'conflict' });
    expect(JSON.stringify(await client.get(path))).toBe(before);
  });

  it('adopts with a cache that keeps no record of others, and leaves their record whole', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const desired = [...renderOf(gateway).objects.values()].flat().find(({ kind }) => kind === 'Service')!;
    const path = pathOf({ kind: 'Service', namespace, name: 'web-gari' });
    await client.create(desired);
    const note = { metadata: { annotations: { 'example.com/note': 'mine' } } };
    const query = { fieldManager: 'kubectl-client-side-apply' };
    const contentType = 'application/merge-patch+json';
    await client.request('PATCH', path, { contentType, body: note, query });
    const somebody = { metadata: { annotations: { 'example.com/other': 'theirs' } } };
    const { body: live } = await client.request<LiveObject>('PATCH', path, {
      ...{ contentType, body: somebody, query: { fieldManager: 'somebody' } },
    });
    const cached = { ...live, metadata: { ...live.metadata, managedFields: [] } };
    expect(
      await applyObject(transport, desired, gateway, { dryRun: false, read: async () => cached }),
    ).toMatchObject({ action: 'configured' });
    const { metadata } = await client.get<LiveObject & { metadata: { managedFields: unknown } }>(path);
    expect(JSON.stringify(metadata.managedFields)).toContain('"manager":"somebody"');
    // What was applied by hand before gari took it over goes; what somebody else has set stays.
    expect(metadata.annotations).not.toHaveProperty('example.com/note');
    expect(metadata.annotations).toHaveProperty('example.com/other', 'theirs');
  });

  it('takes nobody’s rights away, and gives none, because the ServiceAccount cannot be applied now', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const isSubject = async () =>
      ((await client.get<LiveObject>(pathOf(binding))).subjects ?? []).some(
        (subject) => subject.namespace === namespace,
      );
    const path = pathOf({ kind: 'ServiceAccount', namespace, name: 'web-gari' });
    const contentType = 'application/merge-patch+json';
    const hold = (finalizers: string[]) =>
      client.request('PATCH', path, { contentType, body: { metadata: { finalizers } } });
    const holdAndDelete = async () => {
      await hold(['example.com/hold']);
      await client.delete(path);
    };
    const account = [...renderOf(gateway).objects.values()]
      .flat()
      .find(({ kind }) => kind === 'ServiceAccount');
    await client.create(account);
    await holdAndDelete();
    expect((await applyAll(gateway, { dryRun: false }))[0]).toMatchObject({ action: 'failed' });
    expect(await isSubject(), 'nor gives any').toBe(false);
    await hold([]);
    expect((await applyAll(gateway, { dryRun: false }))[0]).toMatchObject({ action: 'created' });
    await holdAndDelete();
    expect((await applyAll(gateway, { dryRun: false }))[0]).toMatchObject({ action: 'failed' });
    expect(await isSubject()).toBe(true);
    await hold([]);
  });

  it('takes over an object whose managed-by label kustomize has overwritten', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    for (const object of [...renderOf(gateway).objects.values()].flat()) {
      const labels = {
        ...(object.metadata.labels as object),
        'app.kubernetes.io/managed-by': 'kustomize-v5',
      };
      await client.apply(
        { ...object, metadata: { ...object.metadata, labels } },
        { fieldManager: 'flux', force: true },
      );
    }
    const changes = await applyAll(gateway, { dryRun: false });
    expect(changes.map(({ action }) => action)).toEqual([
      'configured',
      'configured',
      'configured',
      'configured',
    ]);
    const service = await client.get<LiveObject>(pathOf({ kind: 'Service', namespace, name: 'web-gari' }));
    expect(service.metadata.labels?.['app.kubernetes.io/managed-by']).toBe('gari');
    expect(service.metadata.ownerReferences).toHaveLength(1);
  });

  it('leaves an object alone that is being deleted', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const desired = [...renderOf(gateway).objects.values()]
      .flat()
      .find(({ kind }) => kind === 'ServiceAccount')!;
    await applyObject(transport, desired, gateway, { dryRun: false });
    const path = pathOf({ kind: 'ServiceAccount', namespace, name: 'web-gari' });
    const contentType = 'application/merge-patch+json';
    const hold = (finalizers: string[]) =>
      client.request('PATCH', path, { contentType, body: { metadata: { finalizers } } });
    await hold(['example.com/hold']);
    await client.delete(path);
    const { resourceVersion } = (await client.get<LiveObject>(path)).metadata;
    expect(await applyObject(transport, desired, gateway, { dryRun: false })).toMatchObject({
      action: 'failed',
      message: 'it is being deleted; run again when it is gone',
    });
    expect((await client.get<LiveObject>(path)).metadata.resourceVersion).toBe(resourceVersion);
    await hold([]);
  });

  it('says of an object that the server cannot take that trying again changes nothing', async () => {
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const service = [...renderOf(gateway).objects.values()].flat().find(({ kind }) => kind === 'Service')!;
    const port = { name: 'a', port: 80, protocol: 'TCP' };
    for (const ports of [[port, port], [{ ...port, unknown: 1 }], [{ ...port, name: 'A_B' }]]) {
      const broken = { ...service, spec: { ...(service.spec as object), ports } };
      expect(await applyObject(transport, broken, gateway, { dryRun: false })).toMatchObject({
        action: 'failed',
        terminal: true,
      });
    }
  });

  it('writes every character as it is, and sees no drift in it', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const account = [...renderOf(gateway).objects.values()]
      .flat()
      .find(({ kind }) => kind === 'ServiceAccount')!;
    const ranges = [
      ...[0x00, 0xff, 0x2020, 0x2030, 0xd7f0, 0xd7ff],
      ...[0xe000, 0xe00f, 0xfef0, 0xffff, 0x1f600, 0x1f60f, 0x10fff0, 0x10ffff],
    ];
    let text = '/\\ud83d';
    for (let index = 0; index < ranges.length; index += 2) {
      for (let code = ranges[index]!; code <= ranges[index + 1]!; code++) text += String.fromCodePoint(code);
    }
    const annotations = { ...(account.metadata.annotations as object), 'example.com/text': text };
    const desired = { ...account, metadata: { ...account.metadata, annotations } };
    expect(await applyObject(transport, desired, gateway, { dryRun: false })).toMatchObject({
      action: 'created',
    });
    const path = pathOf({ kind: 'ServiceAccount', namespace, name: 'web-gari' });
    expect((await client.get<LiveObject>(path)).metadata.annotations?.['example.com/text']).toBe(text);
    expect(await applyObject(transport, desired, gateway, { dryRun: false })).toMatchObject({
      action: 'unchanged',
    });
  });

  it('moves a port under one name', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    const service = [...renderOf(gateway).objects.values()].flat().find(({ kind }) => kind === 'Service')!;
    await applyObject(transport, service, gateway, { dryRun: false });
    const ports = [{ name: 'http-80', port: 8080, protocol: 'TCP', targetPort: 8000 }];
    const moved = { ...service, spec: { ...(service.spec as object), ports } };
    expect(await applyObject(transport, moved, gateway, { dryRun: false })).toMatchObject({
      action: 'configured',
    });
    expect(await client.get(pathOf({ kind: 'Service', namespace, name: 'web-gari' }))).toMatchObject({
      spec: { ports },
    });
  });

  it('is cleaned up after by the garbage collector', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const gateway = await createGateway(namespace, 'web');
    await applyAll(gateway, { dryRun: false });
    await client.delete(pathOf({ kind: 'Gateway', namespace, name: 'web' }));
    for (const kind of KINDS) {
      const path = pathOf({ kind, namespace, name: 'web-gari' });
      await eventually(`the ${kind} to go`, async () => (await client.request('GET', path)).status === 404);
    }
  });

  it('adds to 10,000 subjects, and loses none', async () => {
    const { client } = sharedCluster();
    const name = `${bindingName}-large`;
    const [, rbac] = dataPlaneRbac(name);
    const others = Array.from({ length: 10_000 }, (_, index) => ({
      kind: 'ServiceAccount',
      namespace: 'team',
      name: `a${index}`,
    }));
    await client.apply({ ...rbac, subjects: others });
    const path = pathOf({ kind: 'ClusterRoleBinding', name });
    try {
      const subject = (index: number) =>
        ({ kind: 'ServiceAccount', namespace: 'prod', name: `web-${index}-gari` }) as const;
      const changes = await Promise.all(
        [0, 1].map((index) =>
          writeSubjects(transport, name, changedBy({ add: [subject(index)], remove: [] }), { dryRun: false }),
        ),
      );
      expect(changes.map(({ action }) => action)).toEqual(['configured', 'configured']);
      const { subjects = [] } = await client.get<LiveObject>(path);
      expect(subjects.slice(0, 10_000)).toEqual(others);
      expect(
        subjects
          .slice(10_000)
          .map((each) => each.name)
          .sort(),
      ).toEqual(['web-0-gari', 'web-1-gari']);
    } finally {
      await client.request('DELETE', path);
    }
  });
});
