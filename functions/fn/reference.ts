import type { ObjectReference } from '../../render/diagnostic.ts';
import { isJsonObject, type JsonObject } from '../../render/json.ts';

/** How to speak of an object in a package. */
export function referenceOf({ kind, metadata }: JsonObject): ObjectReference {
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  return {
    kind: String(kind),
    ...(typeof namespace === 'string' ? { namespace } : {}),
    name: name === undefined ? '(without a name)' : String(name),
  };
}

/** What tells an object of a kind that gari renders from all others. */
export function identityOf(object: {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: unknown;
}): string {
  const { name, namespace } = isJsonObject(object.metadata) ? object.metadata : {};
  // With the apiVersion: a Knative Service is none of ours, whatever its name.
  return JSON.stringify([object.apiVersion, object.kind, namespace, name]);
}
