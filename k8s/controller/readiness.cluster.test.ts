// Programmed and pods that are late, crash, or are never ready.
import { expect, it } from 'vitest';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { conditionOf } from '../status/conditions.ts';
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
const FIRST_STEPS = ['Unknown Pending', 'False Pending', 'True Programmed'];

interface Pod {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly status: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime: string;
    }[];
  };
}

const pods = (namespace: string) => sharedCluster().client.list<Pod>(`/api/v1/namespaces/${namespace}/pods`);

const readyOf = ({ status }: Pod) => status.conditions?.find(({ type }) => type === 'Ready');

const crash = (namespace: string, pod: Pod | undefined) =>
  sharedCluster().client.request('PATCH', `/api/v1/namespaces/${namespace}/pods/${pod?.metadata.name}`, {
    body: { metadata: { annotations: { readiness: 'crash' } } },
    contentType: 'application/merge-patch+json',
  });

/** A Gateway whose pods behave as a stage of `test/cluster/stages` says. */
async function servedBy(readiness: string, more: object = {}) {
  const { client } = sharedCluster();
  const install = await testInstall();
  const namespace = await testNamespace();
  await startController(install);
  const said = await recordProgrammed(namespace);
  const set = (label: string) =>
    client.apply(
      gatewayOf(install, namespace, 'web', { infrastructure: { labels: { readiness: label }, ...more } }),
      { force: true },
    );
  await set(readiness);
  return { namespace, said, set, path: gatewayPath(namespace) };
}

describeCluster('Programmed', PARTS, () => {
  it('waits for pods that are late, and stays while the next ones are never ready', async () => {
    const { namespace, said, set, path } = await servedBy('late');
    await becomes(path, 'Programmed', 'True Programmed');
    const [pod] = await pods(namespace);
    const { status } = await sharedCluster().client.get<ObservedGateway>(path);
    const since = conditionOf(status?.conditions, 'Programmed')?.lastTransitionTime ?? '';
    expect(pod && readyOf(pod)).toMatchObject({ status: 'True' });
    expect(Date.parse(since)).toBeGreaterThanOrEqual(
      Date.parse(readyOf(pod as Pod)?.lastTransitionTime ?? ''),
    );

    await set('withheld');
    await eventually('a pod that runs and is not ready', async () =>
      (await pods(namespace)).some(
        (each) => each.metadata.labels?.readiness === 'withheld' && readyOf(each)?.status === 'False',
      ),
    );
    await becomes(path, 'Programmed', 'True Programmed');
    await set('late');
    await eventually('the old pods alone', async () =>
      (await pods(namespace)).every(({ metadata }) => metadata.labels?.readiness === 'late'),
    );
    await becomes(path, 'Programmed', 'True Programmed');
    expect(await stepsToTrue(said)).toEqual(FIRST_STEPS);
  });

  it('is never true while readiness is withheld', async () => {
    const { namespace, said, set, path } = await servedBy('withheld');
    await eventually('a pod that runs and is not ready', async () =>
      (await pods(namespace)).some((each) => readyOf(each)?.status === 'False'),
    );
    await becomes(path, 'Programmed', 'False Pending');
    await set('late');
    await becomes(path, 'Programmed', 'True Programmed');
    expect(await stepsToTrue(said)).toEqual(FIRST_STEPS);
  });

  it('goes when the only pod crashes, and comes back with another', async () => {
    const { namespace, said, path } = await servedBy('late');
    await becomes(path, 'Programmed', 'True Programmed');
    const [pod] = await pods(namespace);
    await crash(namespace, pod);
    await becomes(
      path,
      'Programmed',
      'False NoResources: Deployment web-gari has too few available replicas',
    );
    await sharedCluster().client.delete(`/api/v1/namespaces/${namespace}/pods/${pod?.metadata.name}`);
    await becomes(path, 'Programmed', 'True Programmed');
    expect(await stepsToTrue(said)).toEqual([...FIRST_STEPS, 'False NoResources', 'True Programmed']);
  });

  it('stays while one of two pods crashes, where the Deployment may be without one', async () => {
    const { client } = sharedCluster();
    const parametersRef = { group: '', kind: 'ConfigMap', name: 'params' };
    const { namespace, said, path } = await servedBy('late', { parametersRef });
    const strategy = 'strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1}}';
    await client.apply(parametersMap(namespace, 'params', `deployment: {replicas: 2, ${strategy}}`));
    await becomes(path, 'Programmed', 'True Programmed');
    await eventually(
      'two pods that are ready',
      async () => (await pods(namespace)).filter((each) => readyOf(each)?.status === 'True').length === 2,
    );
    const [one] = await pods(namespace);
    await crash(namespace, one);
    await eventually('the Deployment to know', async () => {
      const { status } = await client.get<{ status: { availableReplicas?: number } }>(
        `/apis/apps/v1/namespaces/${namespace}/deployments/web-gari`,
      );
      return status.availableReplicas === 1;
    });
    await becomes(path, 'Programmed', 'True Programmed');
    // Its own parameters came after it.
    expect((await stepsToTrue(said)).filter((each) => each !== 'False Invalid')).toEqual(FIRST_STEPS);
  });
});
