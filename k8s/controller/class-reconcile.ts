import { formatDiagnostic } from '../../render/diagnostic.ts';
import { groupBy } from '../../render/group-by.ts';
import type { JsonObject } from '../../render/json.ts';
import { classProblems, parametersKey } from '../../render/parameters/resolve.ts';
import { conditionOf, type Verdict } from '../status/conditions.ts';
import { gatewayClassStatus } from '../status/gateway-class-status.ts';
import type { ObservedClass } from '../status/observed.ts';
import type { StatusResult, StatusWriter } from '../status/write-status.ts';
import { StatusError } from '../status-error.ts';
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

/** What became of a GatewayClass. */
export interface ClassResult {
  /** `foreign`: it is another controller's, although --class-name names it. */
  readonly result: StatusResult | 'foreign';
  readonly gatewayClass?: ObservedClass;
}

/** Says on a GatewayClass of ours that it is, and what its Gateways can have. */
export async function reconcileClass(
  { view, status, parameters, now }: ClassTools,
  name: string,
  options: ControllerOptions,
  signal: AbortSignal,
): Promise<ClassResult> {
  const gatewayClass = view.store('GatewayClass').get(undefined, name) as ObservedClass | undefined;
  const isOurs =
    gatewayClass?.spec.controllerName === options.controllerName &&
    gatewayClass.metadata.deletionTimestamp === undefined;
  const user = classQueueKey(name);
  if (!isOurs || options.status === 'none' || options.dryRun) {
    parameters.release(user);
    const isNamed = gatewayClass !== undefined && options.classNames.includes(name);
    const isForeign = gatewayClass?.spec.controllerName !== options.controllerName;
    return isNamed && isForeign ? { result: 'foreign', gatewayClass } : { result: 'unchanged' };
  }
  const loaded = await parameters.load(user, undefined, gatewayClass);
  if (loaded === undefined) return { result: 'unchanged' };
  const wanted = gatewayClassStatus(gatewayClass, acceptedVerdict(gatewayClass, loaded, options), now());
  return { result: await write(status, gatewayClass, wanted, signal), gatewayClass };
}

type ClassStatus = NonNullable<ObservedClass['status']>;

async function write(
  status: StatusWriter,
  gatewayClass: ObservedClass,
  wanted: ClassStatus,
  signal: AbortSignal,
): Promise<StatusResult> {
  const path = `/apis/${gatewayClass.apiVersion}/gatewayclasses/${gatewayClass.metadata.name}`;
  const change = (part: ClassStatus) => ({
    wanted: part as unknown as JsonObject,
    there: ownPart(gatewayClass, part) as unknown as JsonObject,
    signal,
  });
  try {
    return await status.write(path, gatewayClass, change(wanted));
  } catch (error) {
    // Older versions of the Gateway API have not this field.
    const { conditions = [], supportedFeatures } = wanted;
    const isOld = error instanceof StatusError && error.message.includes('.status.supportedFeatures');
    if (!isOld || supportedFeatures === undefined) throw error;
    return status.write(path, gatewayClass, change({ conditions }));
  }
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
function ownPart({ status = {} }: ObservedClass, { supportedFeatures }: ClassStatus): ClassStatus {
  const accepted = conditionOf(status.conditions, 'Accepted');
  const conditions = accepted === undefined ? [] : [accepted];
  if (supportedFeatures === undefined) return { conditions };
  const ours = new Set(supportedFeatures.map(({ name }) => name));
  return {
    conditions,
    supportedFeatures: (status.supportedFeatures ?? []).filter(({ name }) => ours.has(name)),
  };
}
