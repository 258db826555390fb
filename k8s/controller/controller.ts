import { ClusterCache, type FollowedState } from '../cache/cluster-cache.ts';
import type { ObjectChange, ReflectorObserver, ReflectorTiming } from '../cache/reflector.ts';
import { resourceName } from '../cache/resource-type.ts';
import { ApplyMemo } from '../memo.ts';
import type { EventRecorder } from '../operation/event-recorder.ts';
import { duringReconcile, type Log } from '../operation/log.ts';
import type { ControllerMetrics } from '../operation/metrics.ts';
import { type RunAgain, WorkQueue } from '../queue/work-queue.ts';
import type { ClusterKind } from '../resources.ts';
import { StatusWriter } from '../status/write-status.ts';
import type { Transport } from '../transport.ts';
import { BindingWriter } from './binding-writer.ts';
import { reconcileClass } from './class-reconcile.ts';
import { CHILD_KINDS, type ClusterView } from './cluster-view.ts';
import { concernedBy } from './enqueue.ts';
import { FollowedObjects } from './followed-objects.ts';
import { Narrator } from './narrator.ts';
import type { ControllerOptions } from './options.ts';
import { OwnRollouts } from './own-rollouts.ts';
import { ParametersLoader, type ReadParameters } from './parameters-loader.ts';
import { BINDING_KEY, gatewayQueueKey, parseQueueKey, reconcileTarget, SWEEP_KEY } from './queue-key.ts';
import { GatewayReconciler, ReconcileError } from './reconcile.ts';
import { failureOf } from './report-status.ts';
import { RolloutBudget } from './rollout-budget.ts';
import { SubjectBook } from './subject-book.ts';
import { sweep } from './sweep.ts';
import { resourceType, watchedResources } from './watched.ts';

const NAME = 'gateway';
const CONCURRENCY = 8;
const SWEEP_INTERVAL_MS = 600_000;
const OUTDATED_MS = 500;

/** What a controller works with, beside the cluster. */
export interface ControllerTools {
  readonly log: Log;
  readonly events: EventRecorder;
  readonly metrics: ControllerMetrics;
  readonly readParameters: ReadParameters;
  /** How patient it is with the API server; tests are less. */
  readonly timing?: Partial<ReflectorTiming>;
  /** Is given, once, a way to ask what is followed and since when. */
  readonly onFollow?: (states: () => readonly FollowedState[]) => void;
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
  await new Controller(transport, options, tools).run(signal);
}

/** One run of the controller: what it follows, what there is to do, and who does it. */
class Controller {
  readonly #transport: Transport;
  readonly #options: ControllerOptions;
  readonly #tools: ControllerTools;
  readonly #cache: ClusterCache;
  readonly #view: ClusterView;
  readonly #queue: WorkQueue;
  readonly #memo = new ApplyMemo();
  readonly #book = new SubjectBook();
  readonly #status: StatusWriter;
  readonly #narrator: Narrator;
  readonly #budget: RolloutBudget;
  readonly #rollouts: OwnRollouts;
  readonly #blockers: FollowedObjects;
  readonly #configMaps: FollowedObjects;
  readonly #parameters: ParametersLoader;
  readonly #binding: BindingWriter | undefined;
  readonly #gateways: GatewayReconciler;

