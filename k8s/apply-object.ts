import type { Gateway } from '../render/gateway-api.ts';
import type { JsonObject } from '../render/json.ts';
import type { RenderedObject } from '../render/objects.ts';
import { ownershipOf } from '../render/ownership.ts';
import type { Change } from './change-set.ts';
import { failure } from './failure.ts';
import { FIELD_MANAGER } from './field-manager.ts';
import { handOverReplicas } from './hand-over-replicas.ts';
import { applyBody } from './json-body.ts';
import { contentOf, getObject, type LiveObject } from './live-object.ts';
import { makeWay } from './make-way.ts';
import type { ApplyMemo } from './memo.ts';
import { reclaimFields } from './reclaim-fields.ts';
import { type ClusterKind, type ClusterObject, pathOf } from './resources.ts';
import { StatusError } from './status-error.ts';
import { dropNobodysFields, takeOverFields } from './take-over-fields.ts';
import type { Transport } from './transport.ts';

/** How to write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /**
   * Reads an object; by default from the server, in a controller from its cache. After a conflict the
   * server is asked: a cache may lag behind.
   */
  readonly read?: (object: ClusterObject) => Promise<LiveObject | undefined>;
  /** The children of a Gateway, of one kind; by default from the server. */
  readonly listChildren?: (gateway: Gateway, kind: ClusterKind) => Promise<readonly LiveObject[]>;
  /** With it, nothing is sent where nothing would change. */
  readonly memo?: ApplyMemo;
  /** Ends the work: what is under way breaks off with the signal's reason, and nothing more is sent. */
  readonly signal?: AbortSignal | undefined;
}

const MOST_TRIES = 5;

/**
 * Applies one object of a Gateway, and never one that is not the Gateway's. What was read is a
 * precondition of what is written, so that an object that appears, goes or changes hands in between
 * is not touched (istio/istio#43439, kubernetes/kubernetes#116156).
 */
export async function applyObject(
  transport: Transport,
  desired: RenderedObject,
  gateway: Gateway,
  options: WriteOptions,
): Promise<Change> {
  const object: ClusterObject = {
    kind: desired.kind as ClusterKind,
    namespace: gateway.metadata.namespace,
    name: desired.metadata.name,
  };
  const wanted = withOwner(desired, gateway);
  let hasReclaimed = false;
  let message: string | undefined;
  try {
    for (let attempt = 1; ; attempt++) {
      const live = await (attempt === 1 ? look : lookAgain)(transport, object, gateway, options);
      const refused = live && refusal(object, live, gateway);
      if (refused) return refused;
      // Only an object that is there as ours is on record.
      if (live !== undefined && options.memo?.isCurrent(object, live, wanted))
        return { object, action: 'unchanged' };
      try {
        const way = live && (await makeWay(transport, object, { live, wanted, gateway }, options));
        if (way !== undefined && 'change' in way) return way.change;
        message = way?.message ?? message;
        if (way !== undefined) continue;
        const before = await preconditions(transport, object, live, gateway, options);
        const change = await write(transport, object, { wanted, preconditions: before, live }, options);
        return message === undefined ? change : { ...change, message };
      } catch (error) {
        if (!(error instanceof StatusError) || attempt === MOST_TRIES) throw error;
        // Somebody was there in between: look again whose it is now.
        if (error.code === 409 || error.isOtherObject) continue;
        if (error.code !== 422 || options.dryRun || hasReclaimed) throw error;
        hasReclaimed = await reclaim(transport, object, gateway, { wanted, error }, options);
        if (!hasReclaimed) throw error;
      }
    }
  } catch (error) {
    return failure(object, error);
  }
}

async function look(
  transport: Transport,
  object: ClusterObject,
  gateway: Gateway,
  { read, memo, signal }: WriteOptions,
): Promise<LiveObject | undefined> {
  if (read === undefined) return getObject(transport, object, signal);
  const live = await read(object);
  // A cache may not have it yet, or keep only our own record of fields: to take over, others' are
  // written back as well.
  const isKnown = live === undefined ? !memo?.has(object) : ownershipOf(live, gateway) !== 'adoptable';
  return isKnown ? live : getObject(transport, object, signal);
}

function lookAgain(
  transport: Transport,
  object: ClusterObject,
  _: Gateway,
  { signal }: WriteOptions,
): Promise<LiveObject | undefined> {
  return getObject(transport, object, signal);
}

