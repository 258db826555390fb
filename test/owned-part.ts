import { isJsonList, isJsonObject, type Json, type JsonObject } from '../render/json.ts';

/** What managers own of an object: the part of it that their `fieldsV1` name, without the server's defaults. */
export function ownedPart(object: JsonObject, fields: readonly JsonObject[]): JsonObject {
  return fields.some((each) => Object.keys(each).length > 0) ? (owned(object, fields) as JsonObject) : {};
}

function owned(value: Json | undefined, fields: readonly JsonObject[]): Json | undefined {
  const below = fields.flatMap((each) => Object.keys(each)).filter((key) => key !== '.');
  // Owned as a whole: a leaf, or atomic.
  if (below.length === 0 || fields.some((each) => Object.keys(each).length === 0)) return value;
  const at = (key: string) => fields.map((each) => each[key]).filter(isJsonObject);
  const keys = [...new Set(below)];
  if (isJsonList(value)) {
    return keys.flatMap((key) => {
      const wanted = JSON.parse(key.slice(2)) as Json;
      if (key.startsWith('v:')) return value.filter((item) => item === wanted);
      const item = value.filter(isJsonObject).find((each) => isItem(each, wanted as JsonObject));
      return item === undefined
        ? []
        : [{ ...(owned(item, at(key)) as JsonObject), ...(wanted as JsonObject) }];
    });
  }
  if (!isJsonObject(value)) return value;
  const entries = keys.map((key) => [key.slice(2), owned(value[key.slice(2)], at(key))] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function isItem(item: JsonObject, keys: JsonObject): boolean {
  return Object.entries(keys).every(([key, value]) => item[key] === value);
}
