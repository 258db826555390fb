// Many Gateways at once.
import { expect, it, onTestFinished } from 'vitest';
import { auditEvents, auditMark } from '../../test/cluster/audit.ts';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { loadCredentials } from '../credentials.ts';
import type { ObservedDeployment } from '../status/observed.ts';
import { Transport } from '../transport.ts';
import { templateHashOf } from './rollout-budget.ts';
import {
  becomes,
  gatewayOf,
  gatewayPath,
  startController,
  type TestInstall,
  testInstall,
} from './test-controller.ts';

const PARTS = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;
const MANY = 50;
const AT_ONCE = 5;

const names = Array.from({ length: MANY }, (_, n) => `g${n}`);

/** A newer version of gari, or of the class: another image for all. */
function newer(install: TestInstall): TestInstall {
  return { ...install, options: { ...install.options, image: 'gari-dataplane:v0.2.0' } };
}

/** Follows how many Deployments have their pods replaced at once; the most that ever did is `most`. */
async function watchRollouts(namespace: string): Promise<{ readonly most: () => number }> {
  const transport = new Transport(await loadCredentials({ kubeconfig: sharedCluster().kubeconfig }));
  const end = new AbortController();
  const first = new Map<string, string | undefined>();
  const underWay = new Set<string>();
  let most = 0;
  const record = async (): Promise<void> => {
    for await (const event of transport.watch(
      `/apis/apps/v1/namespaces/${namespace}/deployments`,
      {},
      end.signal,
    )) {
      const { object } = event as { readonly object: ObservedDeployment };
      const { name } = object.metadata;
      const hash = templateHashOf(object);
      if (!first.has(name)) first.set(name, hash);
      const { observedGeneration, conditions = [], updatedReplicas } = object.status ?? {};
      const isDone =
        observedGeneration === object.metadata.generation &&
        updatedReplicas === 1 &&
        conditions.some(({ type, reason }) => type === 'Progressing' && reason === 'NewReplicaSetAvailable');
      if (hash !== first.get(name) && !isDone) underWay.add(name);
      else underWay.delete(name);
      most = Math.max(most, underWay.size);
    }
  };
  const recording = record().catch(() => undefined);
  onTestFinished(async () => {
    end.abort();
    await recording;
    await transport.close();
  });
  return { most: () => most };
}

describeCluster('a fleet', PARTS, () => {
  it('is restarted a few at a time, and not where it is paused', { timeout: 180_000 }, async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const install = await testInstall();
    const namespace = await testNamespace();
    const deployments = async () =>
      client.list<ObservedDeployment>(`/apis/apps/v1/namespaces/${namespace}/deployments`);
    const before = await startController(install);
    for (const name of names) await client.apply(gatewayOf(install, namespace, name));
    for (const name of names) await becomes(gatewayPath(namespace, name), 'Programmed', 'True Programmed');
    const binding = `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${install.bindingName}`;
    const { subjects } = await client.get<{ subjects: object[] }>(binding);
    expect(subjects).toHaveLength(MANY);
    // The names of Gateways are in the arguments, so no two templates are the same.
    const hashes = async () =>
      new Map((await deployments()).map((each) => [each.metadata.name, templateHashOf(each)]));
    const old = await hashes();
    const unchanged = async () =>
      [...(await hashes())].filter(([name, hash]) => old.get(name) === hash).map(([name]) => name);
    await before.stop();
    const paused = { ...gatewayOf(install, namespace, 'g7') };
    await client.apply({
      ...paused,
      metadata: { ...paused.metadata, annotations: { 'gari.dev/paused': 'true' } },
    });

    const rollouts = await watchRollouts(namespace);
    const dryRun = newer({ ...install, options: { ...install.options, dryRun: true } });
    const mark = await auditMark(cluster);
    const dry = await startController(dryRun);
    await eventually('the dry run to say what it would do', () =>
      dry.log.some(({ msg }) => msg === 'would be applied'),
    );
    await dry.stop();
    const requests = (await auditEvents(cluster, mark)).filter(
      ({ user }) => user.username === install.username,
    );
    const writes = requests.filter(
      ({ verb, requestURI }) =>
        verb !== 'list' && verb !== 'watch' && verb !== 'get' && !requestURI.includes('dryRun=All'),
    );
    expect(writes.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);

    const after = await startController(newer(install));
    await eventually('all to be restarted', async () => (await unchanged()).length === 1, {
      timeoutMs: 120_000,
    });
    for (const name of names) await becomes(gatewayPath(namespace, name), 'Programmed', 'True Programmed');
    expect(rollouts.most()).toBeLessThanOrEqual(AT_ONCE);
    expect(rollouts.most()).toBeGreaterThan(1);
    expect(await unchanged()).toEqual(['g7-gari']);
    const pending = after.log.filter(({ reason }) => reason === 'RolloutPending');
    expect(pending.length).toBeGreaterThan(10);
    const restarts = after.log.filter(({ msg }) => msg === 'pods are replaced');
    expect(restarts).toHaveLength(MANY - 1);
    expect(restarts[0]).toMatchObject({ layers: ['defaults'] });
    const rollout = after.events.find(
      ({ reason, regarding }) => reason === 'Rollout' && regarding.name === 'g3',
    );
    const to = (await hashes()).get('g3-gari');
    expect(rollout?.note).toBe(`Pod template ${old.get('g3-gari')} becomes ${to}, changed by: defaults`);
    expect(after.events.filter(({ reason }) => reason === 'Paused')).toHaveLength(1);
  });
});
