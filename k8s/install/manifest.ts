import type { JsonObject } from '../../render/json.ts';
import type { RenderedObject } from '../../render/objects.ts';
import type { Rule } from '../apply-rules.ts';

/** An object to install, with what a reader should know about it. */
export interface Manifest {
  readonly object: RenderedObject;
  /** Lines above the object. */
  readonly about?: readonly string[];
  /** Of a Role or ClusterRole: the last field, each with its purpose. */
  readonly rules?: readonly Rule[];
}

/** A manifest as a plain object, as a cluster is given it. */
export function objectOf({ object, rules }: Manifest): RenderedObject {
  return rules === undefined ? object : { ...object, rules: rules.map(policyRule) };
}

/** A rule as RBAC has it. */
export function policyRule({ purpose: _, ...rule }: Rule): JsonObject {
  return { ...rule };
}
