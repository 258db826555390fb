import type { Gateway } from './gateway-api.ts';
import type { JsonObject } from './json.ts';
import type { LayeredKind } from './merge-schema.ts';
import type { Settings } from './parameters/settings.ts';
import type { ServicePort } from './service-ports.ts';

/** What the objects of one Gateway are made from. */
export interface GatewayContext {
  readonly gateway: Gateway;
  /** The name of all its objects. */
  readonly name: string;
  readonly image: string;
  /** Of what a data plane is bound to in its own namespace. */
  readonly roleKind: 'ClusterRole' | 'Role';
  readonly ports: readonly ServicePort[];
  readonly http3Port?: number;
  /** The IP addresses that the Gateway asks for and that can be passed on. */
  readonly requestedAddresses: readonly string[];
  readonly settings: Settings;
}

/**
 * What the data plane may read: Gateway API resources, Services, Secrets and the like of all namespaces,
 * of the Gateway's own, or nothing.
 */
export type Access = 'Shared' | 'Namespaced' | 'None';

/** Where rights can be given: in the whole cluster, or in single namespaces. */
export type Scope = 'cluster' | 'namespaces';

/** What `spec.infrastructure` says, if it reaches this kind of object, or the pods. */
export function reaching(
  target: LayeredKind | 'Pod',
  metadata: InfrastructureMetadata,
  { settings: { infrastructureTargets: targets } }: GatewayContext,
): JsonObject {
  return targets === undefined || targets.includes(target) ? { metadata } : {};
}

/** Labels and annotations of the Gateway's `spec.infrastructure` that may reach the children. */
export interface InfrastructureMetadata extends JsonObject {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** How one kind is made: what gari itself puts into the layers of the object. */
export interface KindRenderer {
  readonly apiVersion: string;
  readonly kind: LayeredKind;
  /** The lowest layer: everything in it can be replaced. */
  readonly defaults: (context: GatewayContext) => JsonObject;
  /** Where the Gateway's own wishes go. */
  readonly infrastructure: (metadata: InfrastructureMetadata, context: GatewayContext) => JsonObject;
  /** The highest layer: nothing may change it. */
  readonly identity: (context: GatewayContext) => JsonObject;
  /** The last touch to the merged object; it changes values and no paths. */
  readonly finish?: (object: JsonObject, context: GatewayContext) => JsonObject;
  /** The rest of the identity: what follows from all other layers. */
  readonly derived?: (object: JsonObject) => JsonObject;
}
