import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dataPlaneRbac } from '../k8s/data-plane-rbac.ts';
import { compareText } from '../render/normalize.ts';
import type { RenderedObject } from '../render/objects.ts';
import { findKustomize } from '../test/cluster/assets.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { kubectl } from '../test/cluster/kubectl.ts';
import { describeCluster, sharedCluster } from '../test/cluster/vitest.ts';
import { gari } from '../test/run-gari.ts';
import { formatYamlStream } from './output/objects.ts';
import { parseYaml } from './yaml.ts';

const STRICT = ['--validate=strict', '-f', '-'];
const subject = { kind: 'ServiceAccount', name: 'web-gari', namespace: 'prod' };

describeCluster('the RBAC of data planes', [], () => {
  it.each([
    ['server-side', ['apply', '--server-side', '--field-manager=installer', ...STRICT]],
    ['client-side', ['apply', ...STRICT]],
  ])('can be applied again %s without wiping a subject', async (_, command) => {
    const cluster = sharedCluster();
    const name = `gari-${randomBytes(4).toString('hex')}`;
    const objects = dataPlaneRbac(name);
    const path = await cluster.client.pathOf(objects[1]);
    onTestFinished(async () => {
      await cluster.client.request('DELETE', path);
    });
    const apply = () => kubectl(cluster, command, { input: formatYamlStream(objects) });
    expect(await apply()).toMatchObject({ code: 0 });
    await cluster.client.apply(
      { apiVersion: objects[1]?.apiVersion, kind: objects[1]?.kind, metadata: { name }, subjects: [subject] },
      { fieldManager: 'gari' },
    );
    expect(await apply()).toMatchObject({ code: 0 });
    expect(await cluster.client.get(path)).toMatchObject({ subjects: [subject] });
  });

  it('is wiped by kubectl apply where kubectl apply wrote the subjects, as the reference says', async () => {
    const cluster = sharedCluster();
    const name = `gari-${randomBytes(4).toString('hex')}`;
    const [, binding] = dataPlaneRbac(name);
    const path = await cluster.client.pathOf(binding);
    onTestFinished(async () => {
      await cluster.client.request('DELETE', path);
    });
    const apply = async (object: object, ...how: string[]) => {
      const input = JSON.stringify(object);
      expect(await kubectl(cluster, ['apply', ...how, ...STRICT], { input })).toMatchObject({ code: 0 });
      return cluster.client.get<{ subjects?: unknown[] }>(path);
    };
    await apply({ ...binding, subjects: [subject] });
    expect(await apply({ ...binding })).not.toHaveProperty('subjects');
    // Server-side, whoever wrote them is asked by name.
    await apply({ ...binding, subjects: [subject] }, '--server-side', '--field-manager=pipeline');
    const installed = await apply({ ...binding }, '--server-side', '--field-manager=installer');
    expect(installed.subjects).toEqual([subject]);
  });
});

/** The manifests under names of their own, and how to take them away. */
async function installUnder(id: string, ...more: string[]) {
  const names = [`--namespace=${id}`, `--binding-name=${id}`, `--class-name=${id}`];
  const { stdout } = await gari('install', ...names, `--controller-name=gari.dev/${id}`, ...more);
  const { client } = sharedCluster();
  onTestFinished(async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await client.request('DELETE', `/api/v1/namespaces/${id}`);
    await client.request('DELETE', `${rbac}/clusterroles/${id}-controller`);
    await client.request('DELETE', `${rbac}/clusterrolebindings/${id}-controller`);
    await client.request('DELETE', `${rbac}/clusterrolebindings/${id}`);
    await client.request('DELETE', `/apis/gateway.networking.k8s.io/v1/gatewayclasses/${id}`);
  });
  return stdout;
}

describeCluster('the manifests', ['gateway-api', 'controller-manager', 'scheduler', 'kwok'], () => {
  it.each([
    ['server-side', ['apply', '--server-side', '--field-manager=installer', ...STRICT]],
    ['client-side', ['apply', ...STRICT]],
  ])('can be applied again %s: nothing changes, and no subject goes', async (_, command) => {
    const cluster = sharedCluster();
    const id = `gari-${randomBytes(4).toString('hex')}`;
    const input = await installUnder(id);
    const first = await kubectl(cluster, command, { input });
    expect(first, first.stderr).toMatchObject({ code: 0 });
    const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' };
    await cluster.client.apply(
      { ...binding, metadata: { name: id }, subjects: [subject] },
      { fieldManager: 'gari' },
    );
    const path = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${id}`;
    const { metadata: before } = await cluster.client.get(path);
    expect(await kubectl(cluster, command, { input })).toMatchObject({ code: 0 });
    const after = await cluster.client.get(path);
    expect(after).toMatchObject({ subjects: [subject] });
    expect(after.metadata.resourceVersion).toBe(before.resourceVersion);
  });

  it('make pods that a namespace with the standard `restricted` takes', async () => {
    const cluster = sharedCluster();
    const id = `gari-${randomBytes(4).toString('hex')}`;
    await kubectl(cluster, ['apply', ...STRICT], { input: await installUnder(id) });
    await eventually('both replicas are there', async () => {
      const path = `/apis/apps/v1/namespaces/${id}/deployments/gari-controller`;
      const { status } = await cluster.client.get<{ status?: { availableReplicas?: number } }>(path);
      return status?.availableReplicas === 2;
    });
  });

  it('are a base for kustomize, and for kubectl apply -k', async () => {
    const id = `gari-${randomBytes(4).toString('hex')}`;
    const directory = mkdtempSync(join(tmpdir(), 'gari-overlay-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    cpSync('k8s/kustomization.yaml', join(directory, 'base/kustomization.yaml'));
    cpSync('k8s/controller.yaml', join(directory, 'base/controller.yaml'));
    const overlay = { kind: 'Kustomization', resources: ['base'], images: [{ name: 'gari', newTag: id }] };
    writeFileSync(join(directory, 'kustomization.yaml'), JSON.stringify(overlay));
    const kustomize = await findKustomize(() => undefined);
    const built = spawnSync(kustomize, ['build', directory], { encoding: 'utf8' });
    expect(built.stderr).toBe('');
    const objects = (text: string) => text.split(/^---$/m).map(parseYaml) as RenderedObject[];
    const shipped = objects(readFileSync('k8s/controller.yaml', 'utf8').replace('gari:v0.1.0', `gari:${id}`));
    const sorted = (all: RenderedObject[]) =>
      all.sort((a, b) => compareText(`${a.kind} ${a.metadata.name}`, `${b.kind} ${b.metadata.name}`));
    expect(sorted(objects(built.stdout))).toEqual(sorted(shipped));
    const byKubectl = await kubectl(sharedCluster(), ['kustomize', directory]);
    expect(byKubectl.stdout).toBe(built.stdout);
    const dryRun = ['apply', '--dry-run=client', '--validate=strict', '-k', directory];
    expect(await kubectl(sharedCluster(), dryRun)).toMatchObject({ code: 0, stderr: '' });
  });
});
