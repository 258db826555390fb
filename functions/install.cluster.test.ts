import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { dataPlaneRbac } from '../k8s/data-plane-rbac.ts';
import { kubectl } from '../test/cluster/kubectl.ts';
import { describeCluster, sharedCluster } from '../test/cluster/vitest.ts';
import { formatYamlStream } from './output/objects.ts';

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
