import { isJsonList, isJsonObject, type Json, type JsonObject } from '../render/json.ts';
import type { RenderedObject } from '../render/objects.ts';
import type { LiveObject } from './live-object.ts';
import { difference, entriesOf, isOwn, replaceEntries, union } from './managed-fields.ts';
import type { ClusterObject } from './resources.ts';
import type { StatusCause } from './status-error.ts';
import type { Transport } from './transport.ts';

/**
 * Where the server refuses an object of gari's because of what somebody has edited in it, hands that to
 * gari, so that the next apply drops it: a port of ours moved under its name, a probe of another kind
 * beside ours (kubernetes/kubernetes#130292). All else that others have set stays theirs. Returns
 * whether there was such a thing.
 * @throws {StatusError} 409 if the object has changed since it was read.
 */
export async function reclaimFields(
  transport: Transport,
  object: ClusterObject,
  live: LiveObject,
  { desired, causes }: { readonly desired: RenderedObject; readonly causes: readonly StatusCause[] },
  signal?: AbortSignal,
): Promise<boolean> {
  const paths = causes.map(({ field = '' }) => segmentsOf(field));
  const entries = entriesOf(live);
  let reclaimed: Json = {};
  const others = entries.flatMap((entry) => {
    const { operation, subresource, fieldsV1 } = entry;
    // Who applies would set it again at once, and has to be told to stop.
    if (operation !== 'Update' || subresource !== undefined || !isJsonObject(fieldsV1)) return [entry];
    const clashing = paths
      .map((path) => clashingFields(fieldsV1, { desired, live: live as unknown as Json }, path) ?? {})
      .reduce(union, {});
    if (!isJsonObject(clashing) || Object.keys(clashing).length === 0) return [entry];
    reclaimed = union(reclaimed, clashing);
    const left = difference(fieldsV1, clashing);
    return left === undefined ? [] : [{ ...entry, fieldsV1: left }];
  });
  const own = entries.find(isOwn);
  if (own === undefined || Object.keys(reclaimed).length === 0) return false;
  const ours = { ...own, fieldsV1: union(own.fieldsV1 ?? {}, reclaimed) };
  const rest = others.filter((entry) => entry !== own);
  await replaceEntries(transport, object, live, [...rest, ours], signal);
  return true;
}

/** `spec.ports[1].name` in parts. */
function segmentsOf(field: string): readonly (string | number)[] {
  const parts = field.match(/[^.[\]]+/g) ?? [];
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

interface Versions {
  readonly desired: Json | undefined;
  readonly live: Json | undefined;
}

/** Of somebody's fields those at a path that are not wanted there. */
function clashingFields(
  fields: Json | undefined,
  { desired, live }: Versions,
  [first, ...rest]: readonly (string | number)[],
): JsonObject | undefined {
  if (!isJsonObject(fields)) return undefined;
  if (first === undefined) return desired === undefined ? fields : undefined;
  if (typeof first === 'string') {
    const key = `f:${first}`;
    const versions = { desired: fieldOf(desired, first), live: fieldOf(live, first) };
    const found = clashingFields(fields[key], versions, rest);
    return found && { [key]: found };
  }
  // The server counts in its merged list, which nobody else has: each item is looked at.
  const found = Object.entries(fields).flatMap(([key, item]): [string, Json][] => {
    const wanted = itemOf(desired, key);
    const there = itemOf(live, key);
    if (wanted === undefined) return isNamesake(there, desired, rest) ? [[key, item]] : [];
    const inside = clashingFields(item, { desired: wanted, live: there }, rest);
    return inside === undefined ? [] : [[key, inside]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** The item of a list that a key such as `k:{"port":80,"protocol":"TCP"}` names. */
function itemOf(list: Json | undefined, key: string): Json | undefined {
  if (!isJsonList(list) || !key.startsWith('k:')) return undefined;
  const wanted = Object.entries(JSON.parse(key.slice(2)) as JsonObject);
  return list.find((item) => wanted.every(([name, value]) => fieldOf(item, name) === value));
}

/**
 * Whether the clash is that an item that is there has the name of one that is wanted, or none, which a Service's
 * port may lack only where it is alone.
 */
function isNamesake(
  item: Json | undefined,
  wanted: Json | undefined,
  rest: readonly (string | number)[],
): boolean {
  if (item === undefined || rest[0] !== 'name' || !isJsonList(wanted)) return false;
  const name = fieldOf(item, 'name');
  return name === undefined || wanted.some((each) => fieldOf(each, 'name') === name);
}
