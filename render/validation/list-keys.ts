import { formatPath, isJsonObject, type Json, type Path } from '../json.ts';
import { type Problem, problem, quote } from './problem.ts';
import { childSchema, type StructuralSchema } from './structural-schema.ts';

/**
 * Items that a list may hold only once: equal ones in a set, ones with equal keys in a map
 * (apiextensions-apiserver pkg/apiserver/schema/listtype/validation.go).
 */
export function checkListKeys(value: Json, schema: StructuralSchema | undefined, path: Path = []): Problem[] {
  if (schema === undefined) return [];
  if (Array.isArray(value)) {
    const below = value.flatMap((item, index) => checkListKeys(item, schema.items, [...path, index]));
    return [...checkList(value, schema, path), ...below];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    checkListKeys(child, childSchema(schema, key), [...path, key]),
  );
}

function checkList(items: readonly Json[], schema: StructuralSchema, path: Path): Problem[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (type === 'map' && items.some((item) => item !== null && !isJsonObject(item))) return [];
  const first = new Map<string, number>();
  return items.flatMap((item, index) => {
    const identity = canonical(type === 'set' ? item : keyOf(item, keys));
    const earlier = first.get(identity);
    if (earlier === undefined) {
      first.set(identity, index);
      return [];
    }
    const what = type === 'set' ? `value ${quote(item)}` : describeKey(item, keys);
    return [
      problem([...path, index], 'Duplicate', `has the same ${what} as ${formatPath([...path, earlier])}`),
    ];
  });
}

function keyOf(item: Json, keys: readonly string[]): Json {
  if (!isJsonObject(item)) return {};
  const found = keys.filter((key) => Object.hasOwn(item, key));
  return Object.fromEntries(found.map((key) => [key, item[key] ?? null]));
}

function describeKey(item: Json, keys: readonly string[]): string {
  const values = keys.map((key) => `${key} ${quote(isJsonObject(item) ? item[key] : undefined)}`);
  return values.join(' and ');
}

// Two objects are the same whatever the order of their keys.
function canonical(value: Json): string {
  return JSON.stringify(value, (_, child: Json) =>
    isJsonObject(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}
