import { expect, test } from 'vitest';
import { auditEvents, auditMark } from './audit.ts';
import { ApiError } from './client.ts';
import { eventually } from './eventually.ts';
import { DEFAULT_KUBERNETES } from './go-modules.ts';
import { kubectl } from './kubectl.ts';
import { ADDRESS_POOL } from './metallb.ts';
import { serviceAccountKubeconfig, serviceAccountToken } from './service-account.ts';
import { describeCluster, sharedCluster, testNamespace } from './vitest.ts';

function deployment(namespace: string) {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } },
    },
  };
}

function loadBalancer(namespace: string, loadBalancerIP?: string) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace },
    spec: { type: 'LoadBalancer', loadBalancerIP, selector: { app: 'web' }, ports: [{ port: 80 }] },
  };
}

type ServiceStatus = { status: { loadBalancer: { ingress?: { ip: string }[] } } };

describeCluster('the API server', [], () => {
  test('is ready and is the version that was asked for', async () => {
    const { client } = sharedCluster();
    expect((await client.request<string>('GET', '/readyz')).body).toBe('ok');
    const { minor } = await client.get<{ minor: string }>('/version');
    const [, wanted] = (process.env.GARI_TEST_KUBERNETES ?? DEFAULT_KUBERNETES).split('.');
    if (!process.env.KUBEBUILDER_ASSETS) expect(minor).toBe(wanted);
  });

  test('denies a ServiceAccount without rights, and lets it in once bound', async () => {
    const cluster = sharedCluster();
    const namespace = await testNamespace();
    await cluster.client.create({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'nobody', namespace },
    });
    const nobody = cluster.client.as(await serviceAccountToken(cluster, namespace, 'nobody'));
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    expect((await nobody.request('GET', path)).status).toBe(403);
    expect((await cluster.client.as(undefined).request('GET', path)).status).toBe(403);

    await cluster.client.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'reader', namespace },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    });
    await cluster.client.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'nobody', namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'ServiceAccount', name: 'nobody', namespace }],
    });
    await eventually('the binding counts', async () => (await nobody.request('GET', path)).status === 200);
  });

  test('writes what was asked to the audit log', async () => {
    const cluster = sharedCluster();
    const namespace = await testNamespace();
    const mark = await auditMark(cluster);
    const map = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'audited', namespace },
      data: { a: 'b' },
    };
    await cluster.client.apply(map);
    await cluster.client.delete(`/api/v1/namespaces/${namespace}/configmaps/audited`);
    const events = (await auditEvents(cluster, mark)).filter((event) => event.objectRef?.name === 'audited');
    expect(
      events.map(({ verb, user, responseStatus }) => [verb, user.username, responseStatus?.code]),
    ).toEqual([
      ['patch', 'admin', 201],
      ['delete', 'admin', 200],
    ]);
  });

  test('warns about unknown fields, and refuses them when strict', async () => {
    const { client } = sharedCluster();
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, dat: {} };
    const answer = await client.request('POST', '/api/v1/namespaces/default/configmaps', {
      query: { dryRun: 'All', fieldValidation: 'Warn' },
      body: object,
    });
    expect(answer.status).toBe(201);
    expect(answer.warnings).toEqual(['unknown field "dat"']);
    await expect(client.apply(object, { dryRun: true, fieldValidation: 'Strict' })).rejects.toThrow(
      'field not declared',
    );
  });

  test('answers kubectl, as admin and as a ServiceAccount', async () => {
    const cluster = sharedCluster();
    const namespace = await testNamespace();
    const applied = await kubectl(cluster, ['apply', '--server-side', '-n', namespace, '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'nobody' } }),
    });
    expect(applied).toMatchObject({ code: 0, stdout: 'serviceaccount/nobody serverside-applied\n' });
    const kubeconfig = await serviceAccountKubeconfig(cluster, namespace, 'nobody');
    const denied = await kubectl(cluster, ['get', 'secrets'], { kubeconfig });
    expect(denied.code).toBe(1);
    expect(denied.stderr).toContain(`system:serviceaccount:${namespace}:nobody`);
  });
});

describeCluster('Gateway API', ['gateway-api'], () => {
  test('refuses what its schema does not allow', async () => {
    const { client } = sharedCluster();
    const refused = await client
      .apply(
        {
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind: 'Gateway',
          metadata: { name: 'bad', namespace: 'default' },
          spec: { gatewayClassName: 'none', listeners: [{ name: 'http', port: 0, protocol: 'HTTP' }] },
        },
        { dryRun: true },
      )
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 422, reason: 'Invalid' });
  });

  test.each([
    ['v1', 'gatewayclasses'],
    ['v1', 'gateways'],
    ['v1', 'listenersets'],
    ['v1', 'referencegrants'],
    ['v1beta1', 'referencegrants'],
    ['v1', 'httproutes'],
  ])('serves %s %s', async (version, plural) => {
    const { client } = sharedCluster();
    expect(await client.list(`/apis/gateway.networking.k8s.io/${version}/${plural}`)).toBeInstanceOf(Array);
  });
});

describeCluster('the controllers', ['controller-manager', 'gateway-api'], () => {
  test('collect what a deleted Gateway owned', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const owner = await client.create({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'owner', namespace },
      spec: { gatewayClassName: 'none', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
    });
    const { apiVersion, kind, metadata } = owner;
    await client.create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'owned',
        namespace,
        ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }],
      },
    });
    await client.delete(await client.pathOf(owner));
    const path = `/api/v1/namespaces/${namespace}/configmaps/owned`;
    await eventually(
      'the owned object is gone',
      async () => (await client.request('GET', path)).status === 404,
    );
  });
});

describeCluster('pods', ['controller-manager', 'scheduler', 'kwok'], () => {
  test('a Deployment of 1 becomes available', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    await client.create(deployment(namespace));
    await eventually('it is available', async () => {
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
      const { status } = await client.get<{ status: { availableReplicas?: number } }>(path);
      return status.availableReplicas === 1;
    });
  });
});

describeCluster('load balancers', ['controller-manager', 'metallb'], () => {
  test('a Service gets an address of the pool', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    await client.create(loadBalancer(namespace));
    const [network] = ADDRESS_POOL.split('0/');
    expect(await address(namespace)).toContain(network);
  });

  test('a Service gets the address that it asks for', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    await client.create(loadBalancer(namespace, '198.51.100.200'));
    expect(await address(namespace)).toBe('198.51.100.200');
  });

  test('an address outside the pool is refused with an event', async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    await client.create(loadBalancer(namespace, '203.0.113.7'));
    await eventually('the event is there', async () => {
      const events = await client.list<{ reason: string }>(`/api/v1/namespaces/${namespace}/events`);
      return events.some((event) => event.reason === 'AllocationFailed');
    });
    const service = await client.get<ServiceStatus>(`/api/v1/namespaces/${namespace}/services/web`);
    expect(service.status.loadBalancer.ingress).toBeUndefined();
  });

  function address(namespace: string): Promise<string> {
    return eventually('the Service has an address', async () => {
      const path = `/api/v1/namespaces/${namespace}/services/web`;
      const { status } = await sharedCluster().client.get<ServiceStatus>(path);
      return status.loadBalancer.ingress?.[0]?.ip;
    });
  }
});
