// All that a Gateway's infrastructure depends on, changed one after the other.
import { expect, it } from 'vitest';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedClass, ObservedGateway } from '../status/observed.ts';
import {
  becomes,
  gatewayOf,
  gatewayPath,
  parametersMap,
  startController,
  type TestInstall,
  testInstall,
} from './test-controller.ts';

const PARTS = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;

const listenerSet = (namespace: string, parent: string, name: string, port: number, protocol = 'HTTP') => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'ListenerSet',
  metadata: { name, namespace },
  spec: {
    parentRef: { name: 'web', namespace: parent },
    listeners: [{ name: 'a', port, protocol }],
  },
});

async function portsBecome(namespace: string, expected: readonly number[]): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/services/web-gari`;
  await eventually(`ports ${expected}`, async () => {
    const service = await sharedCluster().client.get<{ spec: { ports: { port: number }[] } }>(path);
    return service.spec.ports.map(({ port }) => port).join() === expected.join();
  });
}

async function attachedBecome(namespace: string, expected: number): Promise<void> {
  await eventually(`${expected} ListenerSets attached`, async () => {
    const { status } = await sharedCluster().client.get<ObservedGateway>(gatewayPath(namespace));
    return (status?.attachedListenerSets ?? 0) === expected;
  });
}

const deploymentOf = (namespace: string) =>
  sharedCluster().client.get<LiveObject & { spec: { replicas: number } }>(
    `/apis/apps/v1/namespaces/${namespace}/deployments/web-gari`,
  );

async function withClass(install: TestInstall, spec: object = {}): Promise<string> {
  const { client } = sharedCluster();
  const gatewayClass = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: install.className },
    spec: { controllerName: install.options.controllerName, ...spec },
  };
  await client.apply(gatewayClass, { force: true });
  return client.pathOf(gatewayClass);
}

describeCluster('what a Gateway depends on', PARTS, () => {
  it('is its ListenerSets, those in conflict left out, and the labels of their namespaces', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    const team = await testNamespace();
    await startController(install);
    const open = (namespaces: object) =>
      gatewayOf(install, namespace, 'web', { allowedListeners: { namespaces } });
    await client.apply(open({ from: 'Same' }));
    await portsBecome(namespace, [80]);
    await client.apply(listenerSet(namespace, namespace, 'a', 81));
    await portsBecome(namespace, [80, 81]);
    await client.apply(listenerSet(namespace, namespace, 'b', 80, 'TCP'));
    await client.apply(listenerSet(team, namespace, 'c', 82));
    await attachedBecome(namespace, 1);
    await client.apply(open({ from: 'Selector', selector: { matchLabels: { team: 'a' } } }));
    await portsBecome(namespace, [80]);
    const label = (value: string | null) =>
      client.request('PATCH', `/api/v1/namespaces/${team}`, {
        body: { metadata: { labels: { team: value } } },
        contentType: 'application/merge-patch+json',
      });
    await label('a');
    await portsBecome(namespace, [80, 82]);
    await attachedBecome(namespace, 1);
    await label(null);
    await portsBecome(namespace, [80]);
    await client.apply(open({ from: 'All' }));
    await portsBecome(namespace, [80, 81, 82]);
    await client.delete(await client.pathOf(listenerSet(team, namespace, 'c', 82)));
    await portsBecome(namespace, [80, 81]);
    await attachedBecome(namespace, 1);
  });

  it('is its own parameters, and the last good ones stay while they are wrong', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    const path = gatewayPath(namespace);
    await startController(install);
    const infrastructure = { parametersRef: { group: '', kind: 'ConfigMap', name: 'params' } };
    await client.apply(gatewayOf(install, namespace, 'web', { infrastructure }));
    await becomes(path, 'Accepted', /^False InvalidParameters: .*ConfigMap .*params, which cannot be found/);
    await becomes(path, 'Programmed', 'False Invalid');
    await client.apply(parametersMap(namespace, 'params', 'deployment: {replicas: 2}'));
    await becomes(path, 'Programmed', 'True');
    const before = await deploymentOf(namespace);
    expect(before.spec.replicas).toBe(2);
    await client.apply(parametersMap(namespace, 'params', 'deployment: {replicas: many}'));
    await becomes(path, 'Accepted', 'False InvalidParameters');
    expect((await deploymentOf(namespace)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    await client.apply(parametersMap(namespace, 'params', 'deployment: {replicas: 1}'));
    await becomes(path, 'Accepted', 'True');
    await becomes(path, 'Programmed', 'True');
    await eventually('one replica', async () => (await deploymentOf(namespace)).spec.replicas === 1);
  });

  it('is its class, which says so itself where its parameters are wrong', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    const path = gatewayPath(namespace);
    const parametersRef = { group: '', kind: 'ConfigMap', name: 'of-class', namespace };
    const classPath = await withClass(install, { parametersRef });
    await startController(install);
    await client.apply(gatewayOf(install, namespace));
    await becomes(classPath, 'Accepted', 'False InvalidParameters');
    await becomes(path, 'Accepted', 'False InvalidParameters');
    await client.apply(parametersMap(namespace, 'of-class', 'service: {annotations: {tier: a}}'));
    await becomes(classPath, 'Accepted', `True Accepted: claimed by ${install.options.controllerName}`);
    await becomes(path, 'Programmed', 'True');
    const tier = async () => {
      const { metadata } = await client.get<LiveObject>(`/api/v1/namespaces/${namespace}/services/web-gari`);
      return metadata.annotations?.tier;
    };
    expect(await tier()).toBe('a');
    const { status } = await client.get<ObservedClass>(classPath);
    expect(status?.supportedFeatures?.map(({ name }) => name)).toEqual([
      'GatewayAddressEmpty',
      'GatewayInfrastructure',
    ]);
    await withClass(install);
    await eventually('no tier', async () => (await tier()) === undefined);
    await becomes(classPath, 'Accepted', 'True');
    await client.delete(classPath);
  });

  it('is its own children: a deleted or altered one is repaired', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    await startController(install);
    await client.apply(gatewayOf(install, namespace));
    await becomes(gatewayPath(namespace), 'Programmed', 'True');
    const service = `/api/v1/namespaces/${namespace}/services/web-gari`;
    const { metadata } = await client.get(service);
    await client.delete(service);
    await eventually(
      'another Service',
      async () => (await client.get(service)).metadata.uid !== metadata.uid,
    );
    await becomes(gatewayPath(namespace), 'Programmed', 'True');
    await client.request('PATCH', service, {
      body: {
        metadata: { labels: { 'app.kubernetes.io/managed-by': 'somebody' } },
        spec: { ports: [{ port: 81 }] },
      },
      contentType: 'application/merge-patch+json',
    });
    await portsBecome(namespace, [80]);
  });
});
