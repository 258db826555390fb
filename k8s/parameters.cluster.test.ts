// What `gari apply` makes of parameters on a real API server: read by name, applied, and never by force.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { run } from '../functions/cli.ts';
import { formatYaml } from '../functions/yaml.ts';
import type { KubeObject } from '../test/cluster/client.ts';
import { serviceAccountKubeconfig } from '../test/cluster/service-account.ts';
import { describeCluster, sharedCluster, testNamespace } from '../test/cluster/vitest.ts';
import { ensureDataPlaneCrd } from '../test/data-plane-crd.ts';
import { dataPlaneRbac } from './data-plane-rbac.ts';

const id = randomBytes(4).toString('hex');
const binding = `gari-${id}`;
const className = `gari-class-${id}`;
const directory = mkdtempSync(join(tmpdir(), 'gari-parameters-'));
let namespace = '';

const GATEWAY_API = 'gateway.networking.k8s.io/v1';
const gateway = (annotations: Record<string, string> = {}, infrastructure = {}) => ({
  apiVersion: GATEWAY_API,
  kind: 'Gateway',
  metadata: { name: 'web', namespace, annotations },
  spec: {
    gatewayClassName: className,
    listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
    infrastructure,
  },
});
const parameters = (spec: object, name = 'class') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: { 'dataplane.yaml': formatYaml(spec as never) },
});
const gatewayClass = () => ({
  apiVersion: GATEWAY_API,
  kind: 'GatewayClass',
  metadata: { name: className },
  spec: {
    controllerName: 'gari.dev/gateway-controller',
    parametersRef: { group: '', kind: 'ConfigMap', name: 'class', namespace },
  },
});

async function apply(objects: readonly object[], ...flags: string[]) {
  const file = join(directory, `${randomBytes(4).toString('hex')}.yaml`);
  writeFileSync(file, objects.map((object) => formatYaml(object as never)).join('---\n'));
  let [stdout, stderr] = ['', ''];
  const io = {
    stdout: (text: string) => {
      stdout += text;
    },
    stderr: (text: string) => {
      stderr += text;
    },
  };
  const connection = flags.includes('--kubeconfig') ? [] : ['--kubeconfig', sharedCluster().kubeconfig];
  const args = ['apply', file, '--binding-name', binding, '--class-name', className, ...connection, ...flags];
  return { exitCode: await run(args, io), stdout, stderr };
}

const child = (plural: string) => {
  const groups: Record<string, string> = {
    deployments: '/apis/apps/v1',
    rolebindings: '/apis/rbac.authorization.k8s.io/v1',
  };
  return `${groups[plural] ?? '/api/v1'}/namespaces/${namespace}/${plural}/web-gari`;
};
const live = (plural: string) => sharedCluster().client.get<KubeObject & { spec: object }>(child(plural));
/** What only a write of somebody's wish changes, whatever controllers are up to. */
const written = async (plural: string) => {
  const { metadata, spec } = await live(plural);
  const { uid, generation, labels } = metadata as { uid?: string; generation?: number; labels?: object };
  return JSON.stringify([uid, generation, labels, spec]);
};
const status = async (plural: string) => (await sharedCluster().client.request('GET', child(plural))).status;

/** The Gateway, its class and what the class says, in the cluster. */
async function given(spec: object, annotations = {}) {
  const { client } = sharedCluster();
  for (const object of [parameters(spec), gatewayClass(), gateway(annotations)]) await client.apply(object);
}

