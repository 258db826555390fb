import type { JsonObject } from '../../render/json.ts';
import { conditionOf, type Verdict } from '../status/conditions.ts';
import { gatewayClassStatus } from '../status/gateway-class-status.ts';
import type { ObservedClass } from '../status/observed.ts';
import type { StatusResult, StatusWriter } from '../status/write-status.ts';
import type { ClusterView } from './cluster-view.ts';
import type { ControllerOptions } from './options.ts';

/** What a {@link reconcileClass} works with. */
export interface ClassTools {
  readonly view: ClusterView;
  readonly status: StatusWriter;
  readonly now: () => string;
}

/** Says on a GatewayClass of ours that it is, and what its Gateways can have. */
export async function reconcileClass(
  { view, status, now }: ClassTools,
  name: string,
  options: ControllerOptions,
  signal: AbortSignal,
): Promise<{ readonly result: StatusResult; readonly gatewayClass?: ObservedClass }> {
  const gatewayClass = view.store('GatewayClass').get(undefined, name) as ObservedClass | undefined;
  const isOurs =
    gatewayClass?.spec.controllerName === options.controllerName &&
    gatewayClass.metadata.deletionTimestamp === undefined;
  if (!isOurs || options.status === 'none' || options.dryRun) return { result: 'unchanged' };
  const wanted = gatewayClassStatus(gatewayClass, acceptedVerdict(gatewayClass, options), now());
  const path = `/apis/${gatewayClass.apiVersion}/gatewayclasses/${name}`;
  const change = {
    wanted: wanted as unknown as JsonObject,
    there: ownPart(gatewayClass, wanted) as unknown as JsonObject,
    signal,
  };
  return { result: await status.write(path, gatewayClass, change), gatewayClass };
}

function acceptedVerdict(gatewayClass: ObservedClass, options: ControllerOptions): Verdict {
  const { parametersRef } = gatewayClass.spec;
  if (parametersRef !== undefined) {
    const message = `spec.parametersRef (${parametersRef.kind} ${parametersRef.name}) cannot be followed: this version of gari does not read parameters; remove it`;
    return { status: 'False', reason: 'InvalidParameters', message };
  }
  const message = `claimed by ${options.controllerName} with ClusterRoleBinding ${options.bindingName}`;
  return { status: 'True', reason: 'Accepted', message };
}

/** What of a class's status is ours, as it is: other controllers add features of their own. */
function ownPart({ status = {} }: ObservedClass, wanted: NonNullable<ObservedClass['status']>) {
  const accepted = conditionOf(status.conditions, 'Accepted');
  const ours = new Set((wanted.supportedFeatures ?? []).map(({ name }) => name));
  return {
    conditions: accepted === undefined ? [] : [accepted],
    supportedFeatures: (status.supportedFeatures ?? []).filter(({ name }) => ours.has(name)),
  };
}
