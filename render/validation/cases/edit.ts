import { isJsonObject, type Json, type JsonObject, type Path } from '../../json.ts';

/** A copy of an object with another value at a path; without one, the field is gone. */
export function withValue(object: JsonObject, path: Path, value: Json | undefined): JsonObject {
  return replace(object, path, value) as JsonObject;
}

/** The value at a path. */
export function valueAt(object: JsonObject, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isJsonObject(value) ? value[String(step)] : undefined;
  }, object);
}

function replace(parent: Json | undefined, path: Path, value: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(parent) ? [...parent] : [];
    const item = replace(list[step], rest, value);
    list.splice(step, 1, ...(item === undefined ? [] : [item]));
    return list;
  }
  const entries = new Map(isJsonObject(parent) ? Object.entries(parent) : []);
  const child = replace(entries.get(step), rest, value);
  if (child === undefined) entries.delete(step);
  else entries.set(step, child);
  return Object.fromEntries(entries);
}
