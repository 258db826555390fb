// What runs stays as it is while its parameters are wrong: nothing is written to it, not even the same again.
import { expect, it } from 'vitest';
import { formatYaml } from '../functions/yaml.ts';
import { dataPlaneRbac } from '../k8s/data-plane-rbac.ts';
import type { JsonObject } from '../render/json.ts';
import type { Client, KubeObject } from './cluster/client.ts';
import { describeCluster, ownCluster } from './cluster/vitest.ts';
import { ensureDataPlaneCrd } from './data-plane-crd.ts';
import { runGari } from './run-gari.ts';

const GATEWAY_API = 'gateway.networking.k8s.io/v1';
const DATA_PLANE = { group: 'gari.dev', kind: 'DataPlane' };
const CONFIG_MAP = { group: '', kind: 'ConfigMap' };
const OF_CLASS = { ...DATA_PLANE, name: 'class', namespace: 'default' };

const gatewayClass = (parametersRef: JsonObject): JsonObject => ({
  apiVersion: GATEWAY_API,
  kind: 'GatewayClass',
  metadata: { name: 'gari' },
  spec: { controllerName: 'gari.dev/gateway-controller', parametersRef },
});
const gateway = (name: string, parametersRef?: JsonObject): JsonObject => ({
  apiVersion: GATEWAY_API,
  kind: 'Gateway',
  metadata: { name, namespace: 'default' },
  spec: {
    gatewayClassName: 'gari',
    listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
    ...(parametersRef === undefined ? {} : { infrastructure: { parametersRef } }),
  },
});
const dataPlane = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'gari.dev/v1alpha1',
  kind: 'DataPlane',
  metadata: { name, namespace: 'default' },
  spec,
});
const configMap = (name: string, data: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

const CLASS = dataPlane('class', { access: 'Namespaced', policy: { allow: ['access'] } });
const OWN = dataPlane('own', { access: 'Shared', deployment: { replicas: 2 } });
const GOOD = [
  gatewayClass(OF_CLASS),
  CLASS,
  OWN,
  gateway('shop'),
  gateway('web', { ...DATA_PLANE, name: 'own' }),
];

/** What the user has written now, in place of what was good, and what gari says of it. */
interface Fault {
  readonly objects: readonly JsonObject[];
  readonly says: string;
}

const withClass = (parametersRef: JsonObject, ...more: JsonObject[]) => [
  ...[gatewayClass(parametersRef), OWN, gateway('shop'), gateway('web', { ...DATA_PLANE, name: 'own' })],
  ...more,
];
const inClass = (text: string) =>
  withClass(
    { ...CONFIG_MAP, name: 'class', namespace: 'default' },
    configMap('class', { 'dataplane.yaml': text }),
  );

// Each would change the Deployments, were it right.
const OF_A_CLASS: Readonly<Record<string, Fault>> = {
  'are missing': {
    objects: withClass({ ...OF_CLASS, name: 'none' }),
    says: 'spec.parametersRef names DataPlane default/none',
  },
  'are of another kind': {
    objects: withClass({ group: 'example.com', kind: 'Proxy', name: 'class', namespace: 'default' }),
    says: 'spec.parametersRef must be a DataPlane',
  },
  'are in no namespace': {
    objects: withClass({ ...DATA_PLANE, name: 'class' }, CLASS),
    says: 'spec.parametersRef.namespace must be set',
  },
  'have a wrong type': {
    objects: inClass('deployment: {replicas: three}'),
    says: 'data["dataplane.yaml"].deployment.replicas',
  },
  'have an unknown field': {
    objects: inClass('deployment: {replica: 3}'),
    says: 'is not a field of DataPlane',
  },
  'break a rule': {
    objects: inClass('service: {type: ClusterIP, loadBalancerClass: a}'),
    says: 'need the type LoadBalancer',
  },
  'are no YAML': { objects: inClass('deployment: ['), says: 'is not YAML' },
  'stand under another key': {
    objects: withClass(
      { ...CONFIG_MAP, name: 'class', namespace: 'default' },
      configMap('class', { spec: '' }),
    ),
    says: 'data["dataplane.yaml"] must be set',
  },
  'touch identity': {
    objects: inClass(
      formatYaml({
        overlays: { deployment: { merge: { spec: { replicas: 3, selector: { matchLabels: { a: 'b' } } } } } },
      }),
    ),
    says: 'identity',
  },
};

// The class changes, too: even that must wait.
const CHANGED = dataPlane('class', {
  access: 'Namespaced',
  policy: { allow: ['access'] },
  deployment: { minReadySeconds: 5 },
});
const ofGateway = (parametersRef: JsonObject, ...more: JsonObject[]) => [
  ...[gatewayClass(OF_CLASS), CHANGED, gateway('shop'), gateway('web', parametersRef)],
  ...more,
];
const own = (spec: JsonObject) => ofGateway({ ...DATA_PLANE, name: 'own' }, dataPlane('own', spec));

const OF_A_GATEWAY: Readonly<Record<string, Fault>> = {
  'are missing': {
    objects: ofGateway({ ...DATA_PLANE, name: 'none' }),
    says: 'spec.infrastructure.parametersRef names DataPlane default/none',
  },
  'are of another kind': {
    objects: ofGateway({ group: '', kind: 'Secret', name: 'own' }),
    says: 'spec.infrastructure.parametersRef must be a DataPlane',
  },
  'set what the class does not allow': {
    objects: own({ deployment: { replicas: 3 }, container: { image: 'x' } }),
    says: 'spec.container.image may not be set',
  },
  'have a wrong type': {
    objects: own({ deployment: { replicas: 'three' } }),
    says: 'spec.deployment.replicas',
  },
  'have an unknown field': {
    objects: own({ deployment: { replica: 3 } }),
    says: 'is not a field of DataPlane',
  },
  'set a policy': { objects: own({ deployment: { replicas: 3 }, policy: {} }), says: 'spec.policy' },
};

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const CHILDREN = {
  shop: ['/api/v1|serviceaccounts', '/apis/apps/v1|deployments', '/api/v1|services', `${RBAC}|rolebindings`],
  web: ['/api/v1|serviceaccounts', '/apis/apps/v1|deployments', '/api/v1|services'],
} as const;

/** All by which one sees that somebody has written: uid, generation and resourceVersion of each child. */
async function traces(client: Client, ...names: readonly (keyof typeof CHILDREN)[]) {
  const paths = names.flatMap((name) =>
    CHILDREN[name].map((child) => `${child.replace('|', '/namespaces/default/')}/${name}-gari`),
  );
  const objects = await Promise.all(
    [...paths, `${RBAC}/clusterrolebindings/gari-dataplane`].map((path) => client.get<KubeObject>(path)),
  );
  return objects.map(({ kind, metadata: { name, uid, generation, resourceVersion } }) => ({
    ...{ kind, name, uid, generation, resourceVersion },
  }));
}

describeCluster('gari apply, while the parameters', ['gateway-api'], () => {
  it('of a class or a Gateway are wrong, leaves what runs alone', async () => {
    // Without controllers nobody else writes.
    const { client, kubeconfig } = await ownCluster({ parts: ['gateway-api'] });
    await ensureDataPlaneCrd(client);
    for (const object of dataPlaneRbac('gari-dataplane')) await client.apply(object);
    const apply = (objects: readonly JsonObject[]) => runGari('apply', objects, '--kubeconfig', kubeconfig);
    for (const name of ['shop', 'web']) await client.apply(gateway(name));
    expect(await apply(GOOD)).toMatchObject({ exitCode: 0, stderr: '' });
    const before = await traces(client, 'shop', 'web');
    // Two ServiceAccounts, Deployments and Services, a RoleBinding and the shared binding.
    expect(before.length).toBe(8);

    const faults = [
      ...Object.entries(OF_A_CLASS).map(([what, fault]) => ({ what: `of the class ${what}`, ...fault })),
      ...Object.entries(OF_A_GATEWAY).map(([what, fault]) => ({ what: `of the Gateway ${what}`, ...fault })),
    ];
    for (const { what, objects, says } of faults) {
      const { exitCode, stderr } = await apply(objects);
      expect(stderr, what).toContain(says);
      expect(exitCode).toBe(1);
      expect(await traces(client, 'shop', 'web'), what).toEqual(before);
    }

    // Once all is right again, it is as it was.
    expect(await apply(GOOD)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await traces(client, 'shop', 'web')).toEqual(before);
    expect(await apply([gatewayClass(OF_CLASS), CHANGED, gateway('shop')])).toMatchObject({ exitCode: 0 });
    expect(await traces(client, 'shop')).not.toEqual(before.filter(({ name }) => name !== 'web-gari'));
  }, 300_000);
});
