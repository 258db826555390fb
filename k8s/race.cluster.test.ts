// Objects that appear, go or change hands between what gari has read and what it writes: a proxy holds its request.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KubeObject } from '../test/cluster/client.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../test/cluster/vitest.ts';
import { holdingProxy } from '../test/holding-proxy.ts';
import { runGari } from '../test/run-gari.ts';
import { dataPlaneRbac } from './data-plane-rbac.ts';
import { pathOf } from './resources.ts';

const bindingName = `gari-${randomBytes(4).toString('hex')}`;
const binding = pathOf({ kind: 'ClusterRoleBinding', name: bindingName });
const KINDS = ['ServiceAccount', 'Deployment', 'Service'] as const;
type Kind = (typeof KINDS)[number];
const MERGE = 'application/merge-patch+json';

const FOREIGN = {
  ServiceAccount: { apiVersion: 'v1' },
  Service: { apiVersion: 'v1', spec: { ports: [{ port: 80 }] } },
  Deployment: {
    apiVersion: 'apps/v1',
    spec: {
      replicas: 0,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  },
};

const raw = async (path: string) => JSON.stringify((await sharedCluster().client.request('GET', path)).body);

/** An object's text once its controller has nothing more to write. */
function atRest(kind: Kind, namespace: string): Promise<string> {
  return eventually(`the ${kind} to be at rest`, async () => {
    const text = await raw(pathOf({ kind, namespace, name: 'web-gari' }));
    const { metadata, spec, status } = JSON.parse(text);
    if (kind !== 'Deployment') return text;
    const isAvailable = (status?.availableReplicas ?? 0) === spec.replicas;
    return status?.observedGeneration === metadata.generation && isAvailable && text;
  });
}

/** Somebody else's object; returned is its text. */
async function createForeign(kind: Kind, namespace: string): Promise<string> {
  await sharedCluster().client.create({
    ...FOREIGN[kind],
    kind,
    metadata: { name: 'web-gari', namespace },
  });
  return atRest(kind, namespace);
}

async function remove(kind: Kind, namespace: string): Promise<void> {
  const { client } = sharedCluster();
  const path = pathOf({ kind, namespace, name: 'web-gari' });
  await client.delete(path);
  await eventually(`the ${kind} to go`, async () => (await client.request('GET', path)).status === 404);
}

/** A namespace with a Gateway, and a run of gari that is held before its first `method` on an object. */
async function setUp(kind: Kind) {
  const cluster = sharedCluster();
  const namespace = await testNamespace();
  const gateway = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace },
    spec: { gatewayClassName: 'gari', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
  };
  await cluster.client.apply(gateway);
  const path = pathOf({ kind, namespace, name: 'web-gari' });
  return {
    namespace,
    path,
    gateway,
    gari: (command: string, kubeconfig = cluster.kubeconfig) =>
      runGari(command, [gateway], '--binding-name', bindingName, '--kubeconfig', kubeconfig),
    async heldGari(command: string, method: string, meanwhile: () => Promise<unknown>) {
      let held = false;
      const proxy = await holdingProxy(cluster, async (request) => {
        if (held || request.method !== method || request.path !== path) return;
        held = true;
        await meanwhile();
      });
      const result = await runGari(
        command,
        [gateway],
        '--binding-name',
        bindingName,
        '--kubeconfig',
        proxy.kubeconfig,
      );
      expect(held, 'the request was held').toBe(true);
      return { ...result, passed: proxy.passed };
    },
    async isSubject(): Promise<boolean> {
      const { subjects } = await cluster.client.get<KubeObject & { subjects?: { namespace: string }[] }>(
        binding,
      );
      return (subjects ?? []).some((subject) => subject.namespace === namespace);
    },
  };
}

describeCluster(
  'what is not gari’s, in the middle of a run',
  ['gateway-api', 'controller-manager', 'scheduler', 'kwok'],
  () => {
    beforeAll(async () => {
      for (const object of dataPlaneRbac(bindingName)) await sharedCluster().client.apply(object);
    });
    afterAll(async () => {
      await sharedCluster().client.request('DELETE', binding);
    });

    it.each(KINDS)('a foreign %s that appears before it is created stays as it is', async (kind) => {
      const { namespace, path, heldGari, isSubject } = await setUp(kind);
      let before = '';
      const { exitCode, stderr, passed } = await heldGari('apply', 'PATCH', async () => {
        before = await createForeign(kind, namespace);
      });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^error: \S+\/web-gari conflict in .+\n$/);
      expect(await raw(path)).toBe(before);
      expect(await isSubject()).toBe(kind !== 'ServiceAccount');
      // Not for a moment: the list was never written.
      expect(passed.includes(`PATCH ${binding}`)).toBe(kind !== 'ServiceAccount');
    });

    it.each(KINDS)('a foreign %s in the place of ours stays as it is', async (kind) => {
      const { namespace, path, gari, heldGari, isSubject } = await setUp(kind);
      expect(await gari('apply')).toMatchObject({ exitCode: 0, stderr: '' });
      let before = '';
      const { exitCode, stderr } = await heldGari('apply', 'PATCH', async () => {
        await remove(kind, namespace);
        before = await createForeign(kind, namespace);
      });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^error: \S+\/web-gari conflict in .+\n$/);
      expect(await raw(path)).toBe(before);
      expect(await isSubject()).toBe(kind !== 'ServiceAccount');
    });

    it.each(KINDS)('a %s of ours that somebody takes before it is adopted stays as it is', async (kind) => {
      const { client } = sharedCluster();
      const { namespace, path, gari, heldGari } = await setUp(kind);
      await gari('apply');
      const orphaned = { metadata: { ownerReferences: null } };
      await client.request('PATCH', path, { body: orphaned, contentType: MERGE });
      let before = '';
      const { exitCode, stderr } = await heldGari('apply', 'PATCH', async () => {
        const labels = { 'gateway.networking.k8s.io/gateway-name': null };
        const taken = { metadata: { labels, annotations: { 'example.com/mine': 'yes' } } };
        await client.request('PATCH', path, { body: taken, contentType: MERGE });
        before = await atRest(kind, namespace);
      });
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^error: \S+\/web-gari conflict in .+\n$/);
      expect(await raw(path)).toBe(before);
    });

    it.each(KINDS)('a foreign %s in the place of ours is not deleted', async (kind) => {
      const { namespace, path, gari, heldGari, isSubject } = await setUp(kind);
      await gari('apply');
      let before = '';
      const { exitCode } = await heldGari('delete', 'DELETE', async () => {
        await remove(kind, namespace);
        before = await createForeign(kind, namespace);
      });
      expect(exitCode).toBe(0);
      expect(await raw(path)).toBe(before);
      expect(await isSubject()).toBe(false);
    });

    it('a Service that goes before it is changed is made anew', async () => {
      const { namespace, path, gari, heldGari } = await setUp('Service');
      await gari('apply');
      const { metadata } = await sharedCluster().client.get(path);
      const { exitCode, stdout } = await heldGari('apply', 'PATCH', () => remove('Service', namespace));
      expect(exitCode).toBe(0);
      expect(stdout).toContain('service/web-gari created');
      expect((await sharedCluster().client.get(path)).metadata.uid).not.toBe(metadata.uid);
    });
  },
);
