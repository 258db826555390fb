import { isJsonObject, type Json, type JsonObject, type Path } from '../json.ts';
import { findPlaceholder } from './placeholder.ts';
import { type Problem, problem } from './problem.ts';
import { childSchema, type StructuralSchema } from './structural-schema.ts';

/**
 * Where a refused value holds a placeholder that a templating tool has left, says that in place of what the
 * schema says about it.
 */
export function namePlaceholders(problems: readonly Problem[], object: JsonObject): Problem[] {
  const named = new Map<string, Problem>();
  for (const one of problems) {
    const key = one.path.at(-1);
    const placeholder =
      findPlaceholder(valueAt(object, one.path), true) ??
      findPlaceholder(typeof key === 'string' ? key : '', true);
    const better = placeholder === undefined ? one : problem(one.path, 'Placeholder', placeholder.message);
    named.set(`${better.field} ${better.message}`, better);
  }
  return [...named.values()];
}

/**
 * Placeholders in fields where the server would take them for a value, such as `gatewayClassName`. Of
 * free maps, such as annotations, nobody knows what they mean.
 */
export function warnOfPlaceholders(
  object: JsonObject,
  schema: StructuralSchema,
  problems: readonly Problem[],
): Problem[] {
  const refused = new Set(problems.map(({ field }) => field));
  return find(object.spec ?? null, schema.properties?.spec, ['spec']).filter(
    ({ field }) => !refused.has(field),
  );
}

function find(value: Json, schema: StructuralSchema | undefined, path: Path): Problem[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => find(item, schema?.items, [...path, index]));
  }
  if (isJsonObject(value)) {
    if (schema?.properties === undefined) return [];
    return Object.entries(value).flatMap(([key, child]) =>
      find(child, childSchema(schema, key), [...path, key]),
    );
  }
  const placeholder = findPlaceholder(value, false);
  return placeholder === undefined ? [] : [problem(path, 'Placeholder', placeholder.message)];
}

function valueAt(object: Json, path: Path): Json | undefined {
  let value: Json | undefined = object;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isJsonObject(value)) value = Object.hasOwn(value, step) ? value[String(step)] : undefined;
    else return undefined;
  }
  return value;
}