describeCluster('gari apply with parameters', ['gateway-api'], () => {
  beforeAll(async () => {
    for (const object of dataPlaneRbac(binding)) await sharedCluster().client.apply(object);
  });
  beforeEach(async () => {
    namespace = await testNamespace();
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true });
    const { client } = sharedCluster();
    await client.request('DELETE', `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${binding}`);
    await client.request('DELETE', `/apis/${GATEWAY_API}/gatewayclasses/${className}`);
    for (const kind of ['clusterroles', 'clusterrolebindings'])
      await client.request('DELETE', `/apis/rbac.authorization.k8s.io/v1/${kind}/${className}`);
  });

  it('reads the class and its parameters from the cluster where the files do not hold them', async () => {
    await given({ deployment: { replicas: 2 }, container: { image: 'nginx:1' } });
    const result = await apply([gateway()]);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await live('deployments')).toMatchObject({
      spec: { replicas: 2, template: { spec: { containers: [{ image: 'nginx:1' }] } } },
    });
    // What the files hold is what counts.
    expect(
      (await apply([gateway(), gatewayClass(), parameters({ deployment: { replicas: 4 } })])).exitCode,
    ).toBe(0);
    expect(await live('deployments')).toMatchObject({ spec: { replicas: 4 } });
  });

  it('reads a DataPlane of a class, and what a Gateway may say beside it', async () => {
    await ensureDataPlaneCrd();
    const { client } = sharedCluster();
    const dataPlane = (name: string, spec: object) => ({
      apiVersion: 'gari.dev/v1alpha1',
      kind: 'DataPlane',
      metadata: { name, namespace },
      spec,
    });
    const ofKind = { group: 'gari.dev', kind: 'DataPlane' };
    const { spec, ...rest } = gatewayClass();
    const own = gateway({}, { parametersRef: { ...ofKind, name: 'own' } });
    await client.apply(dataPlane('class', { deployment: { minReadySeconds: 5 }, http3: false }));
    await client.apply(dataPlane('own', { deployment: { replicas: 3 } }));
    await client.apply({ ...rest, spec: { ...spec, parametersRef: { ...spec.parametersRef, ...ofKind } } });
    await client.apply(own);
    expect(await apply([own])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await live('deployments')).toMatchObject({ spec: { replicas: 3, minReadySeconds: 5 } });
    await client.apply(dataPlane('own', { container: { image: 'mine' } }));
    expect((await apply([own])).stderr).toContain(
      `error: DataPlane ${namespace}/own: spec.container.image may not be set by a Gateway of class ${className}`,
    );
  });

  it('says what cannot be found or is wrong, and touches nothing', async () => {
    await given({ deployment: { replicas: 2 } });
    await apply([gateway()]);
    const before = await Promise.all(['deployments', 'services', 'serviceaccounts'].map(written));
    const missing = { parametersRef: { group: '', kind: 'ConfigMap', name: 'none' } };
    const unknown = await apply([gateway({}, missing)]);
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain(
      `error: Gateway ${namespace}/web: spec.infrastructure.parametersRef names ConfigMap ${namespace}/none, which cannot be found`,
    );
    const noCrd = { parametersRef: { group: 'gari.dev', kind: 'DataPlane', name: 'none' } };
    expect((await apply([gateway({}, noCrd)])).stderr).toContain(`names DataPlane ${namespace}/none`);
    await sharedCluster().client.apply(parameters({ deployment: { replica: 3 } }));
    expect((await apply([gateway()])).stderr).toBe(
      `error: ConfigMap ${namespace}/class: data["dataplane.yaml"].deployment.replica is not a field of DataPlane; did you mean deployment.replicas?\n`,
    );
    const after = await Promise.all(['deployments', 'services', 'serviceaccounts'].map(written));
    expect(after).toEqual(before);
  });

  it('says which right it lacks to read parameters', async () => {
    await given({ deployment: { replicas: 2 } });
    const { client } = sharedCluster();
    const rbac = 'rbac.authorization.k8s.io';
    const rules = [
      { apiGroups: ['gateway.networking.k8s.io'], resources: ['gatewayclasses'], verbs: ['get'] },
    ];
    await client.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader', namespace } });
    await client.apply({
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: className },
      rules,
    });
    await client.apply({
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: className },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: className },
      subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace }],
    });
    const kubeconfig = await serviceAccountKubeconfig(sharedCluster(), namespace, 'reader');
    const { exitCode, stderr } = await apply([gateway()], '--kubeconfig', kubeconfig);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `error: no right to get configmaps class in namespace ${namespace}, which parameters are in\n`,
    );
  });

  it('binds a data plane to its namespace, and unbinds it', async () => {
    await given({ access: 'Namespaced' });
    expect((await apply([gateway()])).stdout).toContain(
      `rolebinding.rbac.authorization.k8s.io/web-gari created in ${namespace}`,
    );
    expect(await live('rolebindings')).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'gari-dataplane' },
      subjects: [{ kind: 'ServiceAccount', name: 'web-gari', namespace }],
    });
    await sharedCluster().client.apply(parameters({ access: 'None' }));
    expect((await apply([gateway()])).stdout).toContain(
      `rolebinding.rbac.authorization.k8s.io/web-gari pruned in ${namespace}`,
    );
    expect(await status('rolebindings')).toBe(404);
  });

  it.each<[string, object]>([
    ['the default', {}],
    ['of its own', { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } } }],
  ])('changes a rolling update, %s, into Recreate and back', async (_, deployment) => {
    await given({ deployment });
    await apply([gateway()]);
    await sharedCluster().client.apply(parameters({ deployment: { strategy: { type: 'Recreate' } } }));
    expect(await apply([gateway()])).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await live('deployments')).spec).toMatchObject({ strategy: { type: 'Recreate' } });
    expect((await apply([gateway()])).stdout).toContain('deployment.apps/web-gari unchanged');
    await sharedCluster().client.apply(parameters({ deployment: {} }));
    expect(await apply([gateway()])).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await live('deployments')).spec).toMatchObject({ strategy: { type: 'RollingUpdate' } });
  });

  it.each([
    ['is set later', undefined, 'example.com/a', 'nothing to "example.com/a"'],
    ['changes', 'example.com/a', 'example.com/b', '"example.com/a" to "example.com/b"'],
    ['goes', 'example.com/a', undefined, '"example.com/a" to nothing'],
  ])(
    'deletes no Service whose loadBalancerClass %s, but for who allows it',
    async (_, first, then, change) => {
      const service = (loadBalancerClass?: string) => ({
        service: { type: 'LoadBalancer', ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }) },
      });
      await given(service(first));
      await apply([gateway()]);
      const before = await live('services');
      const asBefore = await written('services');
      await sharedCluster().client.apply(parameters(service(then)));
      const refused = await apply([gateway()]);
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toBe(
        `error: service/web-gari failed in ${namespace}: spec.loadBalancerClass cannot be changed from ${change}; annotate the Gateway with gari.dev/allow-recreate: "true" to have it deleted and created anew\n`,
      );
      expect(await written('services')).toBe(asBefore);
      const allowed = gateway({ 'gari.dev/allow-recreate': 'true' });
      const dry = await apply([allowed], '--dry-run=server');
      expect(dry.stdout).toContain('service/web-gari configured');
      expect(await written('services')).toBe(asBefore);
      expect(await apply([allowed])).toMatchObject({ exitCode: 0, stderr: '' });
      const after = await live('services');
      expect(after.metadata.uid).not.toBe(before.metadata.uid);
      expect((after.spec as { loadBalancerClass?: string }).loadBalancerClass).toBe(then);
      // Nothing is left to be done.
      expect((await apply([allowed])).stdout).toContain('service/web-gari unchanged');
    },
  );

  it('lets a load balancer class go together with the load balancer', async () => {
    await given({ service: { type: 'LoadBalancer', loadBalancerClass: 'example.com/a' } });
    await apply([gateway()]);
    const { uid } = (await live('services')).metadata;
    await sharedCluster().client.apply(parameters({ service: { type: 'ClusterIP' } }));
    expect(await apply([gateway()])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await live('services')).toMatchObject({ metadata: { uid }, spec: { type: 'ClusterIP' } });
  });
});
