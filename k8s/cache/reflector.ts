import { setTimeout as delay } from 'node:timers/promises';
import { StatusError } from '../status-error.ts';
import type { Transport } from '../transport.ts';
import { apiVersionOf, collectionPath, type ResourceType, resourceName } from './resource-type.ts';
import type { Store, StoredObject } from './store.ts';

/** A change of an object: without `before` it is new, without `after` it is gone. */
export interface ObjectChange {
  readonly type: ResourceType;
  readonly before?: StoredObject;
  readonly after?: StoredObject;
}

/** What a reflector follows. */
export interface Followed {
  readonly type: ResourceType;
  readonly namespace?: string;
}

/** Is told what a reflector does. */
export interface ReflectorObserver {
  /** All objects have been read. */
  listed?(followed: Followed, objects: number): void;
  /** A watch was opened. */
  watching?(followed: Followed): void;
  /** A list or a watch failed; the next one starts in so many milliseconds. */
  failed?(followed: Followed, error: unknown, retryMs: number): void;
  /** Who was told of a change threw; the change is in the store all the same. */
  handlerFailed?(followed: Followed, error: unknown): void;
}

/** How long a reflector waits for what; defaults as client-go has them. */
export interface ReflectorTiming {
  /** After the first failure; doubled with each, with up to as much again at random. */
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** A watch that was open so long has worked: the next failure is the first again. */
  readonly healthyMs: number;
  /** A watch that is silent so long is dead. Bookmarks come about once a minute, which is not promised. */
  readonly idleMs: number;
  /** How long the server is asked to keep a watch open, at least and at most. */
  readonly watchSeconds: readonly [number, number];
  /** How much longer than that a watch may stay open. */
  readonly graceMs: number;
  /** How often a kind is looked for that the server does not have. */
  readonly missingMs: number;
}

/** What to follow, and who is told. */
export interface ReflectorOptions extends Followed {
  /** Versions to try, in this order, where the server does not have the type's. */
  readonly otherVersions?: readonly string[];
  /** Whether a cluster without this kind is one without such objects; else it is waited for. */
  readonly optional?: boolean;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Takes away what nobody reads. */
  readonly trim?: (object: StoredObject) => StoredObject;
  /** Called after the store has changed; does nothing but note what there is to do. */
  readonly onChange: (change: ObjectChange) => void;
  readonly observer?: ReflectorObserver;
  readonly timing?: Partial<ReflectorTiming>;
}

const TIMING: ReflectorTiming = {
  firstRetryMs: 800,
  longestRetryMs: 30_000,
  healthyMs: 5_000,
  idleMs: 180_000,
  watchSeconds: [290, 350],
  graceMs: 30_000,
  missingMs: 60_000,
};

const PAGE_SIZE = 500;
const NOT_FOUND = 404;
const GONE = 410;

/**
 * Keeps a store equal to what the server has: reads all of it, then follows a watch. Whatever goes
 * wrong is tried again, without end; what was missed meanwhile is told as well. One at most for each
 * store and namespace.
 */
export class Reflector {
  /** Resolves once all objects have been read. */
  readonly synced: Promise<void>;
  readonly #transport: Transport;
  readonly #options: ReflectorOptions;
  readonly #timing: ReflectorTiming;
  readonly #store: Store;
  #type: ResourceType;
  #resourceVersion: string | undefined;
  #isSynced = false;
  #resolveSynced: () => void = () => undefined;
  #lastContact = performance.now();
  #lastError: string | undefined;
  #failures = 0;
  #missing = 0;
  #openSince: number | undefined;

  constructor(transport: Transport, options: ReflectorOptions, store: Store) {
    this.#transport = transport;
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
    this.#store = store;
    this.#type = options.type;
    this.synced = new Promise((resolve) => {
      this.#resolveSynced = resolve;
    });
  }

  /** Whether all objects have been read once. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** When the server last gave a sign of life, or this began: milliseconds of `performance.now()`. */
  get lastContact(): number {
    return this.#lastContact;
  }

