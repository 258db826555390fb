import { gatewayArgs } from './data-plane.ts';
import type { Gateway } from './gateway-api.ts';
import { isJsonList, type JsonObject } from './json.ts';
import { dataPlaneContainer } from './parameters/image.ts';

/**
 * The argument that is missing from a data plane in `--dataplane-mode`, which without both names
 * would serve every Gateway of the cluster.
 */
export function missingGatewayArg(deployment: JsonObject, gateway: Gateway): string | undefined {
  const args = dataPlaneContainer(deployment)?.args;
  if (!isJsonList(args) || !args.includes('--dataplane-mode')) return undefined;
  return gatewayArgs(gateway).find((arg) => !args.includes(arg));
}
