// When a Gateway is Programmed, with the real Deployment controller and a real allocator of addresses.
import { expect, it } from 'vitest';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { dataPlaneRbac } from '../data-plane-rbac.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedGateway } from '../status/observed.ts';
import {
  becomes,
  gatewayOf,
  gatewayPath,
  parametersMap,
  recordProgrammed,
  startController,
  stepsToTrue,
  testInstall,
} from './test-controller.ts';

const PARTS = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;

const child = (namespace: string, plural: 'deployments' | 'services' | 'serviceaccounts') =>
  `${plural === 'deployments' ? '/apis/apps/v1' : '/api/v1'}/namespaces/${namespace}/${plural}/web-gari`;

const patch = (path: string, body: object) =>
  sharedCluster().client.request('PATCH', path, { body, contentType: 'application/merge-patch+json' });

const noPods = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'no-pods', namespace },
  spec: { hard: { pods: '0' } },
});

describeCluster('Programmed', PARTS, () => {
  it('is false first, then true, and stays so while pods are replaced one by one', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    await startController(install);
    const said = await recordProgrammed(namespace);
    await client.apply(gatewayOf(install, namespace));
    await becomes(gatewayPath(namespace), 'Programmed', 'True');
    const revision = async () =>
      (await client.get<LiveObject>(child(namespace, 'deployments'))).metadata.annotations?.[
        'deployment.kubernetes.io/revision'
      ];
    await client.apply(gatewayOf(install, namespace, 'web', { infrastructure: { labels: { team: 'a' } } }));
    await eventually('the rollout to be done', async () => {
      const { status } = await client.get<
        LiveObject & { status: { updatedReplicas?: number; replicas: number } }
      >(child(namespace, 'deployments'));
      return (await revision()) === '2' && status?.updatedReplicas === 1 && status.replicas === 1;
    });
    await becomes(gatewayPath(namespace), 'Programmed', 'True');
    expect(await stepsToTrue(said)).toEqual(['Unknown Pending', 'False Pending', 'True Programmed']);
    expect(said.at(-1)).toBe('True Programmed');
  });

  it('is false without replicas, whatever the Deployment says of itself', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    const path = gatewayPath(namespace);
    await client.create(noPods(namespace));
    // The quota counts before the first pod is asked for.
    await eventually('the quota to count', async () => {
      const { status } = await client.get<{ status?: { hard?: object } }>(
        `/api/v1/namespaces/${namespace}/resourcequotas/no-pods`,
      );
      return status?.hard !== undefined;
    });
    await startController(install);
    await client.apply(gatewayOf(install, namespace));
    await becomes(path, 'Programmed', /^False NoResources: Deployment web-gari: .*exceeded quota/);
    // One of one may be missing, so the Deployment is Available with none.
    await patch(child(namespace, 'deployments'), {
      spec: { strategy: { rollingUpdate: { maxUnavailable: 1 } } },
    });
    await eventually('the Deployment to call itself available', async () => {
      const { status } = await client.get<LiveObject>(child(namespace, 'deployments'));
      return status?.conditions?.some(({ type, status: value }) => type === 'Available' && value === 'True');
    });
    await becomes(path, 'Programmed', 'False NoResources');
    await client.delete(`/api/v1/namespaces/${namespace}/resourcequotas/no-pods`);
    await becomes(path, 'Programmed', 'True');
    await patch(child(namespace, 'deployments'), { spec: { replicas: 0 } });
    await becomes(path, 'Programmed', 'False NoResources: Deployment web-gari is scaled to 0 replicas');
    await patch(child(namespace, 'deployments'), { spec: { replicas: 2 } });
    await becomes(path, 'Programmed', 'True');
  });

  it('starts as false for a Gateway made anew, which takes over what the earlier one left', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    const path = gatewayPath(namespace);
    const controller = await startController(install);
    await client.apply(gatewayOf(install, namespace));
    await becomes(path, 'Programmed', 'True');
    const before = await client.get<LiveObject>(child(namespace, 'services'));
    await controller.stop();
    await client.delete(path, { propagationPolicy: 'Orphan' });
    await eventually('the Gateway to go', async () => (await client.request('GET', path)).status === 404);
    const said = await recordProgrammed(namespace);
    await client.apply(gatewayOf(install, namespace));
    await startController(install);
    await becomes(path, 'Programmed', 'True');
    expect(await stepsToTrue(said)).toEqual(['Unknown Pending', 'False Pending', 'True Programmed']);
    expect(said.at(-1)).toBe('True Programmed');
    const after = await client.get<LiveObject>(child(namespace, 'services'));
    expect(after.metadata.uid).toBe(before.metadata.uid);
    const { metadata } = await client.get<ObservedGateway>(path);
    expect(after.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([metadata.uid]);
  });

  it('needs the subject in the binding, says what is wrong with that, and gets it back', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    const path = gatewayPath(namespace);
    const rbac = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${install.bindingName}`;
    await client.delete(rbac);
    await startController(install);
    await client.apply(gatewayOf(install, namespace));
    await becomes(
      path,
      'Programmed',
      `False BindingNotUsable: ClusterRoleBinding ${install.bindingName} is not there; gari install`,
    );
    const [, binding] = dataPlaneRbac(install.bindingName);
    await client.apply({ ...binding, roleRef: { ...(binding?.roleRef as object), name: 'view' } });
    await becomes(
      path,
      'Programmed',
      /^False BindingNotUsable: .* binds ClusterRole view, not ClusterRole gari-dataplane/,
    );
    await client.delete(rbac);
    await client.apply(binding);
    await becomes(path, 'Programmed', 'True');
    await patch(rbac, { subjects: [{ kind: 'ServiceAccount', name: 'other', namespace: 'default' }] });
    await eventually('the subject to be back', async () => {
      const { subjects } = await client.get<LiveObject>(rbac);
      return subjects?.map(({ name }) => name).join() === 'other,web-gari';
    });
    await becomes(path, 'Programmed', 'True');
  });

  it('needs an address, and says why there is none', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    const path = gatewayPath(namespace);
    await startController(install);
    await client.apply(gatewayOf(install, namespace, 'web', { addresses: [{ value: '203.0.113.9' }] }));
    await becomes(path, 'Programmed', /^False AddressNotUsable: 203\.0\.113\.9 .*not allowed/);
    await client.apply(gatewayOf(install, namespace, 'web', { addresses: [{ value: '198.51.100.200' }] }));
    await becomes(path, 'Programmed', 'True');
    const { status } = await client.get<ObservedGateway>(path);
    expect(status?.addresses).toEqual([{ type: 'IPAddress', value: '198.51.100.200' }]);
    const two = [{ value: '198.51.100.200' }, { value: '203.0.113.9' }];
    await client.apply(gatewayOf(install, namespace, 'web', { addresses: two }));
    await becomes(path, 'Programmed', /^False AddressNotUsable: 203\.0\.113\.9 in spec\.addresses/);
    await becomes(path, 'Accepted', 'True Accepted');
    const other = [{ type: 'test.example.com/fake', value: 'x' }];
    await client.apply(gatewayOf(install, namespace, 'web', { addresses: other }));
    await becomes(path, 'Accepted', 'False UnsupportedAddress');
  });

  it('waits for pods that are late, stays while a rollout hangs, and goes when the last pod does', async () => {
    const { client } = sharedCluster();
    const install = await testInstall();
    const namespace = await testNamespace();
    const path = gatewayPath(namespace);
    const parameters = (spec: string) => client.apply(parametersMap(namespace, 'params', spec));
    // No node has this label, so the pods stay pending.
    const nowhere = 'pod: {nodeSelector: {is: nowhere}}';
    await parameters(nowhere);
    await startController(install);
    const said = await recordProgrammed(namespace);
    const infrastructure = { parametersRef: { group: '', kind: 'ConfigMap', name: 'params' } };
    await client.apply(gatewayOf(install, namespace, 'web', { infrastructure }));
    await becomes(path, 'Programmed', 'False Pending');
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await eventually('a pod that waits', async () => (await client.list(pods)).length === 1);
    await eventually('the change to be recorded', () => said.at(-1) === 'False Pending');
    expect(said).toEqual(['Unknown Pending', 'False Pending']);
    await parameters('pod: {}');
    await becomes(path, 'Programmed', 'True');

    await parameters(nowhere);
    await eventually('a second pod that waits', async () => (await client.list(pods)).length === 2);
    await becomes(path, 'Programmed', 'True');
    await parameters('pod: {}');
    await eventually('one pod', async () => (await client.list(pods)).length === 1);
    expect(await stepsToTrue(said)).toEqual(['Unknown Pending', 'False Pending', 'True Programmed']);
    expect(said.at(-1)).toBe('True Programmed');

    await client.create(noPods(namespace));
    await eventually('the quota to count', async () => {
      const quota = `/api/v1/namespaces/${namespace}/resourcequotas/no-pods`;
      return (await client.get<{ status?: { used?: { pods?: string } } }>(quota)).status?.used?.pods === '1';
    });
    const [pod] = await client.list(pods);
    await client.delete(`${pods}/${pod?.metadata.name}`);
    await becomes(path, 'Programmed', 'False NoResources');
    await client.delete(`/api/v1/namespaces/${namespace}/resourcequotas/no-pods`);
    await becomes(path, 'Programmed', 'True');
  });
});
