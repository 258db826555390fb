import { DATA_PLANE_CONTAINER } from '../data-plane.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { DataPlaneValues } from './data-plane-schema.ts';

/** The image that one layer gives the data plane, in the field for it or in an overlay. */
export function dataPlaneImage({ container, overlays }: DataPlaneValues): Json | undefined {
  return container?.image ?? dataPlaneContainer(overlays?.deployment?.merge ?? {})?.image;
}

/** The data plane's container in a Deployment, or in a part of one. */
export function dataPlaneContainer(deployment: JsonObject): JsonObject | undefined {
  const containers = ['spec', 'template', 'spec', 'containers'].reduce<Json | undefined>(
    (value, key) => (isJsonObject(value) ? value[key] : undefined),
    deployment,
  );
  if (!isJsonList(containers)) return undefined;
  return containers.filter(isJsonObject).find(({ name }) => name === DATA_PLANE_CONTAINER);
}
