// A Gateway from its creation to its end, with the real Deployment controller and a real allocator of addresses.
import { expect, it } from 'vitest';
import { auditEvents, auditMark } from '../../test/cluster/audit.ts';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { holdingProxy } from '../../test/holding-proxy.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedGateway } from '../status/observed.ts';
import { becomes, gatewayOf, gatewayPath, startController, testInstall } from './test-controller.ts';

const PARTS = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;

describeCluster('a Gateway', PARTS, () => {
  it('is created, served, changed and gone', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const install = await testInstall();
    const namespace = await testNamespace();
    const mark = await auditMark(cluster);
    await startController(install);
    await client.apply(gatewayOf(install, namespace));
    const path = gatewayPath(namespace);
    await becomes(path, 'Programmed', 'True Programmed');
    const { status, metadata } = await client.get<ObservedGateway>(path);
    expect(status?.conditions?.map(({ type, status: value }) => `${type} ${value}`).sort()).toEqual([
      'Accepted True',
      'Programmed True',
    ]);
    expect(status?.addresses).toEqual([
      { type: 'IPAddress', value: expect.stringMatching(/^198\.51\.100\.\d+$/) },
    ]);
    const rbac = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${install.bindingName}`;
    const subjects = async () => (await client.get<LiveObject>(rbac)).subjects;
    expect(await subjects()).toEqual([{ kind: 'ServiceAccount', name: 'web-gari', namespace }]);
    const mine = async () =>
      (await auditEvents(cluster, mark)).filter(({ user }) => user.username === install.username);
    const writes = async () =>
      (await mine())
        .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
        .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}${objectRef?.subresource ?? ''}`);
    const first = await writes();
    // The binding is written as soon as the ServiceAccount is seen, by a writer of its own.
    expect(first.filter((each) => each !== 'patch gatewaysstatus').sort()).toEqual([
      'patch clusterrolebindings',
      'patch deployments',
      'patch serviceaccounts',
      'patch services',
    ]);
    expect(first.length).toBeLessThanOrEqual(7);
    // No CRD of parameters is installed here; all else that was asked for is there and allowed.
    const refused = (await mine()).filter(({ responseStatus }) => (responseStatus?.code ?? 0) >= 400);
    expect(refused.filter(({ objectRef }) => objectRef?.resource !== 'dataplanes')).toEqual([]);

    await client.apply(gatewayOf(install, namespace, 'web', { infrastructure: { labels: { team: 'a' } } }));
    await eventually('the label on the pod template', async () => {
      const deployment = await client.get<{ spec: { template: LiveObject } }>(
        `/apis/apps/v1/namespaces/${namespace}/deployments/web-gari`,
      );
      return deployment.spec.template.metadata.labels?.team === 'a';
    });
    await becomes(path, 'Programmed', 'True Programmed');

    await client.delete(path);
    await eventually('the subject to go', async () => (await subjects()) === undefined);
    expect(metadata.uid).toBeDefined();
  });

  it('gets no object anew while garbage collection is ahead of the news that it is gone', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const install = await testInstall();
    const namespace = await testNamespace();
    const path = gatewayPath(namespace);
    const first = await startController(install);
    await client.apply(gatewayOf(install, namespace));
    await becomes(path, 'Programmed', 'True Programmed');
    await first.stop();

    // The next one reads the list of Gateways, and then hears nothing.
    let reads = 0;
    const { kubeconfig, passed } = await holdingProxy(cluster, (request) => {
      const isGateways = request.path === '/apis/gateway.networking.k8s.io/v1/gateways';
      if (isGateways) reads++;
      return isGateways && reads > 1 ? new Promise(() => undefined) : undefined;
    });
    await startController({ ...install, kubeconfig });
    // What is altered is still mended.
    const service = `/api/v1/namespaces/${namespace}/services/web-gari`;
    await client.request('PATCH', service, {
      body: { spec: { ports: [{ name: 'http-80', port: 80, targetPort: 1 }] } },
      contentType: 'application/merge-patch+json',
    });
    await eventually('the Service to be mended', () => passed.includes(`PATCH ${service}`));
    passed.length = 0;
    await client.delete(path);
    await eventually(
      'the Service to be collected',
      async () => (await client.request('GET', service)).status === 404,
    );
    await eventually('a look at the Gateway', () => passed.includes(`GET ${path}`));
    // Its rights go, as its ServiceAccount has.
    const made = passed.filter((each) => each.startsWith('PATCH ') && each.includes(`/${namespace}/`));
    expect(made).toEqual([]);
  });
});
