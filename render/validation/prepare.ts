import { isJsonObject, type Json, type JsonObject, type Path } from '../json.ts';
import { childSchema, type StructuralSchema } from './structural-schema.ts';

/** An object as the server sees it when it starts to check it. */
export interface Prepared {
  /** A copy without unknown fields and with the CRD's defaults. */
  readonly value: JsonObject;
  /** The fields that were dropped. */
  readonly unknown: readonly Path[];
}

/**
 * What the server does to an object before it checks it, in its order: drop unknown fields, drop nulls
 * where null is not allowed, fill in defaults (k8s.io/apiextensions-apiserver v0.36.3,
 * pkg/apiserver/customresource_handler.go: unstructuredSchemaCoercer, then unstructuredDefaulter).
 */
export function prepare(object: JsonObject, schema: StructuralSchema): Prepared {
  const unknown: Path[] = [];
  const pruned = prune(object, schema, [], unknown);
  return { value: withDefaults(withoutNulls(pruned, schema), schema) as JsonObject, unknown };
}

// pkg/apiserver/schema/pruning/algorithm.go
function prune(value: Json, schema: StructuralSchema | undefined, path: Path, unknown: Path[]): Json {
  const keepUnknown = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (Array.isArray(value)) {
    if (keepUnknown && schema.items === undefined) return value;
    return value.map((item, index) => prune(item, schema?.items, [...path, index], unknown));
  }
  if (!isJsonObject(value)) return value;
  const kept: [string, Json][] = [];
  for (const [key, child] of Object.entries(value)) {
    const known = schema === undefined ? undefined : childSchema(schema, key);
    if (known !== undefined) kept.push([key, prune(child, known, [...path, key], unknown)]);
    else if (keepUnknown) kept.push([key, child]);
    else unknown.push([...path, key]);
  }
  return Object.fromEntries(kept);
}

// pkg/apiserver/schema/defaulting/prunenulls.go: of lists, only the items' own fields.
function withoutNulls(value: Json, schema: StructuralSchema | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, schema?.items));
  if (!isJsonObject(value)) return value;
  const kept: [string, Json][] = [];
  for (const [key, child] of Object.entries(value)) {
    const known = schema === undefined ? undefined : childSchema(schema, key);
    const dropped = child === null && known !== undefined && !known.nullable && known.default === undefined;
    if (!dropped) kept.push([key, withoutNulls(child, known)]);
  }
  return Object.fromEntries(kept);
}

// pkg/apiserver/schema/defaulting/algorithm.go: a null that is not allowed becomes the default too.
function withDefaults(value: Json, schema: StructuralSchema | undefined): Json {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => fill(item, schema.items));
  if (!isJsonObject(value)) return value;
  const fields = new Map(Object.entries(value));
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== undefined && !fields.has(key)) fields.set(key, property.default);
  }
  return Object.fromEntries([...fields].map(([key, child]) => [key, fill(child, childSchema(schema, key))]));
}

function fill(value: Json, schema: StructuralSchema | undefined): Json {
  const isMissing = value === null && schema !== undefined && !schema.nullable;
  return withDefaults(isMissing ? (schema.default ?? null) : value, schema);
}
