import type { GatewayClass } from '../../render/gateway-api.ts';
import { gatewayKey } from '../../render/metadata.ts';
import type { ObjectKey, RenderedObject } from '../../render/objects.ts';
import { ownershipOf } from '../../render/ownership.ts';
import { applyGateway } from '../apply-gateway.ts';
import type { WriteOptions } from '../apply-object.ts';
import type { Action, Change } from '../change-set.ts';
import { getObject, type LiveObject } from '../live-object.ts';
import type { ApplyMemo } from '../memo.ts';
import { pruneChildren } from '../prune.ts';
import type { ClusterKind, ClusterObject } from '../resources.ts';
import { conditionOf } from '../status/conditions.ts';
import type { ObservedGateway } from '../status/observed.ts';
import type { Transport } from '../transport.ts';
import { labelledChildren, namedChild, ownChild } from './cluster-view.ts';
import type { FollowedObjects } from './followed-objects.ts';
import type { ControllerOptions } from './options.ts';
import type { ParametersLoader } from './parameters-loader.ts';
import { claimGateway, type ForeignPlan, type OwnPlan, planGateway, type SubjectPlan } from './plan.ts';
import { gatewayQueueKey } from './queue-key.ts';
import { failureOf, type ReportTools, reportStatus, statusPath } from './report-status.ts';
import { deploymentKey, type Rollout, takeTurn } from './rollout.ts';
import type { RolloutBudget } from './rollout-budget.ts';
import type { SubjectBook } from './subject-book.ts';

// A Gateway with it is left alone: nothing is written for it.
const PAUSED_ANNOTATION = 'gari.dev/paused';

const ROLE_BINDING = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' };

/** What a {@link GatewayReconciler} works with. */
export interface ReconcileTools extends ReportTools {
  readonly transport: Transport;
  readonly memo: ApplyMemo;
  readonly book: SubjectBook;
  /** Foreign objects in the way of Gateways. */
  readonly blockers: FollowedObjects;
  readonly parameters: ParametersLoader;
  readonly budget: RolloutBudget;
}

/** Something was not done, and is to be tried again. */
export class ReconcileError extends Error {
  override readonly name = 'ReconcileError';
}

interface Target {
  readonly namespace: string;
  readonly name: string;
}

/** Makes the cluster what Gateways ask for, one at a time. */
export class GatewayReconciler {
  readonly #tools: ReconcileTools;
  readonly #options: ControllerOptions;

  constructor(tools: ReconcileTools, options: ControllerOptions) {
    this.#tools = tools;
    this.#options = options;
  }

  /**
   * One run for one Gateway. Returns after how many milliseconds to run again, if no event may tell.
   * @throws {ReconcileError} if something is to be tried again.
   */
  async reconcile(target: Target, signal: AbortSignal): Promise<number | undefined> {
    const { view, book, binding } = this.#tools;
    const claimed = claimGateway(view, target, this.#options);
    switch (claimed.whose) {
      case 'nobody':
        this.#letGo(target);
        if (book.delete(`${target.namespace}/${target.name}`)) binding?.request();
        return undefined;
      case 'other':
        await this.#leave(claimed, signal);
        return undefined;
      case 'ours': {
        const plan = await this.#plan(claimed.gateway);
        return plan === undefined ? undefined : this.#provide(plan, signal);
      }
    }
  }

  /** Undefined until its parameters have been read. */
  async #plan(gateway: ObservedGateway): Promise<OwnPlan | undefined> {
    const { view, parameters } = this.#tools;
    const gatewayClass = view.store('GatewayClass').get(undefined, gateway.spec.gatewayClassName);
    const user = gatewayQueueKey(gatewayKey(gateway));
    const loaded = await parameters.load(user, gateway, gatewayClass as GatewayClass | undefined);
    return loaded && planGateway(view, gateway, loaded, this.#options);
  }

  /** Keeps nothing in mind for a Gateway that is not ours, or not any more. */
  #letGo(target: Target): void {
    const { blockers, parameters, budget, status, narrator } = this.#tools;
    const key = `${target.namespace}/${target.name}`;
    blockers.set(gatewayQueueKey(key), []);
    parameters.release(gatewayQueueKey(key));
    budget.forget(deploymentKey(target));
    status.forget(statusPath({ kind: 'Gateway', ...target }));
    narrator.forget(key);
  }

