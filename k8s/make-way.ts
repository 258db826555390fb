import type { Gateway } from '../render/gateway-api.ts';
import { type ImmutableChange, immutableChanges } from '../render/immutable-fields.ts';
import { formatPath, isJsonObject, type Json, type JsonObject } from '../render/json.ts';
import type { RenderedObject } from '../render/objects.ts';
import type { Change } from './change-set.ts';
import { FIELD_MANAGER } from './field-manager.ts';
import type { LiveObject } from './live-object.ts';
import { entriesOf, hasField, isOwn, replaceEntries, union } from './managed-fields.ts';
import { type ClusterObject, pathOf } from './resources.ts';
import type { Transport } from './transport.ts';

/** On a Gateway, `"true"` lets gari delete and create an object one of whose fields cannot be changed. */
const ALLOW_RECREATE_ANNOTATION = 'gari.dev/allow-recreate';

/** An object that is there, and what it is to be. */
export interface Wish {
  readonly live: LiveObject;
  readonly wanted: RenderedObject;
  readonly gateway: Gateway;
}

/** What stood in the way: it is out of the way, so that the object has to be read again, or it stays. */
export type Way = { readonly message?: string } | { readonly change: Change };

/**
 * Deals with what the server would refuse, before the write: a field that cannot be changed is said, and
 * the object only made anew if its Gateway allows it; defaults that nobody owns are made gari's, so that
 * they can go. Undefined if nothing is in the way.
 *
 * @throws {StatusError} 409 if the object has changed since it was read.
 */
export async function makeWay(
  transport: Transport,
  object: ClusterObject,
  { live, wanted, gateway }: Wish,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal?: AbortSignal | undefined },
): Promise<Way | undefined> {
  const changes = immutableChanges(live as unknown as JsonObject, wanted, FIELD_MANAGER);
  if (changes.length > 0) {
    const what = changes.map(describe).join('; ');
    if (gateway.metadata.annotations?.[ALLOW_RECREATE_ANNOTATION] !== 'true') {
      const hint = `annotate the Gateway with ${ALLOW_RECREATE_ANNOTATION}: "true" to have it deleted and created anew`;
      return { change: { object, action: 'failed', message: `${what}; ${hint}`, terminal: true } };
    }
    const message = `deleted and created anew, as ${what}`;
    if (dryRun) return { change: { object, action: 'configured', message } };
    const { uid, resourceVersion } = live.metadata;
    await transport.request('DELETE', pathOf(object), {
      signal,
      body: JSON.stringify({ preconditions: { uid, resourceVersion }, propagationPolicy: 'Background' }),
    });
    return { message };
  }
  const entries = entriesOf(live);
  const own = entries.find(isOwn);
  const fields = {
    'f:spec': { 'f:strategy': { 'f:rollingUpdate': { 'f:maxSurge': {}, 'f:maxUnavailable': {} } } },
  };
  if (own === undefined || !isInTheWay(live, wanted, own)) return undefined;
  if (dryRun) return { change: { object, action: 'configured' } };
  const ours = { ...own, fieldsV1: union(own.fieldsV1 ?? {}, fields) };
  await replaceEntries(transport, object, live, [...entries.filter((entry) => entry !== own), ours], signal);
  return {};
}

// The server fills in how to roll out and refuses it beside Recreate; null in what is applied takes it not away.
function isInTheWay(live: LiveObject, wanted: RenderedObject, own: JsonObject): boolean {
  const path = ['spec', 'strategy', 'rollingUpdate'];
  const strategy = (value: Json): Json | undefined =>
    isJsonObject(value) && isJsonObject(value.spec) ? value.spec.strategy : undefined;
  const [there, to] = [strategy(live as unknown as Json), strategy(wanted)];
  if (!isJsonObject(there) || !isJsonObject(to) || to.type !== 'Recreate') return false;
  const owned = ['maxSurge', 'maxUnavailable'].every((field) => hasField(own.fieldsV1, [...path, field]));
  return there.rollingUpdate !== undefined && !owned;
}

function describe({ path, from, to }: ImmutableChange): string {
  const value = (what: ImmutableChange['from']) => (what === undefined ? 'nothing' : JSON.stringify(what));
  return `${formatPath(path)} cannot be changed from ${value(from)} to ${value(to)}`;
}
