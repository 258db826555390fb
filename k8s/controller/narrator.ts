import { type Diagnostic, formatDiagnostic } from '../../render/diagnostic.ts';
import { gatewayKey } from '../../render/metadata.ts';
import type { Change } from '../change-set.ts';
import type { EventObject, EventRecorder } from '../operation/event-recorder.ts';
import type { Log } from '../operation/log.ts';
import type { ControllerMetrics } from '../operation/metrics.ts';
import type { Condition } from '../status/conditions.ts';
import { conditionOf } from '../status/conditions.ts';
import type { ObservedClass, ObservedGateway } from '../status/observed.ts';
import type { Rollout } from './rollout.ts';

/** Where the controller says what it does. */
export interface NarratorTools {
  readonly log: Log;
  readonly events: EventRecorder;
  readonly metrics: Pick<ControllerMetrics, 'applied'>;
  readonly dryRun: boolean;
}

const WRITTEN = new Set(['created', 'configured', 'pruned']);

/** Says in the log, in events and in metrics what becomes of Gateways; each thing once. */
export class Narrator {
  readonly #tools: NarratorTools;
  /** What was said last of each Gateway, by topic. */
  readonly #said = new Map<string, Map<string, string>>();

  readonly #foreignClasses = new Map<string, string>();

  constructor(tools: NarratorTools) {
    this.#tools = tools;
  }

  /** What was written for a Gateway: one line, if anything was. */
  changes(gateway: ObservedGateway, changes: readonly Change[]): void {
    const { metrics, dryRun } = this.#tools;
    const written = changes.filter(({ action }) => WRITTEN.has(action));
    for (const { object, action } of changes) {
      if (action !== 'unchanged' && action !== 'retained') metrics.applied(object.kind, action);
    }
    if (written.length === 0) return;
    const lines = written.map(({ object, action }) => `${object.kind} ${object.name} ${action}`);
    // A dry run would find the same again with each event.
    if (dryRun && !this.#isNews(gateway, 'changes', lines.join())) return;
    this.#tools.log.info({ changes: lines, dryRun }, dryRun ? 'would be applied' : 'applied');
  }

  /** Pods that are replaced, or wait for it. */
  rollout(gateway: ObservedGateway, { from, to, cause }: Rollout): void {
    const changed = cause?.layers ?? [];
    const by = changed.length === 0 ? 'a field that is not set any more' : changed.join(', ');
    const { dryRun } = this.#tools;
    if (!this.#isNews(gateway, 'rollout', `${from} ${to}`)) return;
    this.#tools.log.info({ from, to, layers: changed, dryRun }, 'pods are replaced');
    const note = `Pod template ${from} becomes ${to}, changed by: ${by}`;
    this.#event(gateway, { type: 'Normal', reason: 'Rollout', action: 'Apply', note });
  }

  /** What rendering had to say. */
  diagnostics(gateway: ObservedGateway, diagnostics: readonly Diagnostic[]): void {
    const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
    for (const diagnostic of warnings) {
      const note = formatDiagnostic(diagnostic);
      if (!this.#isNews(gateway, note, note)) continue;
      this.#tools.log.warn({ reason: diagnostic.reason }, note);
      this.#event(gateway, { type: 'Warning', reason: diagnostic.reason, action: 'Render', note });
    }
  }

  /** Conditions that say something else than before. */
  conditions(gateway: ObservedGateway, conditions: readonly Condition[]): void {
    for (const { type, status, reason, message } of conditions) {
      const before = conditionOf(gateway.status?.conditions, type);
      const isSame = before?.status === status && before.reason === reason;
      if (!this.#isNews(gateway, type, `${status} ${reason}`) || isSame) continue;
      this.#tools.log.info({ condition: type, status, reason, detail: message }, 'condition changed');
      if (reason === 'Pending') continue;
      const note = `${type}=${status}: ${message}`;
      this.#event(gateway, {
        type: status === 'True' ? 'Normal' : 'Warning',
        reason,
        action: 'Reconcile',
        note,
      });
    }
  }

  /** Something was not done, and is tried again. The queue's owner logs it. */
  failed(gateway: ObservedGateway, failure: string): void {
    if (!this.#isNews(gateway, 'failed', failure)) return;
    this.#event(gateway, { type: 'Warning', reason: 'ApplyFailed', action: 'Apply', note: failure });
  }

  /** A class that --class-name names and that another controller has. */
  foreignClass(name: string, controllerName: string): void {
    if (this.#foreignClasses.get(name) === controllerName) return;
    this.#foreignClasses.set(name, controllerName);
    const message = "its Gateways are not gari's, although --class-name names it";
    this.#tools.log.warn({ GatewayClass: { name }, controllerName }, message);
  }

  /** Nothing is written for the Gateway, as its annotation asks. */
  paused(gateway: ObservedGateway): void {
    if (!this.#isNews(gateway, 'paused', 'true')) return;
    this.#tools.log.info('paused: nothing is written for it');
    const note = 'gari.dev/paused is true: nothing is written for this Gateway';
    this.#event(gateway, { type: 'Normal', reason: 'Paused', action: 'Reconcile', note });
  }

  /** Somebody else writes the status back. */
  contested(gateway: ObservedGateway | ObservedClass): void {
    const note = 'another controller writes this status back again and again: only one may take care of it';
    this.#tools.log.warn({ kind: gateway.kind, name: gateway.metadata.name }, note);
    this.#event(gateway, { type: 'Warning', reason: 'StatusContested', action: 'Reconcile', note });
  }

  /** Forgets what was said of a Gateway (`<namespace>/<name>`). */
  forget(gateway: string): void {
    this.#said.delete(gateway);
  }

  #isNews(gateway: ObservedGateway, topic: string, text: string): boolean {
    const key = gatewayKey(gateway);
    const said = this.#said.get(key) ?? new Map<string, string>();
    this.#said.set(key, said);
    if (said.get(topic) === text) return false;
    said.set(topic, text);
    return true;
  }

  #event(
    object: ObservedGateway | ObservedClass,
    event: Omit<Parameters<EventRecorder['record']>[0], 'regarding'>,
  ): void {
    if (this.#tools.dryRun) return;
    this.#tools.events.record({ regarding: regardingOf(object), ...event });
  }
}

function regardingOf({ apiVersion, kind, metadata }: ObservedGateway | ObservedClass): EventObject {
  const { name, namespace, uid } = metadata;
  return { apiVersion, kind, name, uid, ...(namespace === undefined ? {} : { namespace }) };
}
