import { ClusterCache } from '../cache/cluster-cache.ts';
import type { ObjectChange } from '../cache/reflector.ts';
import { resourceName } from '../cache/resource-type.ts';
import { ApplyMemo } from '../memo.ts';
import type { EventRecorder } from '../operation/event-recorder.ts';
import type { Log } from '../operation/log.ts';
import type { ControllerMetrics } from '../operation/metrics.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import type { ObservedDeployment } from '../status/observed.ts';
import { StatusWriter } from '../status/write-status.ts';
import type { Transport } from '../transport.ts';
import { BindingWriter } from './binding-writer.ts';
import { reconcileClass } from './class-reconcile.ts';
import type { ClusterView } from './cluster-view.ts';
import { concernedBy } from './enqueue.ts';
import { FollowedObjects } from './followed-objects.ts';
import { Narrator } from './narrator.ts';
import type { ControllerOptions } from './options.ts';
import { ParametersLoader, type ReadParameters } from './parameters-loader.ts';
import { BINDING_KEY, gatewayQueueKey, parseQueueKey, SWEEP_KEY } from './queue-key.ts';
import { GatewayReconciler, ReconcileError } from './reconcile.ts';
import { RolloutBudget } from './rollout-budget.ts';
import { SubjectBook } from './subject-book.ts';
import { sweep } from './sweep.ts';
import { resourceType, watchedResources } from './watched.ts';

const CONCURRENCY = 8;
const SWEEP_INTERVAL_MS = 600_000;

/** What a controller works with, beside the cluster. */
export interface ControllerTools {
  readonly log: Log;
  readonly events: EventRecorder;
  readonly metrics: ControllerMetrics;
  readonly readParameters: ReadParameters;
  /** Is given, once, a way to ask what is followed and since when. */
  readonly onFollow?: (states: () => ReturnType<ClusterCache['states']>) => void;
  /** Is told once all is read and the work begins. */
  readonly onSynced?: () => void;
}

/**
 * Runs the controller until the signal aborts: follows the cluster and makes it what the Gateways ask for. What
 * is under way then is finished.
 */
export async function runController(
  transport: Transport,
  options: ControllerOptions,
  tools: ControllerTools,
  signal: AbortSignal,
): Promise<void> {
  const { log, events, metrics } = tools;
  const now = () => `${new Date().toISOString().slice(0, 19)}Z`;
  const memo = new ApplyMemo();
  const book = new SubjectBook();
  const status = new StatusWriter(transport);
  const narrator = new Narrator({ log, events, metrics, dryRun: options.dryRun });
  const enqueueGateway = (key: string): void => queue.add(gatewayQueueKey(key));
  const budget = new RolloutBudget(options.maxUnavailableGateways, enqueueGateway);
  const followed = () =>
    new FollowedObjects({ transport, typeOf: resourceType, onChange: (key) => queue.add(key) });
  const [blockers, configMaps] = [followed(), followed()];
  const cache = new ClusterCache(transport, {
    scope: options.namespaces ?? 'cluster',
    resources: watchedResources(options.bindingName),
    onChange: (change) => onChange(change),
    observer: {
      failed: ({ type, namespace }, error, retryMs) =>
        log.warn({ resource: resourceName(type), namespace, error, retryMs }, 'cannot be followed'),
    },
  });
  const view = cache as unknown as ClusterView;
  const binding =
    options.namespaces === undefined
      ? new BindingWriter({
          transport,
          view,
          book,
          bindingName: options.bindingName,
          dryRun: options.dryRun,
          schedule: (afterMs) => queue.addAfter(BINDING_KEY, afterMs),
        })
      : undefined;
  const parameters = new ParametersLoader(view, configMaps, tools.readParameters);
  const reconciler = new GatewayReconciler(
    { transport, view, memo, status, binding, book, blockers, parameters, budget, narrator, now },
    options,
  );

  const onChange = ({ type: { kind }, before, after }: ObjectChange): void => {
    const object = after ?? before;
    if (kind === 'Deployment' && object !== undefined) {
      const { namespace, name } = object.metadata;
      budget.observe(`${namespace}/${name}`, after as unknown as ObservedDeployment | undefined);
    }
    for (const key of concernedBy(view, { kind, before, after })) {
      if (key === BINDING_KEY) binding?.request();
      else queue.add(key);
    }
  };

  const handle = async (key: string, stop: AbortSignal): Promise<number | undefined> => {
    const target = parseQueueKey(key);
    switch (target.what) {
      case 'gateway':
        return reconciler.reconcile(target, stop);
      case 'class': {
        const { result, gatewayClass } = await reconcileClass(
          { view, status, parameters, now },
          target.name,
          options,
          stop,
        );
        if (typeof result === 'string') return result === 'outdated' ? 500 : undefined;
        if (gatewayClass !== undefined) narrator.contested(gatewayClass);
        return result.retryAfterMs;
      }
      case 'binding':
        await writeBinding(stop);
        return undefined;
      case 'sweep':
        await sweepOnce(stop);
        return SWEEP_INTERVAL_MS;
    }
  };

  const writeBinding = async (stop: AbortSignal): Promise<void> => {
    const problem = binding?.problem;
    try {
      const change = await binding?.write(stop);
      if (change?.action === 'configured') log.info({ object: change.object.name }, 'subjects changed');
    } finally {
      // Those that wait for it say why.
      if (binding?.problem !== problem) for (const key of book.wanted()) enqueueGateway(key);
    }
  };

  const sweepOnce = async (stop: AbortSignal): Promise<void> => {
    binding?.request();
    const changes = await sweep({ transport, view, dryRun: options.dryRun }, options, stop);
    if (changes.length === 0) return;
    log.info(
      { changes: changes.map(({ object, action }) => `${object.kind} ${object.name} ${action}`) },
      'swept',
    );
    const failed = changes.filter(({ action }) => action === 'failed');
    if (failed.length > 0) {
      throw new ReconcileError(
        failed.map(({ object, message }) => `${object.kind} ${object.name}: ${message}`).join('; '),
      );
    }
  };

  const concurrency = options.concurrency ?? CONCURRENCY;
  const queue = new WorkQueue({
    concurrency,
    handle: async (key, stop) => {
      const start = performance.now();
      const seconds = () => (performance.now() - start) / 1000;
      try {
        const later = await handle(key, stop);
        metrics.reconciled('gateway', later === undefined ? 'success' : 'requeue_after', seconds());
        return later === undefined ? undefined : { requeueAfterMs: later };
      } catch (error) {
        if (stop.aborted) return undefined;
        metrics.reconciled('gateway', 'error', seconds());
        log.error({ error, key }, 'Reconciler error');
        throw error;
      }
    },
  });

  tools.onFollow?.(() => cache.states());
  const following = cache.run(signal);
  try {
    // Nothing is done from half a view: what was not read yet would look like gone.
    await Promise.race([cache.synced, following]);
    if (signal.aborted) return;
    queue.add(SWEEP_KEY);
    tools.onSynced?.();
    await queue.run(signal);
  } finally {
    blockers.close();
    configMaps.close();
    await following;
  }
}
