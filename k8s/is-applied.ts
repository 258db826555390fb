import { isJsonList, isJsonObject, type Json, type JsonObject } from '../render/json.ts';
import { canonical } from './canonical.ts';
import type { LiveObject } from './live-object.ts';
import { entriesOf, isOwn } from './managed-fields.ts';

/**
 * Whether an apply would change nothing, from what the server has on record alone: the fields that are ours are
 * just those of `desired`, with their values, in their order. Whoever changes a value takes it from us. Where the
 * server writes a value in another way than we do (a quantity, say), this says no, and one apply too many is done.
 */
export function isApplied(live: LiveObject, desired: JsonObject): boolean {
  const fields = entriesOf(live).find(isOwn)?.fieldsV1;
  if (!isJsonObject(fields)) return false;
  const part = ownedPart(live as unknown as Json, fields);
  if (!isJsonObject(part)) return false;
  const { name, namespace = null } = live.metadata;
  const metadata = { ...(isJsonObject(part.metadata) ? part.metadata : {}), name, namespace };
  // The server does not record what an object is called; that it is this one, the path says.
  return (
    canonical({ ...part, apiVersion: desired.apiVersion ?? '', kind: desired.kind ?? '', metadata }) ===
    canonical(desired)
  );
}

/** The part of a value that a set of fields (FieldsV1) names. */
function ownedPart(value: Json | undefined, fields: JsonObject): Json | undefined {
  const keys = Object.keys(fields).filter((key) => key !== '.');
  // A leaf, or something that is owned as a whole.
  if (keys.length === 0) return value;
  if (isJsonList(value)) return value.flatMap((item) => ownedItem(item, keys, fields));
  if (!isJsonObject(value)) return undefined;
  const entries = keys.map((key) => {
    const below = fields[key];
    const name = key.slice(2);
    return [name, isJsonObject(below) ? ownedPart(value[name], below) : undefined] as const;
  });
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function ownedItem(item: Json, keys: readonly string[], fields: JsonObject): readonly Json[] {
  for (const key of keys) {
    const wanted = JSON.parse(key.slice(2)) as Json;
    if (key.startsWith('v:') && item === wanted) return [item];
    if (!key.startsWith('k:') || !isJsonObject(item) || !isJsonObject(wanted)) continue;
    if (!Object.entries(wanted).every(([name, value]) => item[name] === value)) continue;
    const below = fields[key];
    const part = isJsonObject(below) ? ownedPart(item, below) : undefined;
    return isJsonObject(part) ? [{ ...part, ...wanted }] : [];
  }
  return [];
}
