import type { JsonObject } from '../../render/json.ts';
import { canonical } from '../canonical.ts';
import { STATUS_FIELD_MANAGER } from '../field-manager.ts';
import { applyBody } from '../json-body.ts';
import { StatusError } from '../status-error.ts';
import type { Transport } from '../transport.ts';

/** An object whose status is written. */
export interface StatusObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

/** What became of a status. */
export type StatusResult =
  | 'unchanged'
  | 'written'
  /** What is known here is old: the watch will bring what is there now. */
  | 'outdated'
  /** Somebody else writes it back again and again; not before this many milliseconds. */
  | { readonly contested: true; readonly retryAfterMs: number };

/** What is to be written, and what is there. */
export interface StatusChange {
  readonly wanted: JsonObject;
  /** The same part of the status as the cache has it. */
  readonly there: JsonObject;
  readonly signal?: AbortSignal;
}

interface Written {
  readonly uid: string;
  readonly text: string;
  /** The version that the write has replaced; until the cache has another one, it has not heard of the write. */
  readonly replaced: string | undefined;
  /** How often in a row somebody else has written it back. */
  readonly overwrites: number;
  readonly overwrittenAt: number;
  /** Whether the last write was written back. */
  readonly lost: boolean;
}

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;
/** After as long without one, an overwrite counts as the first again. */
const FORGET_MS = 900_000;

/**
 * Writes status, where it changes, by server-side apply. Remembers what it wrote, as a cache may not have
 * heard of it yet, and who wins: two controllers that each believe to be right would write for ever.
 */
export class StatusWriter {
  readonly #written = new Map<string, Written>();
  readonly #transport: Transport;
  readonly #clock: () => number;

  /** @param clock milliseconds that only grow. */
  constructor(transport: Transport, clock: () => number = () => performance.now()) {
    this.#transport = transport;
    this.#clock = clock;
  }

  /**
   * Brings a change into the status of the object at `path`.
   * @throws {StatusError} if the server refuses it, but for an object that has changed or is gone.
   */
  async write(path: string, object: StatusObject, change: StatusChange): Promise<StatusResult> {
    const wanted = canonical(change.wanted);
    const there = canonical(change.there);
    const { uid, resourceVersion } = object.metadata;
    const known = this.#written.get(path);
    let last = known?.uid === uid ? known : undefined;
    if (last?.replaced === resourceVersion) return last.text === wanted ? 'unchanged' : 'outdated';
    if (there === wanted) return 'unchanged';
    if (last !== undefined && !last.lost && there !== last.text) {
      const overwrittenAt = this.#clock();
      const before = overwrittenAt - last.overwrittenAt > FORGET_MS ? 0 : last.overwrites;
      last = { ...last, lost: true, overwrites: before + 1, overwrittenAt };
      this.#written.set(path, last);
    }
    const { overwrites = 0, overwrittenAt = 0 } = last ?? {};
    if (overwrites > 1) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (overwrites - 2), LONGEST_PAUSE_MS);
      const retryAfterMs = overwrittenAt + pause - this.#clock();
      if (retryAfterMs > 0) return { contested: true, retryAfterMs };
    }
    const version = await this.#send(path, object, change);
    if (version === undefined) return 'outdated';
    const replaced = version === resourceVersion ? undefined : resourceVersion;
    this.#written.set(path, { uid, text: wanted, replaced, overwrites, overwrittenAt, lost: false });
    return 'written';
  }

  /** Forgets an object that is gone. */
  forget(path: string): void {
    this.#written.delete(path);
  }

  /** The version that the object has then; undefined if it is not any more what the cache has. */
  async #send(
    path: string,
    { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } }: StatusObject,
    { wanted, signal }: StatusChange,
  ): Promise<string | undefined> {
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion };
    try {
      const answer = (await this.#transport.request('PATCH', `${path}/status`, {
        query: { fieldManager: STATUS_FIELD_MANAGER, force: true },
        contentType: 'application/apply-patch+yaml',
        body: applyBody({ apiVersion, kind, metadata, status: wanted }),
        ...(signal === undefined ? {} : { signal }),
      })) as { readonly metadata: { readonly resourceVersion: string } };
      return answer.metadata.resourceVersion;
    } catch (error) {
      const changed =
        error instanceof StatusError && (error.code === 409 || error.code === 404 || error.isOtherObject);
      if (changed) return undefined;
      throw error;
    }
  }
}
