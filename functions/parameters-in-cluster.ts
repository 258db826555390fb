import { getObject } from '../k8s/live-object.ts';
import type { ClusterObject } from '../k8s/resources.ts';
import { rbacName } from '../k8s/resources.ts';
import { StatusError } from '../k8s/status-error.ts';
import type { Transport } from '../k8s/transport.ts';
import { claimGateways } from '../render/claim.ts';
import { type Diagnostic, diagnose } from '../render/diagnostic.ts';
import type { GatewayClass } from '../render/gateway-api.ts';
import type { JsonObject } from '../render/json.ts';
import type { ParametersObject } from '../render/parameters/parameters.ts';
import {
  classTarget,
  gatewayTarget,
  type ParametersTarget,
  parametersKey,
} from '../render/parameters/resolve.ts';
import { readObject } from '../render/read-object.ts';
import type { RenderInput } from '../render/render.ts';
import { ClusterProblem } from './cluster-command.ts';
import { readParametersObject } from './input/parameters.ts';

/** Which Gateways are to be rendered. */
export interface ClaimFlags {
  readonly className: readonly string[];
  readonly controllerName: string;
}

/** Input with what was missing, and what could not be had. */
export interface CompletedInput {
  readonly input: RenderInput;
  readonly diagnostics: readonly Diagnostic[];
}

/** The names of the classes of our Gateways that are not in the input. */
export function missingClasses(input: RenderInput, flags: ClaimFlags): readonly string[] {
  const present = new Set(input.gatewayClasses.map(({ object }) => object.metadata.name));
  const used = oursOf(input, flags).map(({ object }) => object.spec.gatewayClassName);
  return [...new Set(used)].filter((name) => !present.has(name));
}

/** The parameters that our Gateways and their classes refer to and that are not in the input. */
export function missingParameters(input: RenderInput, flags: ClaimFlags): readonly ParametersTarget[] {
  const present = new Set(
    [...(input.dataPlanes ?? []), ...(input.configMaps ?? [])].map(({ object: { kind, metadata } }) =>
      parametersKey({ kind, ...metadata }),
    ),
  );
  const classes = new Map(input.gatewayClasses.map(({ object }) => [object.metadata.name, object]));
  const targets = oursOf(input, flags).flatMap(({ object }) => {
    const gatewayClass = classes.get(object.spec.gatewayClassName);
    return [gatewayClass === undefined ? undefined : classTarget(gatewayClass), gatewayTarget(object)];
  });
  const missing = targets
    .filter((each) => each !== undefined)
    .filter((each) => !present.has(parametersKey(each)));
  return [...new Map(missing.map((each) => [parametersKey(each), each])).values()];
}

/**
 * Reads from the cluster, by name, the classes and parameters that the input refers to and does not hold.
 *
 * @throws {ClusterProblem} where the right to read parameters is missing.
 */
export async function completeFromCluster(
  transport: Transport,
  input: RenderInput,
  flags: ClaimFlags,
): Promise<CompletedInput> {
  const found = await Promise.all(missingClasses(input, flags).map((name) => readClass(transport, name)));
  const withClasses = {
    ...input,
    gatewayClasses: [
      ...input.gatewayClasses,
      ...found.flatMap(({ object }) => (object === undefined ? [] : [{ object }])),
    ],
  };
  const targets = missingParameters(withClasses, flags);
  const read = (await Promise.all(targets.map((target) => readTarget(transport, target)))).flatMap(
    (object) => (object === undefined ? [] : [{ object }]),
  );
  const ofKind = (kind: ParametersObject['kind']) => read.filter(({ object }) => object.kind === kind);
  return {
    input: {
      ...withClasses,
      dataPlanes: [...(input.dataPlanes ?? []), ...ofKind('DataPlane')],
      configMaps: [...(input.configMaps ?? []), ...ofKind('ConfigMap')],
    },
    diagnostics: found.flatMap(({ diagnostic }) => (diagnostic === undefined ? [] : [diagnostic])),
  };
}

function oursOf(input: RenderInput, { className, controllerName }: ClaimFlags): RenderInput['gateways'] {
  return claimGateways(input.gateways, input.gatewayClasses, { classNames: className, controllerName }).ours;
}

async function readClass(
  transport: Transport,
  name: string,
): Promise<{ readonly object?: GatewayClass; readonly diagnostic?: Diagnostic }> {
  try {
    const live = await getObject(transport, { kind: 'GatewayClass', name });
    if (live === undefined) return {};
    const { object } = readObject('GatewayClass', live as unknown as JsonObject, '');
    return object?.kind === 'GatewayClass' ? { object: object.object } : {};
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.code === 404)
      throw new ClusterProblem("the Gateway API's CRDs are not installed in this cluster");
    if (error.code !== 403) throw error;
    // Who works in one namespace may not read classes; most have no parameters.
    const subject = { object: { kind: 'GatewayClass', name } };
    const message = `is not in the files, and there is no right to get ${rbacName('GatewayClass')}: its parameters, if it has any, are left out`;
    return { diagnostic: diagnose('warning', 'NeedsCluster', subject, undefined, message) };
  }
}

async function readTarget(
  transport: Transport,
  target: ParametersTarget,
): Promise<ParametersObject | undefined> {
  const object: ClusterObject = { ...target };
  try {
    const live = await getObject(transport, object);
    return live === undefined
      ? undefined
      : readParametersObject(live as unknown as JsonObject, target.namespace);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    // Without the CRD there is no DataPlane either.
    if (error.code === 404) return undefined;
    if (error.code !== 403) throw error;
    throw new ClusterProblem(
      `no right to get ${rbacName(target.kind)} ${target.name} in namespace ${target.namespace}, which parameters are in`,
    );
  }
}
