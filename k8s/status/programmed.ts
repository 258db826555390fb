import { formatReference, type ObjectReference } from '../../render/diagnostic.ts';
import type { Gateway } from '../../render/gateway-api.ts';
import { addressProblem } from './addresses.ts';
import type { Condition, Verdict } from './conditions.ts';
import type { ObservedDeployment, ObservedService } from './observed.ts';

/** All that decides whether a Gateway is `Programmed`. Children are given only if they are this Gateway's, by uid. */
export interface Infrastructure {
  /** Whether the Gateway itself can be served. */
  readonly accepted: Verdict;
  /** Objects of others where the Gateway's own should be. */
  readonly blockedBy: readonly ObjectReference[];
  /** What the API server refused, in its words. */
  readonly refused: readonly string[];
  /** What was not done for another reason, and is tried again. */
  readonly failed: readonly string[];
  readonly deployment: ObservedDeployment | undefined;
  readonly service: ObservedService | undefined;
  /** The text of the Service's last warning event. */
  readonly serviceWarning: string | undefined;
  readonly rights: Rights;
  /** Why the pods are not replaced yet, if they should be. */
  readonly rolloutPending: string | undefined;
}

/** Whether a data plane may read what it needs: `pending` until its ServiceAccount is a subject; a text says what stands in the way. */
export type Rights = 'given' | 'pending' | { readonly problem: string };

/** What `Programmed` is to say. */
export function programmedVerdict(
  gateway: Gateway,
  infrastructure: Infrastructure,
  previous: Condition | undefined,
): Verdict {
  const verdict = verdictOf(gateway, infrastructure, previous);
  const { failed } = infrastructure;
  // Who waits must see that it is in vain.
  return verdict === PENDING && failed.length > 0
    ? no('Pending', `tried again: ${failed.join('; ')}`)
    : verdict;
}

function verdictOf(
  gateway: Gateway,
  infrastructure: Infrastructure,
  previous: Condition | undefined,
): Verdict {
  const { accepted, blockedBy, refused, deployment, rights, service, serviceWarning } = infrastructure;
  if (accepted.status === 'False') return no('Invalid', `the Gateway is not accepted: ${accepted.message}`);
  if (blockedBy.length > 0) {
    const named = blockedBy.map(formatReference).join(', ');
    const message = `${named} is there and is not gari's; rename or remove it, or rename the Gateway`;
    return no('ResourceConflict', message);
  }
  if (refused.length > 0) return no('Invalid', refused.join('; '));
  const state = stateOf(deployment);
  if (state !== 'lagging' && state !== 'ready') return state;
  // What was never recorded was never ready: a Gateway made anew starts from there, whatever it finds.
  if (previous === undefined || previous.status === 'Unknown') return PENDING;
  // A rollout is not an outage.
  if (state === 'lagging') return asItWas(previous);
  if (rights === 'pending') return PENDING;
  if (rights !== 'given') return no('BindingNotUsable', rights.problem);
  return addressProblem(gateway, service, serviceWarning) ?? yes(infrastructure);
}

function no(reason: string, message: string): Verdict {
  return { status: 'False', reason, message };
}

// One text for all steps of the first set-up, so that it is one write and not one for each step.
const PENDING = no('Pending', 'the Deployment and what it needs are being set up');

function yes({ rolloutPending }: Infrastructure): Verdict {
  const message = 'the data plane is available and has its addresses';
  if (rolloutPending === undefined) return { status: 'True', reason: 'Programmed', message };
  return { status: 'True', reason: 'RolloutPending', message: rolloutPending };
}

function asItWas({ status, reason, message }: Condition): Verdict {
  return { status, reason, message };
}

function stateOf(deployment: ObservedDeployment | undefined): 'ready' | 'lagging' | Verdict {
  if (deployment === undefined) return PENDING;
  const { metadata, spec, status = {} } = deployment;
  // Without one nobody has looked at it yet, so there was nothing before either.
  if (status.observedGeneration === undefined) return PENDING;
  if (status.observedGeneration < (metadata.generation ?? 0)) return 'lagging';
  const condition = (type: string) => status.conditions?.find((each) => each.type === type);
  // `Available` alone is true with no replica at all.
  if ((status.availableReplicas ?? 0) > 0 && condition('Available')?.status === 'True') return 'ready';
  const name = `Deployment ${metadata.name}`;
  if (spec?.replicas === 0) return no('NoResources', `${name} is scaled to 0 replicas`);
  const failure = condition('ReplicaFailure');
  const progressing = condition('Progressing');
  const stuck =
    failure?.status === 'True' ? failure : progressing?.status === 'False' ? progressing : undefined;
  if (stuck !== undefined)
    return no('NoResources', `${name}: ${stuck.message ?? stuck.reason ?? 'it is stuck'}`);
  // It was complete once, and then its pods went.
  if (progressing?.reason === 'NewReplicaSetAvailable')
    return no('NoResources', `${name} has too few available replicas`);
  return PENDING;
}
