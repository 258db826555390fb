import { isJsonList, isJsonObject, type Json, type JsonObject } from '../render/json.ts';
import { FIELD_MANAGER } from './field-manager.ts';
import type { LiveObject } from './live-object.ts';
import { type ClusterObject, pathOf } from './resources.ts';
import type { Transport } from './transport.ts';

// Who writes what gari rendered without server-side apply. Their fields would stay for ever, as
// nobody would own them any more who could drop them (kubernetes/kubernetes#121785, #99003).
const EARLIER_MANAGERS = new Set([FIELD_MANAGER, 'kubectl-client-side-apply', 'kubectl-create']);

// To whom the server gives all fields of an object that had no record when it was applied.
const NOBODY = 'before-first-apply';

/**
 * Hands the fields that earlier managers set to gari, so that those that are not wanted any more can
 * go, and a port can move under its name. Returns the object's resourceVersion afterwards.
 * @throws {StatusError} 409 if the object has changed since it was read.
 */
export async function takeOverFields(
  transport: Transport,
  object: ClusterObject,
  live: LiveObject,
): Promise<string> {
  const entries = entriesOf(live);
  const earlier = entries.filter(isEarlier);
  if (earlier.length === 0) return live.metadata.resourceVersion;
  const own = entries.filter((entry) => entry.manager === FIELD_MANAGER && entry.operation === 'Apply');
  const fieldsV1 = [...own, ...earlier].map((entry) => entry.fieldsV1 ?? {}).reduce(union, {});
  const [first] = earlier;
  const taken = { ...first, manager: FIELD_MANAGER, operation: 'Apply', fieldsV1 };
  const others = entries.filter((entry) => !own.includes(entry) && !earlier.includes(entry));
  return (await replaceEntries(transport, object, live, [...others, taken])).metadata.resourceVersion;
}

/**
 * Drops the record of nobody, which the server makes where the record was wiped: with it no field could
 * ever go. Its fields do not become gari's, as others' are among them. Returns the object afterwards.
 * @throws {StatusError} 409 if the object has changed since it was read.
 */
export async function dropNobodysFields(
  transport: Transport,
  object: ClusterObject,
  live: LiveObject,
): Promise<LiveObject> {
  const entries = entriesOf(live);
  const kept = entries.filter(({ manager }) => manager !== NOBODY);
  return kept.length === entries.length ? live : replaceEntries(transport, object, live, kept);
}

function entriesOf({ metadata }: LiveObject): readonly JsonObject[] {
  const { managedFields } = metadata as { managedFields?: Json };
  return isJsonList(managedFields) ? managedFields.filter(isJsonObject) : [];
}

async function replaceEntries(
  transport: Transport,
  object: ClusterObject,
  { metadata: { resourceVersion } }: LiveObject,
  entries: readonly JsonObject[],
): Promise<LiveObject> {
  const answer = await transport.request('PATCH', pathOf(object), {
    contentType: 'application/json-patch+json',
    body: JSON.stringify([
      { op: 'replace', path: '/metadata/managedFields', value: entries },
      // With it, an object that has changed is a conflict (client-go csaupgrade).
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    ]),
  });
  return answer as LiveObject;
}

function isEarlier({ manager, operation, subresource }: JsonObject): boolean {
  return operation === 'Update' && subresource === undefined && EARLIER_MANAGERS.has(String(manager));
}

function union(a: Json, b: Json): Json {
  if (!isJsonObject(a) || !isJsonObject(b)) return b;
  const result: Record<string, Json> = { ...a };
  for (const [key, value] of Object.entries(b)) result[key] = union(a[key] ?? {}, value);
  return result;
}
