import { Counter, exponentialBuckets, Gauge, Histogram, type Registry } from 'prom-client';
import type { QueueObserver } from '../queue/work-queue.ts';

/** client-go's metrics of work queues; each queue has the name of its controller. */
export function createQueueMetrics(registers: Registry[]): (controller: string) => QueueObserver {
  const labelNames = ['name', 'controller'] as const;
  const running = new Map<string, Map<string, number>>();
  const common = (name: string, help: string) => ({ name: `workqueue_${name}`, help, labelNames, registers });
  const buckets = exponentialBuckets(1e-8, 10, 12);
  const depth = new Gauge(common('depth', 'Keys that wait'));
  const adds = new Counter(common('adds_total', 'Keys added'));
  const retries = new Counter(common('retries_total', 'Keys added again after an error'));
  const waited = new Histogram({
    ...common('queue_duration_seconds', 'How long keys wait before they are run'),
    buckets,
  });
  const worked = new Histogram({ ...common('work_duration_seconds', 'How long runs take'), buckets });
  const active = new Gauge({
    name: 'controller_runtime_active_workers',
    help: 'Runs in progress per controller',
    labelNames: ['controller'],
    registers,
  });
  const ages = (controller: string) => {
    const now = performance.now();
    return [...(running.get(controller)?.values() ?? [])].map((since) => (now - since) / 1000);
  };
  const byAge = (name: string, help: string, value: (ages: readonly number[]) => number) =>
    new Gauge({
      ...common(name, help),
      collect() {
        for (const controller of running.keys()) {
          this.set({ name: controller, controller }, value(ages(controller)));
        }
      },
    });
  byAge('unfinished_work_seconds', 'How long runs in progress have taken, together', (each) =>
    each.reduce((sum, age) => sum + age, 0),
  );
  byAge('longest_running_processor_seconds', 'How long the longest run in progress has taken', (each) =>
    Math.max(0, ...each),
  );

  return (controller) => {
    const labels = { name: controller, controller };
    const waiting = new Map<string, number>();
    const runs = new Map<string, number>();
    running.set(controller, runs);
    adds.inc(labels, 0);
    retries.inc(labels, 0);
    depth.set(labels, 0);
    active.set({ controller }, 0);
    return {
      added: (key) => {
        adds.inc(labels);
        waiting.set(key, performance.now());
        depth.set(labels, waiting.size);
      },
      started: (key) => {
        waited.observe(labels, secondsSince(waiting.get(key)));
        waiting.delete(key);
        runs.set(key, performance.now());
        depth.set(labels, waiting.size);
        active.set({ controller }, runs.size);
      },
      finished: (key) => {
        worked.observe(labels, secondsSince(runs.get(key)));
        runs.delete(key);
        active.set({ controller }, runs.size);
      },
      retried: () => retries.inc(labels),
    };
  };
}

function secondsSince(start: number | undefined): number {
  return start === undefined ? 0 : (performance.now() - start) / 1000;
}
