// While parameters are wrong, what runs is not touched, not even with the same again.
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { ensureDataPlaneCrd } from '../../test/data-plane-crd.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedDeployment } from '../status/observed.ts';
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
const DATA_PLANE = { group: 'gari.dev', kind: 'DataPlane' };
const CONFIG_MAP = { group: '', kind: 'ConfigMap' };
const OTHER_KIND = { group: 'example.com', kind: 'Proxy', name: 'own' };

const dataPlane = (namespace: string, name: string, spec: object) => ({
  apiVersion: 'gari.dev/v1alpha1',
  kind: 'DataPlane',
  metadata: { name, namespace },
  spec,
});
const dataPlanePath = (namespace: string, name: string) =>
  `/apis/gari.dev/v1alpha1/namespaces/${namespace}/dataplanes/${name}`;

const classPath = ({ className }: TestInstall) =>
  `/apis/gateway.networking.k8s.io/v1/gatewayclasses/${className}`;

const setClass = ({ className, options }: TestInstall, parametersRef: object) =>
  sharedCluster().client.apply(
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: className },
      spec: { controllerName: options.controllerName, parametersRef },
    },
    { force: true },
  );

/** What there is of a Gateway's objects, and who is a subject. */
async function stateOf(install: TestInstall, namespace: string) {
  const { client } = sharedCluster();
  const paths = [
    `/api/v1/namespaces/${namespace}/serviceaccounts/web-gari`,
    `/apis/apps/v1/namespaces/${namespace}/deployments/web-gari`,
    `/api/v1/namespaces/${namespace}/services/web-gari`,
    `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${install.bindingName}`,
  ];
  const objects = await Promise.all(paths.map((path) => client.get<LiveObject>(path)));
  return objects.map(({ kind, metadata: { uid, resourceVersion }, subjects }) => ({
    ...{ kind, uid, resourceVersion },
    ...(subjects === undefined ? {} : { subjects }),
  }));
}

async function rolledOut(namespace: string): Promise<void> {
  await eventually('the rollout to be done', async () => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web-gari`;
    const { metadata, status, spec } = await sharedCluster().client.get<ObservedDeployment>(path);
    const progressing = status?.conditions?.find(({ type }) => type === 'Progressing');
    return (
      status?.observedGeneration === metadata.generation &&
      status?.availableReplicas === spec?.replicas &&
      progressing?.reason === 'NewReplicaSetAvailable'
    );
  });
}

/** A Gateway that serves, with parameters of its own and of its class, both DataPlanes. */
async function serving() {
  const { client } = sharedCluster();
  const install = await testInstall();
  const namespace = await testNamespace();
  const ofClass = dataPlane(namespace, 'of-class', { service: { annotations: { tier: 'a' } } });
  const own = dataPlane(namespace, 'own', { deployment: { replicas: 2 } });
  for (const each of [ofClass, own]) await client.apply(each);
  const classRef = { ...DATA_PLANE, name: 'of-class', namespace };
  await setClass(install, classRef);
  await startController(install);
  const setOwn = (parametersRef: object) =>
    client.apply(gatewayOf(install, namespace, 'web', { infrastructure: { parametersRef } }), {
      force: true,
    });
  await setOwn({ ...DATA_PLANE, name: 'own' });
  await becomes(gatewayPath(namespace), 'Programmed', 'True Programmed');
  await rolledOut(namespace);
  return { install, namespace, ofClass, own, classRef, setOwn, before: await stateOf(install, namespace) };
}

describeCluster('what runs stays as it is', PARTS, () => {
  beforeEach(async () => {
    await ensureDataPlaneCrd();
  });

  it('while the parameters of its Gateway are wrong, in whatever way', { timeout: 120_000 }, async () => {
    const { client } = sharedCluster();
    const { install, namespace, own, setOwn, before } = await serving();
    const path = gatewayPath(namespace);
    await client.apply(parametersMap(namespace, 'own', 'deployment: {replcias: 3}'));
    const faults: [string, () => Promise<unknown>, RegExp][] = [
      ['missing', () => setOwn({ ...DATA_PLANE, name: 'none' }), /DataPlane .*none/],
      ['of another kind', () => setOwn(OTHER_KIND), /spec\.infrastructure\.parametersRef .*Proxy/],
      ['misspelled', () => setOwn({ ...CONFIG_MAP, name: 'own' }), /deployment\.replcias/],
      [
        'beyond what the class allows',
        async () => {
          await client.apply(dataPlane(namespace, 'other', { container: { image: 'evil:1' } }));
          await setOwn({ ...DATA_PLANE, name: 'other' });
        },
        /container\.image/,
      ],
      [
        'deleted',
        async () => {
          await client.delete(dataPlanePath(namespace, 'own'));
          await setOwn({ ...DATA_PLANE, name: 'own' });
        },
        /DataPlane .*own/,
      ],
    ];
    for (const [what, make, says] of faults) {
      await make();
      await becomes(path, 'Accepted', new RegExp(`^False InvalidParameters: .*${says.source}`));
      expect(await stateOf(install, namespace), what).toEqual(before);
    }
    // No event but this one tells that all is well again.
    await client.apply(own);
    await becomes(path, 'Accepted', 'True');
    await becomes(path, 'Programmed', 'True Programmed');
    expect(await stateOf(install, namespace)).toEqual(before);
    await client.delete(classPath(install));
  });

  it('while the parameters of its class are wrong, in whatever way', { timeout: 120_000 }, async () => {
    const { client } = sharedCluster();
    const { install, namespace, ofClass, classRef, before } = await serving();
    await client.apply(parametersMap(namespace, 'of-class', 'service: {type: LoadBalancr}'));
    const faults: [string, () => Promise<unknown>, RegExp][] = [
      ['missing', () => setClass(install, { ...classRef, name: 'none' }), /DataPlane .*none/],
      ['of another kind', () => setClass(install, { ...OTHER_KIND, namespace }), /Proxy/],
      ['wrong', () => setClass(install, { ...CONFIG_MAP, name: 'of-class', namespace }), /service\.type/],
      [
        'deleted',
        async () => {
          await client.delete(dataPlanePath(namespace, 'of-class'));
          await setClass(install, classRef);
        },
        /DataPlane .*of-class/,
      ],
    ];
    for (const [what, make, says] of faults) {
      await make();
      const expected = new RegExp(`^False InvalidParameters: .*${says.source}`);
      await becomes(classPath(install), 'Accepted', expected);
      await becomes(gatewayPath(namespace), 'Accepted', expected);
      expect(await stateOf(install, namespace), what).toEqual(before);
    }
    await client.apply(ofClass);
    for (const path of [classPath(install), gatewayPath(namespace)]) await becomes(path, 'Accepted', 'True');
    await becomes(gatewayPath(namespace), 'Programmed', 'True Programmed');
    expect(await stateOf(install, namespace)).toEqual(before);

    // What changes for all is followed by all.
    await client.apply({ ...ofClass, spec: { service: { annotations: { tier: 'b' } } } }, { force: true });
    await eventually('the annotation of the class', async () => {
      const service = await client.get<LiveObject>(`/api/v1/namespaces/${namespace}/services/web-gari`);
      return service.metadata.annotations?.tier === 'b';
    });
    await client.delete(classPath(install));
  });
});
