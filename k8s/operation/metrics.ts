import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };
import type { FollowedState } from '../cache/cluster-cache.ts';
import { resourceName } from '../cache/resource-type.ts';
import type { QueueObserver } from '../queue/work-queue.ts';
import { createQueueMetrics } from './queue-metrics.ts';

/** What came of a reconcile, in controller-runtime's words. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

const RESULTS: readonly ReconcileResult[] = ['success', 'error', 'requeue', 'requeue_after'];

// controller-runtime's, so that its dashboards show the same quantiles.
const RECONCILE_SECONDS = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  ...[1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60],
];

/** What the controller counts, by controller-runtime's names, so that dashboards that exist work. */
export interface ControllerMetrics {
  /** Of the queue of a controller with so many workers. */
  queue(controller: string, concurrency: number): QueueObserver;
  /** One run of a controller's reconcile; a terminal error is one that is not tried again. */
  reconciled(controller: string, result: ReconcileResult, seconds: number, terminal?: boolean): void;
  /** An object was written, or not: its kind and what became of it, in the words of `gari apply`. */
  applied(kind: string, action: string): void;
}

/** The metrics of the process, and their text for Prometheus. */
export interface ProcessMetrics extends ControllerMetrics {
  /** A request was answered; the code is `<error>` where it was not. */
  requested(method: string, host: string, code: number | '<error>'): void;
  /** Whether this process holds a Lease, asked at each scrape. */
  leading(lease: string, isLeader: () => boolean): void;
  /** What is followed in the cluster, asked at each scrape. */
  follow(states: () => readonly FollowedState[]): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Metrics of their own registry. */
export function createMetrics(): ProcessMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const prefix = 'controller_runtime_reconcile';
  const labelNames = ['controller'] as const;
  const help = (text: string) => ({ help: text, registers });
  const total = new Counter({
    name: `${prefix}_total`,
    ...help('Reconciles per controller and result'),
    labelNames: ['controller', 'result'],
  });
  const errors = new Counter({
    name: `${prefix}_errors_total`,
    ...help('Reconcile errors per controller'),
    labelNames,
  });
  const terminalErrors = new Counter({
    name: 'controller_runtime_terminal_reconcile_errors_total',
    ...help('Reconcile errors that are not tried again, per controller'),
    labelNames,
  });
  const seconds = new Histogram({
    name: `${prefix}_time_seconds`,
    ...help('Length of time per reconcile per controller'),
    labelNames,
    buckets: RECONCILE_SECONDS,
  });
  const workers = new Gauge({
    name: 'controller_runtime_max_concurrent_reconciles',
    ...help('Most reconciles at a time per controller'),
    labelNames,
  });
  const requests = new Counter({
    name: 'rest_client_requests_total',
    ...help('HTTP requests, by status code, method and host'),
    labelNames: ['code', 'method', 'host'],
  });
  const applied = new Counter({
    name: 'gari_apply_total',
    ...help('Objects of Gateways, by kind and what became of them'),
    labelNames: ['kind', 'action'],
  });
  const build = new Gauge({
    name: 'gari_build_info',
    ...help('Always 1; tells gari from other controllers'),
    labelNames: ['version'],
  });
  build.set({ version: manifest.version }, 1);
  const queue = createQueueMetrics(registers);
  return {
    queue: (controller, concurrency) => {
      workers.set({ controller }, concurrency);
      // All from the start, so that alerts on a rate see the first of them.
      for (const result of RESULTS) total.inc({ controller, result }, 0);
      for (const counter of [errors, terminalErrors]) counter.inc({ controller }, 0);
      return queue(controller);
    },
    reconciled: (controller, result, duration, terminal = false) => {
      total.inc({ controller, result });
      seconds.observe({ controller }, duration);
      if (result === 'error') errors.inc({ controller });
      if (terminal) terminalErrors.inc({ controller });
    },
    applied: (kind, action) => applied.inc({ kind, action }),
    requested: (method, host, code) => requests.inc({ code: String(code), method, host }),
    leading: (name, isLeader) => leading(registers, name, isLeader),
    follow: (states) => followed(registers, states),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function leading(registers: Registry[], lease: string, isLeader: () => boolean): void {
  new Gauge({
    name: 'leader_election_master_status',
    help: 'Whether this process is the leader',
    labelNames: ['name'],
    registers,
    collect() {
      this.set({ name: lease }, isLeader() ? 1 : 0);
    },
  });
}

function followed(registers: Registry[], states: () => readonly FollowedState[]): void {
  const gauge = (name: string, help: string, value: (state: FollowedState) => number) =>
    new Gauge({
      name,
      help,
      registers,
      labelNames: ['resource', 'namespace'],
      collect() {
        this.reset();
        for (const state of states()) this.set(labelsOf(state), value(state));
      },
    });
  gauge(
    'gari_reflector_last_contact_seconds',
    'Seconds since the server last gave a sign of life',
    ({ lastContact }) => (performance.now() - lastContact) / 1000,
  );
  gauge('gari_reflector_synced', 'Whether all of it has been read', ({ synced }) => (synced ? 1 : 0));
}

function labelsOf(state: FollowedState): { resource: string; namespace: string } {
  return { resource: resourceName(state.type), namespace: state.namespace ?? '' };
}
