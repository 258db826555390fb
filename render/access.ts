import { DATA_PLANE_CONTAINER, gatewayArgs } from './data-plane.ts';
import type { Gateway } from './gateway-api.ts';
import type { Access } from './gateway-context.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';
import { PARAMETER_LAYERS, type Parameters } from './parameters.ts';

/**
 * What the data plane may read: as soon as parameters bring their own image, nothing, as an image
 * that gari does not know has no business reading every Secret of the cluster.
 */
export function accessOf(parameters: Parameters): Access {
  const ownImage = PARAMETER_LAYERS.some((name) => {
    const deployment = parameters[name]?.objects.Deployment;
    return deployment !== undefined && dataPlaneContainer(deployment)?.image !== undefined;
  });
  return ownImage ? 'None' : 'Shared';
}

/**
 * The argument that is missing from a data plane in `--dataplane-mode`, which without both names
 * would serve every Gateway of the cluster.
 */
export function missingGatewayArg(deployment: JsonObject, gateway: Gateway): string | undefined {
  const args = dataPlaneContainer(deployment)?.args;
  if (!isJsonList(args) || !args.includes('--dataplane-mode')) return undefined;
  return gatewayArgs(gateway).find((arg) => !args.includes(arg));
}

function dataPlaneContainer(deployment: JsonObject): JsonObject | undefined {
  const containers = field(field(field(field(deployment, 'spec'), 'template'), 'spec'), 'containers');
  if (!isJsonList(containers)) return undefined;
  return containers.filter(isJsonObject).find(({ name }) => name === DATA_PLANE_CONTAINER);
}

function field(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}
