import { isJsonObject, type JsonObject } from '../render/json.ts';

/**
 * What is applied, with an explicit null for what the server itself has filled in and would refuse beside
 * it: nobody owns the defaults of a rolling update, so they stay when the strategy becomes Recreate.
 */
export function withClearedUnions(object: JsonObject): JsonObject {
  const { kind, spec } = object;
  if (kind !== 'Deployment' || !isJsonObject(spec) || !isJsonObject(spec.strategy)) return object;
  if (spec.strategy.type !== 'Recreate') return object;
  return { ...object, spec: { ...spec, strategy: { ...spec.strategy, rollingUpdate: null } } };
}
