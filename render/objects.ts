import type { ObjectMeta } from './gateway-api.ts';
import type { JsonObject } from './json.ts';

/** An object that gari rendered. */
export interface RenderedObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: RenderedMeta;
}

export interface RenderedMeta extends JsonObject {
  readonly name: string;
}

/** An object that is there already and may have the name of a rendered one, as far as gari must know it. */
export interface ExistingObject {
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** A subject of a ClusterRoleBinding, as far as gari reads it. */
export interface RoleSubject extends JsonObject {
  readonly kind: string;
  readonly name: string;
}

/** An object by name, whether it is there or not. */
export interface ObjectKey {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

// Everything that a later one needs comes earlier: rights before the pods that use them.
const APPLY_ORDER = ['ServiceAccount', 'ClusterRoleBinding', 'RoleBinding', 'Deployment', 'Service'];

/** A kind's place in the order in which objects are applied. */
export function applyOrder(kind: string): number {
  return APPLY_ORDER.indexOf(kind);
}
