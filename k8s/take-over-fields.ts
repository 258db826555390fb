import type { JsonObject } from '../render/json.ts';
import { GATEWAY_NAME_LABEL } from '../render/metadata.ts';
import { FIELD_MANAGER } from './field-manager.ts';
import type { LiveObject } from './live-object.ts';
import { entriesOf, hasField, isOwn, replaceEntries, union } from './managed-fields.ts';
import type { ClusterObject } from './resources.ts';
import type { Transport } from './transport.ts';

// Who writes what gari rendered, without server-side apply. Their fields would stay for ever, as
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
  signal?: AbortSignal,
): Promise<string> {
  const entries = entriesOf(live);
  const earlier = entries.filter(isEarlier);
  if (earlier.length === 0) return live.metadata.resourceVersion;
  const own = entries.filter(isOwn);
  const fieldsV1 = [...own, ...earlier].map((entry) => entry.fieldsV1 ?? {}).reduce(union, {});
  const [first] = earlier;
  const taken = { ...first, manager: FIELD_MANAGER, operation: 'Apply', fieldsV1 };
  const others = entries.filter((entry) => !own.includes(entry) && !earlier.includes(entry));
  const { metadata } = await replaceEntries(transport, object, live, [...others, taken], signal);
  return metadata.resourceVersion;
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
  signal?: AbortSignal,
): Promise<LiveObject> {
  const entries = entriesOf(live);
  const kept = entries.filter(({ manager }) => manager !== NOBODY);
  return kept.length === entries.length ? live : replaceEntries(transport, object, live, kept, signal);
}

function isEarlier({ manager, operation, subresource, fieldsV1 }: JsonObject): boolean {
  if (subresource !== undefined) return false;
  if (operation === 'Update') return EARLIER_MANAGERS.has(String(manager));
  // `kubectl apply --server-side` of what gari has rendered, not of something that a user has added to it.
  return manager === 'kubectl' && hasField(fieldsV1, ['metadata', 'labels', GATEWAY_NAME_LABEL]);
}
