import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../render/json.ts';
import { canonical } from './canonical.ts';
import { isApplied } from './is-applied.ts';
import type { LiveObject } from './live-object.ts';
import { entriesOf, isOwn } from './managed-fields.ts';
import { type ClusterObject, pathOf } from './resources.ts';

interface Remembered {
  readonly uid: string;
  readonly desired: string;
  readonly own: string;
  /** The version that the apply has replaced. */
  readonly replaced: string | undefined;
}

/**
 * What was applied last to each object. As long as that is still wanted, and the server's record of
 * our fields is the same, an apply would change nothing, and no request is due: status, scaling and
 * others' fields do not touch that record; any change of a field of ours does.
 */
export class ApplyMemo {
  readonly #byPath = new Map<string, Remembered>();

  /** Whether applying `desired` to what is live, or was when a cache last heard of it, would change nothing. */
  isCurrent(object: ClusterObject, live: LiveObject, desired: JsonObject): boolean {
    // After a restart nothing is remembered, and the object itself says whether there is anything to do.
    if (!this.has(object) && isApplied(live, desired)) this.remember(object, live, desired);
    const remembered = this.#find(object, live, desired);
    if (remembered === undefined) return false;
    return remembered.own === ownFields(live) || this.isBehind(object, live, desired);
  }

  /**
   * Whether `desired` was applied to just this version of an object: whoever says that it is live, a cache,
   * has not heard of that apply yet. It will, and then is the time to look again.
   */
  isBehind(object: ClusterObject, live: LiveObject, desired: JsonObject): boolean {
    return this.#find(object, live, desired)?.replaced === live.metadata.resourceVersion;
  }

  #find(object: ClusterObject, live: LiveObject, desired: JsonObject): Remembered | undefined {
    const remembered = this.#byPath.get(pathOf(object));
    const isIt = remembered?.uid === live.metadata.uid && remembered.desired === digest(desired);
    return isIt ? remembered : undefined;
  }

  /** Whether an object was applied, and not forgotten since. */
  has(object: ClusterObject): boolean {
    return this.#byPath.has(pathOf(object));
  }

  /**
   * Remembers what the server answered to an apply, and which version was there before. Of what a cache
   * says, which may be old, only that it is just as it is wanted.
   */
  remember(object: ClusterObject, answer: LiveObject, desired: JsonObject, replaced?: string): void {
    const { uid, resourceVersion } = answer.metadata;
    this.#byPath.set(pathOf(object), {
      uid,
      desired: digest(desired),
      own: ownFields(answer),
      replaced: replaced === resourceVersion ? undefined : replaced,
    });
  }

  /** Forgets an object that is gone. */
  forget(object: ClusterObject): void {
    this.#byPath.delete(pathOf(object));
  }
}

/** The fields that the server has on record as ours. */
function ownFields(live: LiveObject): string {
  return digest(entriesOf(live).find(isOwn)?.fieldsV1 ?? {});
}

// Short: there is one of each for every object of a fleet.
function digest(value: Json): string {
  return createHash('sha256').update(canonical(value)).digest('base64');
}