  /** Another controller's Gateway: what is left from a time when it was ours goes. */
  async #leave({ gateway, leftovers }: ForeignPlan, signal: AbortSignal): Promise<void> {
    const { transport, book, binding, narrator } = this.#tools;
    this.#letGo(gateway.metadata);
    const subject = leftovers.some(({ kind }) => kind === 'ServiceAccount') ? 'none' : 'keep';
    const isNews = book.set(gatewayKey(gateway), subject);
    if (leftovers.length === 0) return;
    if (isNews) binding?.request();
    const changes = await pruneChildren(transport, gateway, [], {
      ...this.#writeOptions(signal),
      listChildren: async (_, kind) => leftovers.filter((child) => child.kind === kind),
    });
    narrator.changes(gateway, changes);
    this.#throwFailure(gateway, changes);
  }

  async #provide(plan: OwnPlan, signal: AbortSignal): Promise<number | undefined> {
    const { gateway } = plan;
    const { view, book, binding, blockers, budget, narrator } = this.#tools;
    const user = gatewayQueueKey(gatewayKey(gateway));
    const subject = (is: SubjectPlan): void => {
      if (book.set(gatewayKey(gateway), is)) binding?.request();
    };
    if (gateway.metadata.annotations?.[PAUSED_ANNOTATION] === 'true') {
      subject('keep');
      budget.forget(deploymentKey(gateway.metadata));
      narrator.paused(gateway);
      return undefined;
    }
    const blocked = blockers.of(user).filter((object) => this.#isBlocked(object, gateway));
    if (await this.#isGone(plan, blocked, signal)) return undefined;
    narrator.diagnostics(gateway, plan.diagnostics);
    const rollout = takeTurn(budget, gateway, {
      desired: plan.objects.find(({ kind }) => kind === 'Deployment'),
      live: ownChild(view, 'Deployment', gateway),
      provenanceOf: plan.provenanceOf,
    });
    // The pods that there are need until their end what they could read.
    subject(rollout.pending !== undefined && plan.subject === 'none' ? 'keep' : plan.subject);
    const changes = await this.#apply(plan, blocked, rollout, signal);
    const conflicts = changes.filter(({ action }) => action === 'conflict').map(({ object }) => object);
    const blockedBy = [...blocked, ...conflicts];
    blockers.set(user, blockedBy);
    const outcome = { blockedBy, changes, rollout };
    const later = await reportStatus(this.#tools, this.#options, plan, outcome, signal);
    this.#throwFailure(gateway, changes);
    return later;
  }

  /**
   * Whether a Gateway that has lost an object is itself gone: garbage collection may be seen before what it is for,
   * and a Service made anew for nobody would order a load balancer.
   */
  async #isGone(
    { gateway, objects }: OwnPlan,
    blocked: readonly ClusterObject[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const { transport, view, memo } = this.#tools;
    const accepted = conditionOf(gateway.status?.conditions, 'Accepted')?.status ?? 'Unknown';
    // Nothing was made for it yet: the CRD's default.
    if (accepted === 'Unknown') return false;
    const { namespace, name, uid } = gateway.metadata;
    const hasLost = objects.some((object) => {
      const kind = object.kind as ClusterKind;
      const isKnown = memo.has({ kind, namespace, name: object.metadata.name });
      return (
        !isKnown &&
        !includes(blocked, kind, object.metadata.name) &&
        namedChild(view, kind, gateway) === undefined
      );
    });
    if (!hasLost) return false;
    const live = await getObject(transport, { kind: 'Gateway', namespace, name }, signal);
    return live?.metadata.uid !== uid || live.metadata.deletionTimestamp !== undefined;
  }

  async #apply(
    plan: OwnPlan,
    blocked: readonly ClusterObject[],
    rollout: Rollout,
    signal: AbortSignal,
  ): Promise<readonly Change[]> {
    const { transport, view, budget, narrator } = this.#tools;
    const { gateway } = plan;
    const held = plan.objects.filter((object) => this.#isHeld(object, gateway, blocked, rollout));
    const inUse = rollout.pending === undefined ? [] : labelledChildren(view, gateway, 'RoleBinding');
    const rights = inUse.map(({ metadata: { name } }) => ({ ...ROLE_BINDING, metadata: { name } }));
    const wanted = {
      gateway,
      objects: plan.objects.filter((object) => !held.includes(object)),
      retain: [...plan.retain, ...[...held, ...rights].map((object) => keyOf(object, gateway))],
      shared: plan.subject === 'wanted',
    };
    let action: Action | undefined;
    try {
      const changes = await applyGateway(transport, wanted, {
        ...this.#writeOptions(signal),
        // The binding has a writer of its own, who knows all Gateways.
        changeSubjects: async () => undefined,
      });
      action = changes.find(({ object }) => object.kind === 'Deployment')?.action;
      if (rollout.begins && action === 'configured') narrator.rollout(gateway, rollout);
      narrator.changes(gateway, changes);
      return changes;
    } finally {
      // Unchanged is what was written just now, and what the cache has not heard of.
      const isWritten = action === 'configured' || action === 'unchanged';
      if (rollout.begins && (!isWritten || this.#options.dryRun)) budget.giveBack(rollout.deployment);
    }
  }

  /** Whether an object is not to be touched now. */
  #isHeld(
    { kind, metadata: { name } }: RenderedObject,
    gateway: ObservedGateway,
    blocked: readonly ClusterObject[],
    rollout: Rollout,
  ): boolean {
    if (kind === 'Deployment' && rollout.pending !== undefined) return true;
    const isBlocked = (of: string) => includes(blocked, of, name);
    // A Deployment's pods would run as whoever has the ServiceAccount.
    if (isBlocked(kind) || (kind === 'Deployment' && isBlocked('ServiceAccount'))) return true;
    // Its end is an event.
    const live = namedChild(this.#tools.view, kind as ClusterKind, gateway);
    return live?.metadata.deletionTimestamp !== undefined;
  }

  #isBlocked(object: ClusterObject, gateway: ObservedGateway): boolean {
    const there = this.#tools.blockers.get(object);
    if (there === 'unknown') return true;
    return there !== undefined && ownershipOf(there, gateway) === 'foreign';
  }

  #throwFailure(gateway: ObservedGateway, changes: readonly Change[]): void {
    const failure = failureOf(changes);
    if (failure === undefined) return;
    this.#tools.narrator.failed(gateway, failure);
    throw new ReconcileError(failure);
  }

  #writeOptions(signal: AbortSignal): WriteOptions {
    const { view, memo } = this.#tools;
    return {
      dryRun: this.#options.dryRun,
      memo,
      signal,
      read: async ({ kind, namespace, name }) =>
        view.store(kind).get(namespace, name) as LiveObject | undefined,
      listChildren: async (of, kind) => labelledChildren(view, of, kind),
    };
  }
}

function includes(objects: readonly ClusterObject[], kind: string, name: string): boolean {
  return objects.some((object) => object.kind === kind && object.name === name);
}

function keyOf({ apiVersion, kind, metadata }: RenderedObject, gateway: ObservedGateway): ObjectKey {
  return { apiVersion, kind, namespace: gateway.metadata.namespace, name: metadata.name };
}