  /** What is wrong now; undefined if nothing is. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Follows until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let error: unknown;
      this.#openSince = undefined;
      try {
        if (this.#resourceVersion === undefined) await this.#list(signal);
        await this.#watch(signal);
      } catch (thrown) {
        error = thrown;
      }
      if (signal.aborted) return;
      const waitMs = this.#waitAfter(error);
      if (error !== undefined) this.#options.observer?.failed?.(this.#followed, error, waitMs);
      // Rejects only when the signal aborts, which ends the loop.
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  get #followed(): Followed {
    const { namespace } = this.#options;
    return { type: this.#type, ...(namespace === undefined ? {} : { namespace }) };
  }

  /** Notes what happened; says how long to wait. */
  #waitAfter(error: unknown): number {
    const { healthyMs, firstRetryMs, longestRetryMs, missingMs } = this.#timing;
    const isHealthy = this.#openSince !== undefined && performance.now() - this.#openSince >= healthyMs;
    if (isHealthy) this.#failures = 0;
    this.#lastError = error === undefined ? undefined : messageOf(error);
    if (error instanceof StatusError) {
      this.#lastContact = performance.now();
      // The version is too old to go on from, or the kind has gone: all is read again.
      if (error.code === GONE || error.code === NOT_FOUND) this.#resourceVersion = undefined;
    }
    if (error instanceof MissingKind && this.#missing > 1) return missingMs;
    // The server ends each watch after a while; that is no failure.
    if (error === undefined && isHealthy) return 0;
    const backOff = Math.min(firstRetryMs * 2 ** this.#failures++, longestRetryMs);
    const asked = error instanceof StatusError ? (error.retryAfter ?? 0) * 1000 : 0;
    return Math.max(asked, backOff * (1 + Math.random()));
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { type, otherVersions = [] } = this.#options;
    for (const version of new Set([this.#type.version, type.version, ...otherVersions])) {
      this.#type = { ...type, version };
      try {
        await this.#listVersion(signal);
        this.#missing = 0;
        this.#setSynced();
        return;
      } catch (error) {
        if (!(error instanceof StatusError && error.code === NOT_FOUND)) throw error;
      }
    }
    this.#type = type;
    this.#lastContact = performance.now();
    this.#missing++;
    // One look is not enough: what depends on these objects would lose them for a mistake of a moment.
    if (this.#options.optional && this.#missing > 1) {
      this.#dropAllBut(new Set());
      this.#setSynced();
    }
    throw new MissingKind(`the cluster has no ${resourceName(type)}`);
  }

  async #listVersion(signal: AbortSignal): Promise<void> {
    const { namespace, labelSelector, fieldSelector, observer } = this.#options;
    const path = collectionPath(this.#type, namespace);
    const seen = new Set<string>();
    let next: string | undefined;
    do {
      const query = { limit: String(PAGE_SIZE), continue: next, labelSelector, fieldSelector };
      const page = (await this.#transport.request('GET', path, { query, signal })) as ListPage;
      this.#lastContact = performance.now();
      for (const item of page.items ?? []) {
        seen.add(keyOf(item));
        this.#put(item);
      }
      next = page.metadata.continue || undefined;
      // Only that of the last page: a watch from an earlier one would tell what is known already.
      if (next === undefined) this.#resourceVersion = page.metadata.resourceVersion;
    } while (next !== undefined);
    this.#dropAllBut(seen);
    this.#lastError = undefined;
    observer?.listed?.(this.#followed, seen.size);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { namespace, labelSelector, fieldSelector, observer } = this.#options;
    const { idleMs, watchSeconds, graceMs } = this.#timing;
    const [least, most] = watchSeconds;
    const seconds = Math.round(least + Math.random() * (most - least));
    const end = new AbortController();
    const endWith = (reason: string) => () => end.abort(new Error(reason));
    const idle = setTimeout(endWith(`no sign of life for ${idleMs / 1000} s`), idleMs);
    const deadline = setTimeout(endWith('the server did not end the watch'), seconds * 1000 + graceMs);
    const forward = (): void => end.abort(signal.reason);
    signal.addEventListener('abort', forward);
    const query = {
      resourceVersion: this.#resourceVersion,
      allowWatchBookmarks: true,
      timeoutSeconds: String(seconds),
      labelSelector,
      fieldSelector,
    };
    const alive = (): void => {
      idle.refresh();
      this.#lastContact = performance.now();
      this.#lastError = undefined;
    };
    const onOpen = (): void => {
      this.#openSince = performance.now();
      alive();
      observer?.watching?.(this.#followed);
    };
    try {
      const path = collectionPath(this.#type, namespace);
      for await (const event of this.#transport.watch(path, query, end.signal, onOpen)) {
        this.#take(event as WatchEvent);
        alive();
      }
    } finally {
      clearTimeout(idle);
      clearTimeout(deadline);
      signal.removeEventListener('abort', forward);
    }
  }

  #take({ type, object }: WatchEvent): void {
    if (type === 'ERROR') {
      const { code = 500, details } = object as unknown as WatchFailure;
      throw new StatusError(code, JSON.stringify(object), details?.retryAfterSeconds);
    }
    if (object?.metadata?.resourceVersion === undefined)
      throw new Error(`an event without an object: ${type}`);
    if (type === 'ADDED' || type === 'MODIFIED') this.#put(object);
    else if (type === 'DELETED') this.#drop(object.metadata.namespace, object.metadata.name);
    else if (type !== 'BOOKMARK') throw new Error(`an event of an unknown type: ${type}`);
    this.#resourceVersion = object.metadata.resourceVersion;
  }

  #put(item: StoredObject): void {
    const { trim = (object: StoredObject) => object } = this.#options;
    const { namespace, name, uid, resourceVersion } = item.metadata;
    const before = this.#store.get(namespace, name);
    if (before?.metadata.resourceVersion === resourceVersion && before.metadata.uid === uid) return;
    const { kind } = this.#type;
    const after = trim({ ...item, apiVersion: apiVersionOf(this.#type), kind });
    if (before !== undefined && before.metadata.uid !== uid) {
      // Made anew while nobody looked: what is known of the one that went is not true of this one.
      this.#drop(namespace, name);
      this.#store.put(after);
      this.#tell({ type: this.#type, after });
      return;
    }
    this.#store.put(after);
    this.#tell({ type: this.#type, ...(before === undefined ? {} : { before }), after });
  }

  #drop(namespace: string | undefined, name: string): void {
    const before = this.#store.get(namespace, name);
    if (before === undefined) return;
    this.#store.delete(namespace, name);
    this.#tell({ type: this.#type, before });
  }

  #dropAllBut(seen: ReadonlySet<string>): void {
    const gone = [...this.#store.list(this.#options.namespace)].filter((object) => !seen.has(keyOf(object)));
    for (const { metadata } of gone) this.#drop(metadata.namespace, metadata.name);
  }

  #tell(change: ObjectChange): void {
    try {
      this.#options.onChange(change);
    } catch (error) {
      const { observer } = this.#options;
      if (observer?.handlerFailed) observer.handlerFailed(this.#followed, error);
      else process.emitWarning(error instanceof Error ? error : String(error));
    }
  }

  #setSynced(): void {
    this.#isSynced = true;
    this.#resolveSynced();
  }
}

/** The server has none of the versions of a kind. */
class MissingKind extends Error {
  override readonly name = 'MissingKind';
}

interface ListPage {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items?: readonly StoredObject[];
}

interface WatchEvent {
  readonly type: string;
  readonly object?: StoredObject;
}

/** The Status in an event of type `ERROR`. */
interface WatchFailure {
  readonly code?: number;
  readonly details?: { readonly retryAfterSeconds?: number };
}

function keyOf({ metadata: { namespace = '', name } }: StoredObject): string {
  return `${namespace}/${name}`;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ');
}
