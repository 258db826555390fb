import { formatDiagnostic } from '../../render/diagnostic.ts';
import { groupBy } from '../../render/group-by.ts';
import type { JsonObject } from '../../render/json.ts';
import { classProblems, parametersKey } from '../../render/parameters/resolve.ts';
import { conditionOf, type Verdict } from '../status/conditions.ts';
import { gatewayClassStatus } from '../status/gateway-class-status.ts';
import type { ObservedClass } from '../status/observed.ts';
import type { StatusResult, StatusWriter } from '../status/write-status.ts';
import type { ClusterView } from './cluster-view.ts';
import type { ControllerOptions } from './options.ts';
import type { LoadedParameters, ParametersLoader } from './parameters-loader.ts';
import { classQueueKey } from './queue-key.ts';

/** What a {@link reconcileClass} works with. */
export interface ClassTools {
  readonly view: ClusterView;
  readonly status: StatusWriter;
  readonly parameters: ParametersLoader;
  readonly now: () => string;
}

/** Says on a GatewayClass of ours that it is, and what its Gateways can have. */
export async function reconcileClass(
  { view, status, parameters, now }: ClassTools,
  name: string,
  options: ControllerOptions,
  signal: AbortSignal,
): Promise<{ readonly result: StatusResult; readonly gatewayClass?: ObservedClass }> {
  const gatewayClass = view.store('GatewayClass').get(undefined, name) as ObservedClass | undefined;
  const isOurs =
    gatewayClass?.spec.controllerName === options.controllerName &&
    gatewayClass.metadata.deletionTimestamp === undefined;
  const user = classQueueKey(name);
  if (!isOurs || options.status === 'none' || options.dryRun) {
    parameters.release(user);
    return { result: 'unchanged' };
  }
  const loaded = await parameters.load(user, undefined, gatewayClass);
  if (loaded === undefined) return { result: 'unchanged' };
  const wanted = gatewayClassStatus(gatewayClass, acceptedVerdict(gatewayClass, loaded, options), now());
  const path = `/apis/${gatewayClass.apiVersion}/gatewayclasses/${name}`;
  const change = {
    wanted: wanted as unknown as JsonObject,
    there: ownPart(gatewayClass, wanted) as unknown as JsonObject,
    signal,
  };
  return { result: await status.write(path, gatewayClass, change), gatewayClass };
}

function acceptedVerdict(
  gatewayClass: ObservedClass,
  { dataPlanes, configMaps }: LoadedParameters,
  { controllerName, bindingName }: ControllerOptions,
): Verdict {
  const index = groupBy([...dataPlanes, ...configMaps], ({ object }) =>
    parametersKey({ ...object.metadata, kind: object.kind }),
  );
  const problems = classProblems({ object: gatewayClass }, index);
  if (problems.length > 0) {
    const message = [...new Set(problems.map(formatDiagnostic))].join('; ');
    return { status: 'False', reason: 'InvalidParameters', message };
  }
  const message = `claimed by ${controllerName} with ClusterRoleBinding ${bindingName}`;
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
