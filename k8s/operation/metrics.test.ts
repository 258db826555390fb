import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMetrics } from './metrics.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The samples of some names, without those of buckets. */
async function samples(metrics: ReturnType<typeof createMetrics>, names: RegExp): Promise<readonly string[]> {
  const text = await metrics.text();
  return text.split('\n').filter((line) => names.test(line) && !line.includes('_bucket'));
}

it('has all of a controller at 0 from the start, so that alerts on a rate see the first error', async () => {
  const metrics = createMetrics();
  metrics.queue('gateway', 8);
  expect(await samples(metrics, /^(controller_runtime|workqueue)/)).toEqual([
    'controller_runtime_reconcile_total{controller="gateway",result="success"} 0',
    'controller_runtime_reconcile_total{controller="gateway",result="error"} 0',
    'controller_runtime_reconcile_total{controller="gateway",result="requeue"} 0',
    'controller_runtime_reconcile_total{controller="gateway",result="requeue_after"} 0',
    'controller_runtime_reconcile_errors_total{controller="gateway"} 0',
    'controller_runtime_terminal_reconcile_errors_total{controller="gateway"} 0',
    'controller_runtime_max_concurrent_reconciles{controller="gateway"} 8',
    'workqueue_depth{name="gateway",controller="gateway"} 0',
    'workqueue_adds_total{name="gateway",controller="gateway"} 0',
    'workqueue_retries_total{name="gateway",controller="gateway"} 0',
    'controller_runtime_active_workers{controller="gateway"} 0',
    'workqueue_unfinished_work_seconds{name="gateway",controller="gateway"} 0',
    'workqueue_longest_running_processor_seconds{name="gateway",controller="gateway"} 0',
  ]);
});

it('counts what a queue does, as client-go does', async () => {
  const metrics = createMetrics();
  const queue = metrics.queue('gateway', 2);
  queue.added('a');
  queue.added('b');
  vi.advanceTimersByTime(1_000);
  queue.started('a');
  queue.added('a');
  vi.advanceTimersByTime(2_000);
  queue.started('b');
  vi.advanceTimersByTime(4_000);
  expect(await samples(metrics, /^(controller_runtime_active|workqueue)/)).toEqual([
    'workqueue_depth{name="gateway",controller="gateway"} 1',
    'workqueue_adds_total{name="gateway",controller="gateway"} 3',
    'workqueue_retries_total{name="gateway",controller="gateway"} 0',
    'workqueue_queue_duration_seconds_sum{name="gateway",controller="gateway"} 4',
    'workqueue_queue_duration_seconds_count{name="gateway",controller="gateway"} 2',
    'controller_runtime_active_workers{controller="gateway"} 2',
    'workqueue_unfinished_work_seconds{name="gateway",controller="gateway"} 10',
    'workqueue_longest_running_processor_seconds{name="gateway",controller="gateway"} 6',
  ]);
  queue.retried('a');
  queue.finished('a');
  queue.finished('b');
  expect(await samples(metrics, /^workqueue_(retries|work_|unfinished|longest)/)).toEqual([
    'workqueue_retries_total{name="gateway",controller="gateway"} 1',
    'workqueue_work_duration_seconds_sum{name="gateway",controller="gateway"} 10',
    'workqueue_work_duration_seconds_count{name="gateway",controller="gateway"} 2',
    'workqueue_unfinished_work_seconds{name="gateway",controller="gateway"} 0',
    'workqueue_longest_running_processor_seconds{name="gateway",controller="gateway"} 0',
  ]);
});

it('counts reconciles, objects and requests', async () => {
  const metrics = createMetrics();
  metrics.reconciled('gateway', 'success', 0.5);
  metrics.reconciled('gateway', 'error', 1.5);
  metrics.reconciled('gateway', 'error', 1, true);
  metrics.applied('Service', 'conflict');
  metrics.requested('GET', '10.0.0.1:443', 200);
  metrics.requested('GET', '10.0.0.1:443', '<error>');
  expect(await samples(metrics, /^(controller_runtime|gari_apply|rest_client)/)).toEqual([
    'controller_runtime_reconcile_total{controller="gateway",result="success"} 1',
    'controller_runtime_reconcile_total{controller="gateway",result="error"} 2',
    'controller_runtime_reconcile_errors_total{controller="gateway"} 2',
    'controller_runtime_terminal_reconcile_errors_total{controller="gateway"} 1',
    'controller_runtime_reconcile_time_seconds_sum{controller="gateway"} 3',
    'controller_runtime_reconcile_time_seconds_count{controller="gateway"} 3',
    'rest_client_requests_total{code="200",method="GET",host="10.0.0.1:443"} 1',
    'rest_client_requests_total{code="<error>",method="GET",host="10.0.0.1:443"} 1',
    'gari_apply_total{kind="Service",action="conflict"} 1',
  ]);
});

it('says at each scrape what is followed and who leads', async () => {
  const metrics = createMetrics();
  const type = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };
  let synced = false;
  let isLeader = false;
  const lastContact = performance.now();
  metrics.follow(() => [{ type, synced, lastContact }]);
  metrics.leading('gari', () => isLeader);
  vi.advanceTimersByTime(3_000);
  const names = /^(gari_reflector|leader)/;
  expect(await samples(metrics, names)).toEqual([
    'gari_reflector_last_contact_seconds{resource="deployments.apps",namespace=""} 3',
    'gari_reflector_synced{resource="deployments.apps",namespace=""} 0',
    'leader_election_master_status{name="gari"} 0',
  ]);
  synced = true;
  isLeader = true;
  expect(await samples(metrics, names)).toEqual([
    'gari_reflector_last_contact_seconds{resource="deployments.apps",namespace=""} 3',
    'gari_reflector_synced{resource="deployments.apps",namespace=""} 1',
    'leader_election_master_status{name="gari"} 1',
  ]);
});
