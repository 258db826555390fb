import type { ObjectReference } from '../../render/diagnostic.ts';
import type { GatewayClass } from '../../render/gateway-api.ts';
import type { JsonObject } from '../../render/json.ts';
import { gatewayKey } from '../../render/metadata.ts';
import { renderedName } from '../../render/names.ts';
import type { ObjectKey, RenderedObject } from '../../render/objects.ts';
import { ownershipOf } from '../../render/ownership.ts';
import { applyGateway, type GatewayOptions } from '../apply-gateway.ts';
import type { Change } from '../change-set.ts';
import type { LiveObject } from '../live-object.ts';
import type { ApplyMemo } from '../memo.ts';
import { pruneChildren } from '../prune.ts';
import { type ClusterKind, type ClusterObject, pathOf } from '../resources.ts';
import { gatewayStatus } from '../status/gateway-status.ts';
import type { ObservedDeployment, ObservedGateway, ObservedService } from '../status/observed.ts';
import type { StatusResult, StatusWriter } from '../status/write-status.ts';
import type { Transport } from '../transport.ts';
import type { BindingWriter } from './binding-writer.ts';
import { type ClusterView, labelledChildren } from './cluster-view.ts';
import type { FollowedObjects } from './followed-objects.ts';
import type { Narrator } from './narrator.ts';
import type { ControllerOptions } from './options.ts';
import { ownPart } from './own-part.ts';
import type { ParametersLoader } from './parameters-loader.ts';
import { claimGateway, type ForeignPlan, type OwnPlan, planGateway } from './plan.ts';
import { gatewayQueueKey } from './queue-key.ts';
import { type RolloutBudget, templateHashOf } from './rollout-budget.ts';
import { lastWarning } from './service-warning.ts';
import type { SubjectBook } from './subject-book.ts';
import { changedLayers } from './template-change.ts';

/** A Gateway with it is left alone: nothing is written for it. */
export const PAUSED_ANNOTATION = 'gari.dev/paused';

// After what was known was old: long enough for the watch to bring what is there.
const OUTDATED_MS = 500;

/** What a {@link GatewayReconciler} works with. */
export interface ReconcileTools {
  readonly transport: Transport;
  readonly view: ClusterView;
  readonly memo: ApplyMemo;
  readonly status: StatusWriter;
  /** None where no cluster-scoped object may be read. */
  readonly binding: BindingWriter | undefined;
  readonly book: SubjectBook;
  /** Foreign objects in the way of Gateways. */
  readonly blockers: FollowedObjects;
  readonly parameters: ParametersLoader;
  readonly budget: RolloutBudget;
  readonly narrator: Narrator;
  /** RFC 3339, to the second. */
  readonly now: () => string;
}

/** Something was not done, and is to be tried again. */
export class ReconcileError extends Error {
  override readonly name = 'ReconcileError';
}

