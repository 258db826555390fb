import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { FollowedState } from '../cache/cluster-cache.ts';
import { type ControllerTools, runController } from '../controller/controller.ts';
import type { ControllerOptions } from '../controller/options.ts';
import { watchedResources } from '../controller/watched.ts';
import type { Credentials } from '../credentials.ts';
import { Transport } from '../transport.ts';
import { ClusterEventRecorder } from './event-recorder.ts';
import { liveness, readiness } from './health.ts';
import { type HealthServer, type Routes, startHealthServer } from './health-server.ts';
import { LeaderElector, LeadershipLost, type LeaderWork } from './leader-election.ts';
import type { Log } from './log.ts';
import { createMetrics, type ProcessMetrics } from './metrics.ts';
import { type Needs, preflight } from './preflight.ts';

/** How the process of a controller runs. */
export interface RunOptions {
  readonly controller: ControllerOptions;
  /** The Lease that its replicas agree by; without one it is alone. */
  readonly lease?: { readonly namespace: string; readonly name: string };
  /** Where probes are answered; 0: nowhere. */
  readonly healthPort: number;
  /** Where metrics are read; 0: nowhere. */
  readonly metricsPort: number;
}

/** What the process brings along. */
export interface RunTools {
  readonly log: Log;
  readonly readParameters: ControllerTools['readParameters'];
}

/** How long an end waits for events that are not sent yet. */
const FLUSH_MS = 2_000;

/**
 * Runs the controller until the signal aborts, and ends in order: what is under way is finished, then the
 * Lease is handed over.
 * @throws {PortUnavailable} {@link NotInstalled}
 * @throws {LeadershipLost} and then the process must end at once: its work has not.
 */
export async function run(
  credentials: Credentials,
  options: RunOptions,
  { log, readParameters }: RunTools,
  signal: AbortSignal,
): Promise<void> {
  const { controller } = options;
  const metrics = createMetrics();
  const transport = new Transport(credentials, undefined, metrics.requested);
  // Of their own, so that neither a renewal nor an event queues behind the controller's writes.
  const side = new Transport(credentials, undefined, metrics.requested);
  const reporter = { controller: controller.controllerName, instance: hostname() };
  const events = new ClusterEventRecorder(side, reporter, log);
  const state: State = { isStarted: false, followed: [] };
  const servers = await startServers(options, state, metrics);
  const tools: ControllerTools = {
    log,
    events,
    metrics,
    readParameters,
    onFollow: (states) => state.followed.push(states),
    onSynced: () => log.info('all is read, the work begins'),
  };
  try {
    await preflight(transport, needsOf(controller), log, signal);
    state.isStarted = true;
    const work: LeaderWork = (stop) => runController(transport, controller, tools, stop);
    // A dry run writes nothing, no Lease either: it may run beside the controller.
    const lease = controller.dryRun ? undefined : options.lease;
    if (lease === undefined) {
      if (!signal.aborted) await work(signal);
    } else {
      const elector = new LeaderElector(side, { ...lease, identity: `${hostname()}_${randomUUID()}` }, log);
      state.followed.push(() => [elector.state]);
      metrics.leading(lease.name, () => elector.isLeader);
      await elector.run(work, signal);
    }
  } catch (error) {
    if (!(error instanceof LeadershipLost)) await end();
    throw error;
  }
  await end();

  async function end(): Promise<void> {
    await Promise.race([events.flush(), delay(FLUSH_MS)]);
    await Promise.all([...servers.map((server) => server.close()), transport.close(), side.close()]);
  }
}

interface State {
  isStarted: boolean;
  readonly followed: (() => readonly FollowedState[])[];
}

function needsOf({ namespaces, bindingName }: ControllerOptions): Needs {
  const resources = watchedResources(bindingName);
  return namespaces === undefined ? { resources, bindingName } : { resources, namespaces };
}

async function startServers(
  { healthPort, metricsPort }: RunOptions,
  state: State,
  metrics: ProcessMetrics,
): Promise<readonly HealthServer[]> {
  const followed = () => state.followed.flatMap((states) => states());
  metrics.follow(followed);
  const wanted: readonly [number, Routes][] = [
    [
      healthPort,
      {
        '/healthz': () => liveness(followed()),
        // Who waits for the Lease is ready: it has nothing to read until it leads.
        '/readyz': () =>
          state.isStarted
            ? readiness(followed())
            : { ok: false, body: '[-]the cluster was not asked yet\nfailed\n' },
      },
    ],
    [
      metricsPort,
      {
        '/metrics': async () => ({
          ok: true,
          body: await metrics.text(),
          contentType: metrics.contentType,
        }),
      },
    ],
  ];
  const servers: HealthServer[] = [];
  for (const [port, routes] of wanted) {
    if (port !== 0) servers.push(await startHealthServer(port, routes));
  }
  return servers;
}
