import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../test/cluster/eventually.ts';
import { serviceAccountKubeconfig } from '../../test/cluster/service-account.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { holdingProxy } from '../../test/holding-proxy.ts';
import { loadCredentials } from '../credentials.ts';
import { LEASE_NAME, leaseRules } from '../install/controller-rbac.ts';
import { Transport } from '../transport.ts';
import { LeaderElector, LeadershipLost, type LeaseOptions } from './leader-election.ts';
import { createLog } from './log.ts';

interface LeaseObject {
  readonly metadata: { readonly resourceVersion: string; readonly labels?: object };
  readonly spec: {
    readonly holderIdentity: string;
    readonly leaseDurationSeconds: number;
    readonly leaseTransitions: number;
  };
}

// A tenth of the real times; where a test is about those, it says so.
const QUICK = { durationMs: 2_000, renewDeadlineMs: 1_200, retryPeriodMs: 200 };

const pathOf = (namespace: string) =>
  `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${LEASE_NAME}`;
const leaseIn = (namespace: string) => sharedCluster().client.get<LeaseObject>(pathOf(namespace));

/** An elector that works until it is stopped, and what it has said. */
async function candidate(
  namespace: string,
  identity: string,
  times: Partial<LeaseOptions> = QUICK,
  kubeconfig = sharedCluster().kubeconfig,
) {
  const transport = new Transport(await loadCredentials({ kubeconfig }));
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const elector = new LeaderElector(transport, { namespace, name: LEASE_NAME, identity, ...times }, log);
  const stop = new AbortController();
  const drained = { promise: Promise.resolve() };
  let worked: AbortSignal | undefined;
  const done = elector.run(async (signal) => {
    worked = signal;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await drained.promise;
  }, stop.signal);
  // Most tests look at it only at their end.
  done.catch(() => undefined);
  onTestFinished(async () => {
    stop.abort();
    await done.catch(() => undefined);
    await transport.close();
  });
  return { elector, lines, stop: () => stop.abort(), done, drained, signal: () => worked };
}

