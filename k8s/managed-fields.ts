import { isJsonList, isJsonObject, type Json, type JsonObject } from '../render/json.ts';
import { FIELD_MANAGER } from './field-manager.ts';
import type { LiveObject } from './live-object.ts';
import { type ClusterObject, pathOf } from './resources.ts';
import type { Transport } from './transport.ts';

/** Who has set which fields of an object, as the server has it on record. */
export function entriesOf({ metadata }: LiveObject): readonly JsonObject[] {
  const { managedFields } = metadata as { managedFields?: Json };
  return isJsonList(managedFields) ? managedFields.filter(isJsonObject) : [];
}

/** Whether an entry is of what gari has applied. */
export function isOwn({ manager, operation, subresource }: JsonObject): boolean {
  return manager === FIELD_MANAGER && operation === 'Apply' && subresource === undefined;
}

/** Whether a set of fields has the one at this path. */
export function hasField(fields: Json | undefined, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return fields !== undefined;
  return isJsonObject(fields) && hasField(fields[`f:${first}`], rest);
}

/** All fields of two sets. */
export function union(a: Json, b: Json): Json {
  if (!isJsonObject(a) || !isJsonObject(b)) return b;
  const result: Record<string, Json> = { ...a };
  for (const [key, value] of Object.entries(b)) result[key] = union(a[key] ?? {}, value);
  return result;
}

/** The fields of the first set that are not in the second; undefined if none is left. */
export function difference(a: JsonObject, b: JsonObject): JsonObject | undefined {
  const left = Object.entries(a).flatMap(([key, value]): [string, Json][] => {
    const taken = b[key];
    if (!isJsonObject(taken) || !isJsonObject(value)) return taken === undefined ? [[key, value]] : [];
    const rest = Object.keys(taken).length === 0 ? undefined : difference(value, taken);
    return rest === undefined ? [] : [[key, rest]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/**
 * Writes the record anew. Returns the object afterwards.
 * @throws {StatusError} 409 if the object has changed since it was read.
 */
export async function replaceEntries(
  transport: Transport,
  object: ClusterObject,
  { metadata: { resourceVersion } }: LiveObject,
  entries: readonly JsonObject[],
  signal: AbortSignal | undefined,
): Promise<LiveObject> {
  const answer = await transport.request('PATCH', pathOf(object), {
    signal,
    contentType: 'application/json-patch+json',
    body: JSON.stringify([
      { op: 'replace', path: '/metadata/managedFields', value: entries },
      // With it, an object that has changed is a conflict (client-go csaupgrade).
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    ]),
  });
  return answer as LiveObject;
}
