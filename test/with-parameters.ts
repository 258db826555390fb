import type { Gateway, GatewayClass } from '../render/gateway-api.ts';
import type { JsonObject, Path } from '../render/json.ts';
import type { LayeredKind } from '../render/merge-schema.ts';
import type { DataPlaneSpec, DataPlaneValues } from '../render/parameters/data-plane-schema.ts';
import { OVERLAY_OF } from '../render/parameters/overlay-layer.ts';
import type { ParametersObject } from '../render/parameters/parameters.ts';
import type { Sourced } from '../render/source.ts';

/** What class and Gateway say, as far as a test cares; the class allows the Gateway everything. */
export interface GivenParameters {
  readonly class?: DataPlaneValues;
  readonly gateway?: DataPlaneValues;
  readonly enforced?: DataPlaneValues;
  readonly policy?: DataPlaneSpec['policy'];
}

const ALL = ['access', 'container', 'deployment', 'http3', 'overlays', 'pod', 'service'] as const;

/** A Gateway and its class with DataPlanes `class` and `gateway`; a field stands in the line of its depth. */
export function withParameters(
  gateway: Gateway,
  {
    class: ofClass,
    gateway: ofGateway,
    enforced,
    policy = { allow: [...ALL, 'infrastructureMetadata', 'serviceAccount'] },
  }: GivenParameters,
) {
  const { spec } = gateway;
  const reference = { group: 'gari.dev', kind: 'DataPlane' };
  const gatewayClass: GatewayClass = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: spec.gatewayClassName },
    spec: {
      controllerName: 'gari.dev/gateway-controller',
      parametersRef: { ...reference, name: 'class', namespace: 'gari-system' },
    },
  };
  const parametersRef = { ...reference, name: 'gateway' };
  const { namespace } = gateway.metadata;
  return {
    gateway:
      ofGateway === undefined
        ? gateway
        : { ...gateway, spec: { ...spec, infrastructure: { ...spec.infrastructure, parametersRef } } },
    gatewayClasses: [{ object: gatewayClass }],
    dataPlanes: [
      dataPlane('gari-system', 'class', {
        ...ofClass,
        policy,
        ...(enforced === undefined ? {} : { enforced }),
      }),
      ...(ofGateway === undefined ? [] : [dataPlane(namespace, 'gateway', ofGateway)]),
    ],
  };
}

/** A DataPlane as it was read from `<name>.yaml`. */
export function dataPlane(namespace: string, name: string, spec: DataPlaneSpec): Sourced<ParametersObject> {
  return {
    object: { kind: 'DataPlane', metadata: { name, namespace }, spec, specPath: ['spec'], problems: [] },
    source: { file: `${name}.yaml`, lineOf: (path: Path) => path.length },
  };
}

/** Values that are overlays, by kind. */
export function overlaid(objects: Readonly<Partial<Record<LayeredKind, JsonObject>>>): DataPlaneValues {
  const overlays = Object.entries(objects).map(([kind, merge]) => [
    OVERLAY_OF[kind as LayeredKind],
    { merge },
  ]);
  return { overlays: Object.fromEntries(overlays) };
}