describeCluster('leader election', [], () => {
  it('has one leader, who hands over at once when it ends, and not before its work has', async () => {
    const namespace = await testNamespace();
    const first = await candidate(namespace, 'first', {});
    await eventually('first leads', () => first.elector.isLeader);
    expect((await leaseIn(namespace)).spec).toMatchObject({
      holderIdentity: 'first',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
    const second = await candidate(namespace, 'second', {});
    const work = new AbortController();
    first.drained.promise = new Promise((resolve) => work.signal.addEventListener('abort', () => resolve()));
    const renewed = (await leaseIn(namespace)).metadata.resourceVersion;
    first.stop();
    expect(first.signal()?.aborted).toBe(true);
    // It still works, so it still renews.
    await eventually('another renewal', async () => {
      const { metadata, spec } = await leaseIn(namespace);
      return metadata.resourceVersion !== renewed && spec.holderIdentity === 'first';
    });
    expect(second.elector.isLeader).toBe(false);
    work.abort();
    await first.done;
    const handedOver = performance.now();
    await eventually('second leads', () => second.elector.isLeader);
    // One retry, and not the 15 s of a Lease that is not given back.
    expect(performance.now() - handedOver).toBeLessThan(8_000);
    expect((await leaseIn(namespace)).spec).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
  });

  it('takes over from a process that was killed, within 20 seconds', async () => {
    const namespace = await testNamespace();
    const args = ['--import', 'tsx', 'test/elect.ts', sharedCluster().kubeconfig, namespace, LEASE_NAME, 'a'];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const holder = async () => (await leaseIn(namespace)).spec.holderIdentity;
    await eventually('the process leads', async () => (await holder()) === 'a');
    const { elector } = await candidate(namespace, 'b', {});
    const { resourceVersion } = (await leaseIn(namespace)).metadata;
    await eventually(
      'another renewal',
      async () => (await leaseIn(namespace)).metadata.resourceVersion !== resourceVersion,
    );
    child.kill('SIGKILL');
    const killed = performance.now();
    await eventually('the other one leads', () => elector.isLeader);
    expect(performance.now() - killed).toBeGreaterThan(10_000);
    expect(performance.now() - killed).toBeLessThan(20_000);
    expect(await holder()).toBe('b');
  });

  it('goes by its own clock, whatever times the Lease says', async () => {
    const { client } = sharedCluster();
    const spec = { holderIdentity: 'other', leaseDurationSeconds: 2 };
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    // Its clock is years ahead, and it is dead: taken, two seconds after it was seen.
    const future = await testNamespace();
    await client.create({
      ...lease,
      metadata: { name: LEASE_NAME, namespace: future },
      spec: { ...spec, renewTime: '2099-01-01T00:00:00.000000Z' },
    });
    // Its clock is years behind, and it lives.
    const past = await testNamespace();
    const metadata = { name: LEASE_NAME, namespace: past };
    await client.create({
      ...lease,
      metadata,
      spec: { ...spec, renewTime: '2001-01-01T00:00:00.000000Z' },
    });
    const start = performance.now();
    const [ofFuture, ofPast] = [await candidate(future, 'me'), await candidate(past, 'me')];
    for (let second = 0; !ofFuture.elector.isLeader; second++) {
      const renewTime = `2001-01-01T00:00:${String(second % 60).padStart(2, '0')}.000000Z`;
      await client.apply({ ...lease, metadata, spec: { ...spec, renewTime } }, { force: true });
      await delay(300);
      expect(performance.now() - start).toBeLessThan(30_000);
    }
    expect(performance.now() - start).toBeGreaterThan(1_900);
    expect(ofPast.elector.isLeader).toBe(false);
  });

  it('ends when the server does not answer in time, before others take the Lease', async () => {
    const namespace = await testNamespace();
    let isDead = false;
    const hold = () => (isDead ? new Promise<void>(() => {}) : undefined);
    const { kubeconfig } = await holdingProxy(sharedCluster(), hold);
    const first = await candidate(namespace, 'first', QUICK, kubeconfig);
    await eventually('first leads', () => first.elector.isLeader);
    const second = await candidate(namespace, 'second');
    isDead = true;
    await expect(first.done).rejects.toThrow(LeadershipLost);
    await expect(first.done).rejects.toThrow(/^Lease gari-controller could not be renewed for 1.2 s: /);
    expect(first.signal()?.aborted).toBe(true);
    expect(second.elector.isLeader).toBe(false);
    await eventually('second leads', () => second.elector.isLeader);
  });

  it('ends when the Lease is somebody else’s, and stays when it was only edited', async () => {
    const namespace = await testNamespace();
    const { client } = sharedCluster();
    const { elector, done, lines } = await candidate(namespace, 'me');
    await eventually('it leads', () => elector.isLeader);
    const edit = (patch: object) =>
      client.request('PATCH', pathOf(namespace), {
        contentType: 'application/merge-patch+json',
        body: patch,
      });
    await edit({ metadata: { labels: { edited: 'yes' } } });
    const { metadata } = await leaseIn(namespace);
    await eventually(
      'a renewal after the edit',
      async () => (await leaseIn(namespace)).metadata.resourceVersion !== metadata.resourceVersion,
    );
    expect((await leaseIn(namespace)).metadata.labels).toEqual({ edited: 'yes' });
    expect(elector.isLeader).toBe(true);
    expect(lines).toHaveLength(1);
    await edit({ spec: { holderIdentity: 'thief' } });
    await expect(done).rejects.toThrow("Lease gari-controller is thief's now");
    // What is another's is not given back.
    expect((await leaseIn(namespace)).spec.holderIdentity).toBe('thief');
  });

  it('needs no more than its rules say, and says which right is missing', async () => {
    const namespace = await testNamespace();
    const { client } = sharedCluster();
    const rbac = 'rbac.authorization.k8s.io';
    await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'gari', namespace } });
    const kubeconfig = await serviceAccountKubeconfig(sharedCluster(), namespace, 'gari');
    const { elector, lines } = await candidate(namespace, 'me', QUICK, kubeconfig);
    await eventually('it says what is missing', () => elector.state.lastError);
    expect(elector.state).toMatchObject({ synced: false });
    expect(elector.state.lastError).toContain('cannot get resource "leases"');
    const rules = leaseRules().map(({ purpose: _, ...rule }) => rule);
    await client.create({
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata: { name: 'gari', namespace },
      rules,
    });
    await client.create({
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'gari', namespace },
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'gari' },
      subjects: [{ kind: 'ServiceAccount', name: 'gari', namespace }],
    });
    await eventually('it leads', () => elector.isLeader);
    // Said once, however often it was tried.
    expect(lines.filter((line) => line.includes('cannot get'))).toHaveLength(1);
  });
});