/** Makes the cluster what one Gateway asks for. */
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
  async reconcile(
    target: { readonly namespace: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const claimed = claimGateway(this.#tools.view, target, this.#options);
    switch (claimed.whose) {
      case 'nobody':
        this.#forget(target);
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

  #forget({ namespace, name }: { readonly namespace: string; readonly name: string }): void {
    const { book, binding, blockers, parameters, budget, status, narrator } = this.#tools;
    const key = `${namespace}/${name}`;
    blockers.set(gatewayQueueKey(key), []);
    parameters.release(gatewayQueueKey(key));
    budget.forget(`${namespace}/${renderedName(name)}`);
    status.forget(statusPath({ namespace, name }));
    narrator.forget(key);
    if (book.delete(key)) binding?.request();
  }

  /** Another controller's Gateway: what is left from a time when it was ours goes. */
  async #leave({ gateway, leftovers }: ForeignPlan, signal: AbortSignal): Promise<void> {
    const { transport, book, binding, narrator } = this.#tools;
    this.#forget(gateway.metadata);
    const subject = leftovers.some(({ kind }) => kind === 'ServiceAccount') ? 'none' : 'keep';
    if (book.set(gatewayKey(gateway), subject) && subject === 'none') binding?.request();
    if (leftovers.length === 0) return;
    const changes = await pruneChildren(transport, gateway, [], {
      ...this.#writeOptions(signal),
      listChildren: async (_, kind) => leftovers.filter((child) => child.kind === kind),
    });
    narrator.changes(gateway, changes);
    throwFailures(changes);
  }

  async #provide(plan: OwnPlan, signal: AbortSignal): Promise<number | undefined> {
    const { gateway } = plan;
    const { book, binding, blockers, budget, narrator } = this.#tools;
    const key = gatewayKey(gateway);
    const isPaused = gateway.metadata.annotations?.[PAUSED_ANNOTATION] === 'true';
    if (book.set(key, isPaused ? 'keep' : plan.subject)) binding?.request();
    if (isPaused) {
      budget.forget(`${gateway.metadata.namespace}/${renderedName(gateway.metadata.name)}`);
      narrator.paused(gateway);
      return undefined;
    }
    narrator.diagnostics(gateway, plan.diagnostics);
    const blocked = blockers.of(gatewayQueueKey(key)).filter((object) => this.#isBlocked(object, gateway));
    const rollout = this.#rollout(plan);
    const changes = await this.#apply(plan, blocked, rollout, signal);
    const conflicts = changes.filter(({ action }) => action === 'conflict').map(({ object }) => object);
    const blockedBy = [...blocked, ...conflicts];
    blockers.set(gatewayQueueKey(key), blockedBy);
    const later = await this.#writeStatus(plan, { blockedBy, changes, rollout }, signal);
    throwFailures(changes);
    return later;
  }

  async #apply(
    plan: OwnPlan,
    blocked: readonly ClusterObject[],
    rollout: Rollout,
    signal: AbortSignal,
  ): Promise<readonly Change[]> {
    const { transport, budget, narrator } = this.#tools;
    const { gateway } = plan;
    const held = plan.objects.filter((object) => this.#isHeld(object, gateway, blocked, rollout));
    const retain = [...plan.retain, ...held.map((object) => keyOf(object, gateway))];
    const objects = plan.objects.filter((object) => !held.includes(object));
    if (rollout.begins && objects.some(({ kind }) => kind === 'Deployment'))
      narrator.rollout(gateway, rollout);
    const options: GatewayOptions = {
      ...this.#writeOptions(signal),
      // The binding has a writer of its own, who knows all Gateways.
      changeSubjects: async () => undefined,
    };
    try {
      const wanted = { gateway, objects, retain, shared: plan.subject === 'wanted' };
      const changes = await applyGateway(transport, wanted, options);
      const replaced = changes.some(
        ({ object, action }) => object.kind === 'Deployment' && action === 'configured',
      );
      if (rollout.begins && (!replaced || this.#options.dryRun)) budget.giveBack(rollout.deployment);
      narrator.changes(gateway, changes);
      return changes;
    } catch (error) {
      if (rollout.begins) budget.giveBack(rollout.deployment);
      throw error;
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
    const isBlocked = (of: string) => blocked.some((object) => object.kind === of && object.name === name);
    // A Deployment's pods would run as whoever has the ServiceAccount.
    if (isBlocked(kind) || (kind === 'Deployment' && isBlocked('ServiceAccount'))) return true;
    // Its end is an event.
    return this.#live(kind as ClusterKind, gateway)?.metadata.deletionTimestamp !== undefined;
  }

  #isBlocked(object: ClusterObject, gateway: ObservedGateway): boolean {
    const there = this.#tools.blockers.get(object);
    if (there === 'unknown') return true;
    return there !== undefined && ownershipOf(there, gateway) === 'foreign';
  }

  /** Whether the pods are to be replaced, and may be now. */
  #rollout({ gateway, objects, provenanceOf }: OwnPlan): Rollout {
    const { budget } = this.#tools;
    const { namespace, name } = gateway.metadata;
    const deployment = `${namespace}/${renderedName(name)}`;
    const desired = objects.find(({ kind }) => kind === 'Deployment');
    const live = this.#own('Deployment', gateway);
    if (desired === undefined || live === undefined) {
      budget.forget(deployment);
      return { deployment, begins: false };
    }
    const [from, to] = [templateHashOf(live), templateHashOf(desired)];
    const mayChange = budget.mayChange({ deployment, from, to }, gatewayKey(gateway));
    if (from === to) return { deployment, begins: false };
    const layers = () => changedLayers(desired, live as unknown as JsonObject, provenanceOf);
    const change = { deployment, from, to, layers };
    if (mayChange) return { ...change, begins: true };
    const limit = budget.limit;
    const pending = `the pods are not replaced yet (template ${from} to ${to}): at most ${limit} ${limit === 1 ? 'Gateway is' : 'Gateways are'} restarted at a time`;
    return { ...change, begins: false, pending };
  }

  async #writeStatus(
    plan: OwnPlan,
    { blockedBy, changes, rollout }: Outcome,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { view, status, binding, narrator, now } = this.#tools;
    const { gateway } = plan;
    const service = this.#own('Service', gateway) as ObservedService | undefined;
    const wanted = gatewayStatus(gateway, {
      accepted: plan.accepted,
      blockedBy: blockedBy.map(reference),
      refused: changes.filter(({ terminal }) => terminal).map(failureText),
      deployment: this.#own('Deployment', gateway) as ObservedDeployment | undefined,
      service,
      serviceWarning: lastWarning(view, service),
      rights: binding?.rightsOf(gateway) ?? 'given',
      rolloutPending: rollout.pending,
      attachedListenerSets: plan.attachedListenerSets,
      now: now(),
    });
    narrator.conditions(gateway, wanted.conditions ?? []);
    if (this.#options.status === 'none' || this.#options.dryRun) return undefined;
    const path = statusPath(gateway.metadata);
    const change = { wanted: wanted as unknown as JsonObject, there: ownPart(gateway), signal };
    return this.#afterStatus(gateway, await status.write(path, gateway, change));
  }

  #afterStatus(gateway: ObservedGateway, result: StatusResult): number | undefined {
    if (result === 'outdated') return OUTDATED_MS;
    if (typeof result === 'string') return undefined;
    this.#tools.narrator.contested(gateway);
    return result.retryAfterMs;
  }

  #writeOptions(signal: AbortSignal) {
    const { view, memo } = this.#tools;
    return {
      dryRun: this.#options.dryRun,
      memo,
      signal,
      read: async ({ kind, namespace, name }: ClusterObject) =>
        view.store(kind).get(namespace, name) as LiveObject | undefined,
      listChildren: async (of: Parameters<typeof labelledChildren>[1], kind: ClusterKind) =>
        labelledChildren(view, of, kind),
    };
  }

  #live(kind: ClusterKind, { metadata: { namespace, name } }: ObservedGateway): LiveObject | undefined {
    return this.#tools.view.store(kind).get(namespace, renderedName(name)) as LiveObject | undefined;
  }

  /** A child, if it is this Gateway's and not that of an earlier one of its name. */
  #own(kind: ClusterKind, gateway: ObservedGateway): LiveObject | undefined {
    const live = this.#live(kind, gateway);
    return live !== undefined && ownershipOf(live, gateway) === 'owned' ? live : undefined;
  }
}

/** A change of a Gateway's pod template. */
export interface Rollout {
  /** `<namespace>/<name>`. */
  readonly deployment: string;
  /** Whether pods are replaced now. */
  readonly begins: boolean;
  /** Why they are not, although they should be. */
  readonly pending?: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The layers that changed the template. */
  readonly layers?: () => readonly string[];
}

interface Outcome {
  readonly blockedBy: readonly ClusterObject[];
  readonly changes: readonly Change[];
  readonly rollout: Rollout;
}

function statusPath({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return pathOf({ kind: 'Gateway', namespace, name });
}

function throwFailures(changes: readonly Change[]): void {
  const failed = changes.filter(({ action }) => action === 'failed');
  if (failed.length > 0) throw new ReconcileError(failed.map(failureText).join('; '));
}

function failureText({ object, message = 'it failed' }: Change): string {
  return `${object.kind}${object.name === '' ? '' : ` ${object.name}`}: ${message}`;
}

function reference({ kind, namespace, name }: ClusterObject): ObjectReference {
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

function keyOf({ apiVersion, kind, metadata }: RenderedObject, gateway: ObservedGateway): ObjectKey {
  return { apiVersion, kind, namespace: gateway.metadata.namespace, name: metadata.name };
}
