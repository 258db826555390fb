import { isJsonList, isJsonObject, type Json, type JsonObject, type Path } from './json.ts';
import { KEY_DEFAULTS, type MergeSchema } from './merge-schema.ts';

/**
 * Called for each leaf that an overlay sets, with its path in the result, where {@link itemKey}s stand for
 * items of associative lists, and in the overlay.
 */
export type OnLeaf = (path: Path, overlayPath: Path) => void;

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
  overlayPath: Path = path,
): JsonObject {
  const result: Record<string, Json> = withoutOtherMembers(base, overlay, schema);
  for (const [key, value] of Object.entries(overlay)) {
    const below = schema.fields?.[key] ?? {};
    result[key] = mergeValue(base[key], value, below, onLeaf, [...path, key], [...overlayPath, key]);
  }
  return result;
}

// Of a union only one member may be set, so a new one takes the place of the old one.
function withoutOtherMembers(
  base: JsonObject,
  overlay: JsonObject,
  { union }: MergeSchema,
): Record<string, Json> {
  const isMember = (key: string) =>
    union !== undefined && (union.only?.includes(key) ?? key !== union.allBut);
  if (!Object.keys(overlay).some(isMember)) return { ...base };
  return Object.fromEntries(
    Object.entries(base).filter(([key]) => !isMember(key) || overlay[key] !== undefined),
  );
}

function mergeValue(
  base: Json | undefined,
  overlay: Json,
  schema: MergeSchema,
  onLeaf: OnLeaf,
  path: Path,
  overlayPath: Path,
): Json {
  if (isJsonObject(overlay) && schema.atomic !== true) {
    return merge(isJsonObject(base) ? base : {}, overlay, schema, onLeaf, path, overlayPath);
  }
  if (isJsonList(overlay) && schema.keys !== undefined) {
    return mergeList(isJsonList(base) ? base : [], overlay, schema, schema.keys, onLeaf, path, overlayPath);
  }
  onLeaf(path, overlayPath);
  return overlay;
}

function mergeList(
  base: readonly Json[],
  overlay: readonly Json[],
  schema: MergeSchema,
  keys: readonly string[],
  onLeaf: OnLeaf,
  path: Path,
  overlayPath: Path,
): readonly Json[] {
  const result = [...base];
  for (const [place, item] of overlay.entries()) {
    if (!isJsonObject(item)) continue;
    const found = result.findIndex(
      (other) => isJsonObject(other) && itemKey(other, keys) === itemKey(item, keys),
    );
    const index = found < 0 ? result.length : found;
    const merged = result[index];
    result[index] = merge(
      isJsonObject(merged) ? merged : {},
      { ...item, ...keyDefaults(item, keys) },
      withoutKeys(schema),
      onLeaf,
      [...path, itemKey(item, keys)],
      [...overlayPath, place],
    );
  }
  return result;
}

/** The schema of an item, from that of its list. */
export function withoutKeys({ fields = {}, union }: MergeSchema): MergeSchema {
  return { fields, ...(union === undefined ? {} : { union }) };
}

/** A path in a value with {@link itemKey}s for the items of associative lists; undefined where it leads nowhere. */
export function keyedPath(value: JsonObject, path: Path, schema: MergeSchema): Path | undefined {
  const keyed: (string | number)[] = [];
  let at: Json | undefined = value;
  let below = schema;
  for (const step of path) {
    if (typeof step === 'number') {
      const item: Json | undefined = isJsonList(at) ? at[step] : undefined;
      keyed.push(isJsonObject(item) && below.keys !== undefined ? itemKey(item, below.keys) : step);
      at = item;
      below = withoutKeys(below);
    } else {
      keyed.push(step);
      at = isJsonObject(at) ? at[step] : undefined;
      below = below.fields?.[step] ?? {};
    }
    if (at === undefined) return undefined;
  }
  return keyed;
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
