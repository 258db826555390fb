import type { ObjectReference } from '../../render/diagnostic.ts';
import type { JsonObject } from '../../render/json.ts';
import { type Change, isProblem } from '../change-set.ts';
import { type ClusterObject, pathOf } from '../resources.ts';
import { conditionOf } from '../status/conditions.ts';
import { gatewayStatus } from '../status/gateway-status.ts';
import type { ObservedDeployment, ObservedGateway, ObservedService } from '../status/observed.ts';
import type { StatusWriter } from '../status/write-status.ts';
import type { BindingWriter } from './binding-writer.ts';
import { type ClusterView, ownChild } from './cluster-view.ts';
import type { Narrator } from './narrator.ts';
import type { ControllerOptions } from './options.ts';
import { ownPart } from './own-part.ts';
import type { OwnPlan } from './plan.ts';
import type { Rollout } from './rollout.ts';
import { lastWarning } from './service-warning.ts';

// After what was known was old: long enough for the watch to bring what is there.
const OUTDATED_MS = 500;

/** What {@link reportStatus} works with. */
export interface ReportTools {
  readonly view: ClusterView;
  readonly status: StatusWriter;
  /** None where no cluster-scoped object may be read. */
  readonly binding: BindingWriter | undefined;
  readonly narrator: Narrator;
  /** RFC 3339, to the second. */
  readonly now: () => string;
}

/** What came of a run for a Gateway. */
export interface Outcome {
  readonly blockedBy: readonly ClusterObject[];
  readonly changes: readonly Change[];
  readonly rollout: Rollout;
}

/**
 * Says on a Gateway how things are with it. Returns after how many milliseconds to do so again, if no event
 * may tell.
 */
export async function reportStatus(
  { view, status, binding, narrator, now }: ReportTools,
  { status: mode, dryRun }: ControllerOptions,
  { gateway, accepted, attachedListenerSets }: OwnPlan,
  { blockedBy, changes, rollout }: Outcome,
  signal: AbortSignal,
): Promise<number | undefined> {
  const service = ownChild(view, 'Service', gateway) as ObservedService | undefined;
  const failed = changes.filter(({ action }) => action === 'failed');
  const wanted = gatewayStatus(gateway, {
    accepted,
    blockedBy: blockedBy.map(reference),
    refused: failed.filter(({ terminal }) => terminal === true).map(failureText),
    failed: failed.filter(({ terminal }) => terminal !== true).map(failureText),
    deployment: ownChild(view, 'Deployment', gateway) as ObservedDeployment | undefined,
    service,
    serviceWarning: lastWarning(view, service),
    rights: binding?.rightsOf(gateway) ?? 'given',
    rolloutPending: rollout.pending,
    attachedListenerSets,
    now: now(),
  });
  // It serves, but not what it is asked for now: what was said of the generation before stays true.
  const isBehind = failed.length > 0 && conditionOf(wanted.conditions, 'Programmed')?.status === 'True';
  if (isBehind) return undefined;
  narrator.conditions(gateway, wanted.conditions ?? []);
  if (mode === 'none' || dryRun) return undefined;
  const change = { wanted: wanted as unknown as JsonObject, there: ownPart(gateway), signal };
  const result = await status.write(statusPath(gateway.metadata), gateway, change);
  if (result === 'outdated') return OUTDATED_MS;
  if (typeof result === 'string') return undefined;
  narrator.contested(gateway);
  return result.retryAfterMs;
}

/** The path of a Gateway, under which its status is remembered. */
export function statusPath({ namespace, name }: ObservedGateway['metadata'] | ClusterObject): string {
  return pathOf({ kind: 'Gateway', name, ...(namespace === undefined ? {} : { namespace }) });
}

/** What is to be tried again, in one text; undefined if nothing is. */
export function failureOf(changes: readonly Change[]): string | undefined {
  // A conflict is waited for, and an error it is not.
  const failed = changes.filter((change) => isProblem(change) && change.action !== 'conflict');
  return failed.length === 0 ? undefined : failed.map(failureText).join('; ');
}

function failureText({ object, message = 'it failed' }: Change): string {
  return `${object.kind}${object.name === '' ? '' : ` ${object.name}`}: ${message}`;
}

function reference({ kind, namespace, name }: ClusterObject): ObjectReference {
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