/** Takes back what somebody has edited in an object that is the Gateway's, so that ours fits in again. */
async function reclaim(
  transport: Transport,
  object: ClusterObject,
  gateway: Gateway,
  { wanted: desired, error: { causes } }: { readonly wanted: RenderedObject; readonly error: StatusError },
  { signal }: WriteOptions,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const live = await getObject(transport, object, signal);
    if (live === undefined || refusal(object, live, gateway)) return false;
    try {
      return await reclaimFields(transport, object, live, { desired, causes }, signal);
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 409) || attempt === MOST_TRIES) throw error;
    }
  }
}

function refusal(object: ClusterObject, live: LiveObject, gateway: Gateway): Change | undefined {
  if (ownershipOf(live, gateway) === 'foreign') {
    return {
      object,
      action: 'conflict',
      message: "it is not gari's; rename or remove it, or rename the Gateway",
    };
  }
  if (live.metadata.deletionTimestamp !== undefined) {
    return { object, action: 'failed', message: 'it is being deleted; run again when it is gone' };
  }
  return undefined;
}

/** What is wanted, with whose it is. */
function withOwner(desired: RenderedObject, gateway: Gateway): RenderedObject {
  const { apiVersion, kind, metadata } = gateway;
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true };
  return { ...desired, metadata: { ...desired.metadata, ownerReferences: [owner] } };
}

/** What must still be true when it is written. */
async function preconditions(
  transport: Transport,
  object: ClusterObject,
  live: LiveObject | undefined,
  gateway: Gateway,
  { dryRun, signal }: WriteOptions,
): Promise<JsonObject> {
  // No object has this version, so an object that is there is refused (409), and one that is not is created.
  if (live === undefined) return { resourceVersion: '1' };
  const { uid, resourceVersion } = live.metadata;
  // For our own the uid is enough; with the version, each change of status would be a conflict.
  if (ownershipOf(live, gateway) === 'owned') return { uid };
  return {
    uid,
    resourceVersion: dryRun ? resourceVersion : await takeOverFields(transport, object, live, signal),
  };
}

interface Write {
  readonly wanted: RenderedObject;
  readonly preconditions: JsonObject;
  readonly live: LiveObject | undefined;
}

async function write(
  transport: Transport,
  object: ClusterObject,
  { wanted, preconditions, live }: Write,
  { dryRun, memo, signal }: WriteOptions,
): Promise<Change> {
  const query = {
    fieldManager: FIELD_MANAGER,
    fieldValidation: 'Strict',
    ...(dryRun ? { dryRun: 'All' } : {}),
  };
  const patch = () =>
    transport.request('PATCH', pathOf(object), {
      signal,
      query: { ...query, force: true },
      contentType: 'application/apply-patch+yaml',
      body: applyBody({ ...wanted, metadata: { ...wanted.metadata, ...preconditions } }),
    });
  if (live !== undefined && !dryRun) await handOverReplicas(transport, object, live, wanted, signal);
  const answer = (
    live === undefined
      ? await createOnly(patch, () => post(transport, object, wanted, query, signal))
      : await patch()
  ) as LiveObject;
  const written = dryRun ? answer : await dropNobodysFields(transport, object, answer, signal);
  const before = live?.metadata.resourceVersion;
  if (!dryRun) memo?.remember(object, written, wanted, before);
  if (live === undefined) return { object, action: 'created' };
  // A dry run answers with the version that is there, whatever it would do.
  const isSame =
    (!dryRun && answer.metadata.resourceVersion === before) || contentOf(live) === contentOf(written);
  return { object, action: isSame ? 'unchanged' : 'configured' };
}

/**
 * Creates by the apply that fails where something is there; on servers that take no resourceVersion
 * for an object to be created (Services before Kubernetes 1.23), by a POST, which fails there too.
 */
async function createOnly(apply: () => Promise<unknown>, create: () => Promise<unknown>): Promise<unknown> {
  try {
    return await apply();
  } catch (error) {
    const refused =
      error instanceof StatusError && error.message.includes('resourceVersion should not be set');
    if (!refused) throw error;
    return create();
  }
}

async function post(
  transport: Transport,
  object: ClusterObject,
  wanted: RenderedObject,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const body = JSON.stringify(wanted);
  const created = (await transport.request('POST', pathOf(object, 'collection'), {
    signal,
    query,
    body,
  })) as LiveObject;
  // A POST leaves another kind of record than an apply: fields could never go.
  if (query.dryRun === undefined) await takeOverFields(transport, object, created, signal);
  return created;
}