  constructor(transport: Transport, options: ControllerOptions, tools: ControllerTools) {
    this.#transport = transport;
    this.#options = options;
    this.#tools = tools;
    const { log, metrics } = tools;
    const { bindingName, namespaces, dryRun, concurrency = CONCURRENCY } = options;
    this.#queue = new WorkQueue({
      concurrency,
      handle: (key, stop) => duringReconcile(reconcileTarget(key), () => this.#work(key, stop)),
      observer: metrics.queue(NAME, concurrency),
    });
    const observer: ReflectorObserver = {
      failed: ({ type, namespace }, error, retryMs) =>
        log.warn({ resource: resourceName(type), namespace, error, retryMs }, 'cannot be followed'),
      handlerFailed: ({ type }, error) =>
        log.error({ resource: resourceName(type), error }, 'a change was missed'),
    };
    this.#cache = new ClusterCache(transport, {
      scope: namespaces ?? 'cluster',
      resources: watchedResources(bindingName),
      onChange: (change) => this.#onChange(change),
      observer,
      ...(tools.timing === undefined ? {} : { timing: tools.timing }),
    });
    this.#view = this.#cache;
    this.#status = new StatusWriter(transport);
    this.#narrator = new Narrator({ ...tools, dryRun });
    this.#budget = new RolloutBudget(options.maxUnavailableGateways, (gateway) =>
      this.#queue.add(gatewayQueueKey(gateway)),
    );
    this.#rollouts = new OwnRollouts(this.#view, this.#budget, options);
    const onChange = (key: string): void => this.#queue.add(key);
    const follow = { transport, typeOf: resourceType, onChange, observer };
    this.#blockers = new FollowedObjects(follow);
    this.#configMaps = new FollowedObjects(follow);
    this.#parameters = new ParametersLoader(this.#view, this.#configMaps, tools.readParameters);
    this.#binding =
      namespaces === undefined
        ? new BindingWriter({
            ...{ transport, bindingName, dryRun },
            ...{ view: this.#view, book: this.#book },
            schedule: (afterMs) => this.#queue.addAfter(BINDING_KEY, afterMs),
          })
        : undefined;
    this.#gateways = new GatewayReconciler(
      {
        ...{ transport, view: this.#view, memo: this.#memo, book: this.#book },
        ...{ status: this.#status, binding: this.#binding, budget: this.#budget, narrator: this.#narrator },
        ...{ blockers: this.#blockers, parameters: this.#parameters, now },
      },
      options,
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#tools.onFollow?.(() => this.#cache.states());
    const following = this.#cache.run(signal);
    try {
      // Nothing is done from half a view: what was not read yet would look like gone.
      await Promise.race([this.#cache.synced, following]);
      if (signal.aborted) return;
      this.#rollouts.start();
      this.#queue.add(SWEEP_KEY);
      this.#tools.onSynced?.();
      await this.#queue.run(signal);
    } finally {
      this.#blockers.close();
      this.#configMaps.close();
      await following;
    }
  }

  /** Notes what there is to do after a change. */
  #onChange(change: ObjectChange): void {
    const { type, before, after } = change;
    this.#rollouts.onChange(change);
    const kind = type.kind as ClusterKind;
    const { namespace, name } = (after ?? before)?.metadata ?? { name: '' };
    if (after === undefined && CHILD_KINDS.some((each) => each === kind)) {
      this.#memo.forget({ kind, name, ...(namespace === undefined ? {} : { namespace }) });
    }
    for (const key of concernedBy(this.#view, { kind, before, after })) {
      if (key === BINDING_KEY) this.#binding?.request();
      else this.#queue.add(key);
    }
  }

  async #work(key: string, stop: AbortSignal): Promise<RunAgain | undefined> {
    const { log, metrics } = this.#tools;
    const start = performance.now();
    const count = (result: 'success' | 'error' | 'requeue_after'): void =>
      metrics.reconciled(NAME, result, (performance.now() - start) / 1000);
    try {
      const again = await this.#reconcile(key, stop);
      count(again === undefined ? 'success' : 'requeue_after');
      return again === undefined ? undefined : { requeueAfterMs: again };
    } catch (error) {
      if (stop.aborted) return undefined;
      count('error');
      log.error({ error, key }, 'Reconciler error');
      throw error;
    }
  }

  /** One run of a key; says after how many milliseconds to run it again, if no event may tell. */
  async #reconcile(key: string, stop: AbortSignal): Promise<number | undefined> {
    const target = parseQueueKey(key);
    switch (target.what) {
      case 'gateway':
        return this.#gateways.reconcile(target, stop);
      case 'class':
        return this.#reconcileClass(target.name, stop);
      case 'binding':
        await this.#writeBinding(stop);
        return undefined;
      case 'sweep':
        await this.#sweep(stop);
        return SWEEP_INTERVAL_MS;
    }
  }

  async #reconcileClass(name: string, stop: AbortSignal): Promise<number | undefined> {
    const tools = { view: this.#view, status: this.#status, parameters: this.#parameters, now };
    const { result, gatewayClass } = await reconcileClass(tools, name, this.#options, stop);
    if (result === 'foreign') this.#narrator.foreignClass(name, gatewayClass?.spec.controllerName ?? '');
    if (result === 'outdated') return OUTDATED_MS;
    if (typeof result === 'string') return undefined;
    if (gatewayClass !== undefined) this.#narrator.contested(gatewayClass);
    return result.retryAfterMs;
  }

  async #writeBinding(stop: AbortSignal): Promise<void> {
    const binding = this.#binding;
    if (binding === undefined) return;
    const { problem } = binding;
    try {
      const change = await binding.write(stop);
      if (change?.action === 'configured')
        this.#tools.log.info({ binding: change.object.name }, 'subjects changed');
    } finally {
      // Those that wait for it say why.
      if (binding.problem !== problem) {
        for (const gateway of this.#book.wanted()) this.#queue.add(gatewayQueueKey(gateway));
      }
    }
  }

  async #sweep(stop: AbortSignal): Promise<void> {
    this.#binding?.request();
    const { dryRun } = this.#options;
    const changes = await sweep(
      { transport: this.#transport, view: this.#view, dryRun },
      this.#options,
      stop,
    );
    if (changes.length === 0) return;
    const lines = changes.map(
      ({ object, action }) => `${object.kind} ${object.namespace}/${object.name} ${action}`,
    );
    this.#tools.log.info({ changes: lines, dryRun }, 'swept');
    const failure = failureOf(changes);
    if (failure !== undefined) throw new ReconcileError(failure);
  }
}

function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
