import { isJsonList, isJsonObject, type Json, type JsonObject, type Path } from './json.ts';
import { KEY_DEFAULTS, type MergeSchema } from './merge-schema.ts';

/** Called for each leaf that an overlay sets, with its path in the result. */
export type OnLeaf = (path: Path) => void;

/**
 * Lays `overlay` over `base` with server-side apply's rules: maps merge, items of an associative
 * list merge by their keys, everything else is replaced. Changes neither.
 */
export function merge(
  base: JsonObject,
  overlay: JsonObject,
  schema: MergeSchema,
  onLeaf: OnLeaf,
  path: Path = [],
): JsonObject {
  const result: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(overlay)) {
    result[key] = mergeValue(base[key], value, schema.fields?.[key] ?? {}, onLeaf, [...path, key]);
  }
  return result;
}

function mergeValue(
  base: Json | undefined,
  overlay: Json,
  schema: MergeSchema,
  onLeaf: OnLeaf,
  path: Path,
): Json {
  if (isJsonObject(overlay) && schema.atomic !== true) {
    return merge(isJsonObject(base) ? base : {}, overlay, schema, onLeaf, path);
  }
  if (isJsonList(overlay) && schema.keys !== undefined) {
    return mergeList(isJsonList(base) ? base : [], overlay, schema, schema.keys, onLeaf, path);
  }
  onLeaf(path);
  return overlay;
}

function mergeList(
  base: readonly Json[],
  overlay: readonly Json[],
  schema: MergeSchema,
  keys: readonly string[],
  onLeaf: OnLeaf,
  path: Path,
): readonly Json[] {
  const result = [...base];
  for (const item of overlay) {
    if (!isJsonObject(item)) continue;
    const found = result.findIndex(
      (other) => isJsonObject(other) && itemKey(other, keys) === itemKey(item, keys),
    );
    const index = found < 0 ? result.length : found;
    const merged = result[index];
    result[index] = merge(
      isJsonObject(merged) ? merged : {},
      { ...item, ...keyDefaults(item, keys) },
      { fields: schema.fields ?? {} },
      onLeaf,
      [...path, index],
    );
  }
  return result;
}

/** What tells an item of an associative list from the others. */
export function itemKey(item: JsonObject, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => item[key] ?? KEY_DEFAULTS[key]));
}

// An item without a default that is part of its key has no full key for other writers
// (Azure/eno#337): write it.
function keyDefaults(item: JsonObject, keys: readonly string[]): JsonObject {
  const missing = keys.filter((key) => item[key] === undefined && KEY_DEFAULTS[key] !== undefined);
  return Object.fromEntries(missing.map((key) => [key, KEY_DEFAULTS[key] ?? '']));
}

/** The paths in `overlay` of what `fixed` sets too, whatever the values. */
export function overlap(
  overlay: JsonObject,
  fixed: JsonObject,
  schema: MergeSchema,
  path: Path = [],
): Path[] {
  return Object.entries(overlay).flatMap(([key, value]) => {
    const other = fixed[key];
    return other === undefined ? [] : overlapValue(value, other, schema.fields?.[key] ?? {}, [...path, key]);
  });
}

function overlapValue(overlay: Json, fixed: Json, schema: MergeSchema, path: Path): Path[] {
  if (isJsonObject(overlay) && isJsonObject(fixed) && schema.atomic !== true) {
    return overlap(overlay, fixed, schema, path);
  }
  const keys = schema.keys;
  if (isJsonList(overlay) && isJsonList(fixed) && keys !== undefined) {
    const taken = new Set(fixed.filter(isJsonObject).map((item) => itemKey(item, keys)));
    return overlay.flatMap((item, index) =>
      isJsonObject(item) && taken.has(itemKey(item, keys)) ? [[...path, index]] : [],
    );
  }
  return [path];
}
