// Whose turn it is to have its pods replaced, with a budget of one.
import { expect, it } from 'vitest';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { holdingProxy } from '../../test/holding-proxy.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedDeployment } from '../status/observed.ts';
import {
  becomes,
  gatewayOf,
  gatewayPath,
  parametersMap,
  startController,
  testInstall,
} from './test-controller.ts';

const PARTS = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;
// No node has this label, so the pods stay pending.
const NOWHERE = 'pod: {nodeSelector: {is: nowhere}}';
const PARAMETERS = { parametersRef: { group: '', kind: 'ConfigMap', name: 'params' } };

const deployment = (namespace: string, name: string) =>
  `/apis/apps/v1/namespaces/${namespace}/deployments/${name}-gari`;

const revisionOf = async (namespace: string, name: string) =>
  (await sharedCluster().client.get<LiveObject>(deployment(namespace, name))).metadata.annotations?.[
    'deployment.kubernetes.io/revision'
  ];

const labelled = { infrastructure: { labels: { team: 'a' } } };

/** An install with a Gateway `stuck`, whose second pods wait for ever, and a Gateway `web`. */
async function installWithStuckGateway(deadlineSeconds: number) {
  const { client } = sharedCluster();
  const install = await testInstall({ maxUnavailableGateways: 1 });
  const namespace = await testNamespace();
  await client.apply(parametersMap(namespace, 'params', 'pod: {}'));
  await startController(install);
  await client.apply(gatewayOf(install, namespace, 'stuck', { infrastructure: PARAMETERS }));
  await client.apply(gatewayOf(install, namespace));
  for (const name of ['stuck', 'web']) {
    await becomes(gatewayPath(namespace, name), 'Programmed', 'True Programmed');
  }
  await client.request('PATCH', deployment(namespace, 'stuck'), {
    body: { spec: { progressDeadlineSeconds: deadlineSeconds } },
    contentType: 'application/merge-patch+json',
  });
  await client.apply(parametersMap(namespace, 'params', NOWHERE));
  await eventually(
    'the second pods of stuck to be asked for',
    async () => (await revisionOf(namespace, 'stuck')) === '2',
  );
  return { install, namespace };
}

describeCluster('a budget of one', PARTS, () => {
  it('waits for a rollout, but not for one that hangs for a reason of its own', async () => {
    const { client } = sharedCluster();
    const { install, namespace } = await installWithStuckGateway(8);
    await client.apply(gatewayOf(install, namespace, 'web', labelled));
    await becomes(gatewayPath(namespace), 'Programmed', 'True RolloutPending');
    await eventually('the turn of the next one', async () => (await revisionOf(namespace, 'web')) === '2');
    await becomes(gatewayPath(namespace), 'Programmed', 'True Programmed');
    const { status } = await client.get<ObservedDeployment>(deployment(namespace, 'stuck'));
    const progressing = status?.conditions?.find(({ type }) => type === 'Progressing');
    expect(progressing?.reason).toBe('ProgressDeadlineExceeded');
    await becomes(gatewayPath(namespace, 'stuck'), 'Programmed', 'True Programmed');
  });

  it('takes no rights from pods whose turn is yet to come', async () => {
    const { client } = sharedCluster();
    const { install, namespace } = await installWithStuckGateway(600);
    const names = async () => {
      const path = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${install.bindingName}`;
      const { subjects = [] } = await client.get<LiveObject>(path);
      return subjects.map(({ name }) => name).join();
    };
    expect(await names()).toBe('stuck-gari,web-gari');
    const inClass = await testNamespace();
    await client.apply(parametersMap(inClass, 'params', 'access: None'));
    await client.apply({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: install.className },
      spec: {
        controllerName: install.options.controllerName,
        parametersRef: { group: '', kind: 'ConfigMap', name: 'params', namespace: inClass },
      },
    });
    await becomes(gatewayPath(namespace), 'Programmed', 'True RolloutPending');
    await eventually(
      'the subject of what is replaced already to go',
      async () => (await names()) === 'web-gari',
    );
    await client.apply(parametersMap(namespace, 'params', 'pod: {}'));
    await eventually('the subject to go', async () => (await names()) === '');
    expect(await revisionOf(namespace, 'web')).toBe('2');
    await client.delete(`/apis/gateway.networking.k8s.io/v1/gatewayclasses/${install.className}`);
  });

  it('is not spent by another install beside this one', async () => {
    const { client } = sharedCluster();
    await installWithStuckGateway(600);
    const install = await testInstall({ maxUnavailableGateways: 1 });
    const namespace = await testNamespace();
    const { log } = await startController(install);
    await client.apply(gatewayOf(install, namespace));
    await becomes(gatewayPath(namespace), 'Programmed', 'True Programmed');
    await client.apply(gatewayOf(install, namespace, 'web', labelled));
    await eventually('the rollout', async () => (await revisionOf(namespace, 'web')) === '2');
    expect(log.filter(({ reason }) => reason === 'RolloutPending')).toEqual([]);
  });

  it('is spent from the write on, however late the news of it comes', async () => {
    const { client } = sharedCluster();
    const install = await testInstall({ maxUnavailableGateways: 1 });
    const namespace = await testNamespace();
    const first = await startController(install);
    for (const name of ['a', 'b']) await client.apply(gatewayOf(install, namespace, name));
    for (const name of ['a', 'b']) {
      await becomes(gatewayPath(namespace, name), 'Programmed', 'True Programmed');
    }
    await first.stop();

    // The next one, with another image, reads the list of Deployments, and then hears nothing of them.
    let reads = 0;
    const { kubeconfig, passed } = await holdingProxy(sharedCluster(), ({ path }) => {
      const isDeployments = path === '/apis/apps/v1/deployments';
      if (isDeployments) reads++;
      return isDeployments && reads > 1 ? new Promise(() => undefined) : undefined;
    });
    const options = { ...install.options, image: 'gari-dataplane:v0.2.0' };
    await startController({ kubeconfig, options });
    const replaced = () =>
      passed.filter((each) => each.startsWith('PATCH ') && each.includes('/deployments/'));
    await eventually('one to be replaced', () => replaced().length === 1);
    const [one, other] = replaced()[0]?.endsWith('/a-gari') ? ['a', 'b'] : ['b', 'a'];
    for (const name of [one, other]) {
      const listeners = [{ name: 'http', port: 81, protocol: 'HTTP' }];
      await client.apply(gatewayOf(install, namespace, name, { listeners }), { force: true });
      // Says that this change was looked at.
      await becomes(gatewayPath(namespace, name), 'Accepted', 'True');
    }
    expect(replaced()).toEqual([`PATCH ${deployment(namespace, one ?? '')}`]);
  });
});
