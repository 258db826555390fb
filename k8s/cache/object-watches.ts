import type { Transport } from '../transport.ts';
import { Reflector, type ReflectorOptions } from './reflector.ts';
import { collectionPath, type ResourceType } from './resource-type.ts';
import { Store, type StoredObject } from './store.ts';

/** One object that is followed by its name. */
export interface ObjectWatch {
  /** The object; undefined if it is not there, or not read yet. */
  readonly current: StoredObject | undefined;
  /** Whether it has been looked for once. */
  readonly isSynced: boolean;
  readonly synced: Promise<void>;
  /** Why it cannot be read now. */
  readonly lastError: string | undefined;
  /** Follows it no longer; more than once is as good as once. */
  release(): void;
}

interface Shared {
  readonly reflector: Reflector;
  readonly store: Store;
  readonly end: AbortController;
  users: number;
}

/**
 * Objects that are followed one by one, by name, as long as somebody wants them, whether they are there
 * or not. Two who follow the same share a watch.
 */
export class ObjectWatches {
  readonly #transport: Transport;
  readonly #options: Pick<ReflectorOptions, 'onChange' | 'observer' | 'timing'>;
  readonly #byPath = new Map<string, Shared>();
  #isClosed = false;

  constructor(transport: Transport, options: Pick<ReflectorOptions, 'onChange' | 'observer' | 'timing'>) {
    this.#transport = transport;
    this.#options = options;
  }

  /** Follows an object until it is released. */
  watch(type: ResourceType, namespace: string | undefined, name: string): ObjectWatch {
    const path = `${collectionPath(type, namespace)}/${name}`;
    const shared = this.#byPath.get(path) ?? this.#follow(path, type, namespace, name);
    shared.users++;
    let isHeld = true;
    return {
      get current() {
        return shared.store.get(namespace, name);
      },
      get isSynced() {
        return shared.reflector.isSynced;
      },
      synced: shared.reflector.synced,
      get lastError() {
        return shared.reflector.lastError;
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        shared.users--;
        if (shared.users > 0) return;
        shared.end.abort();
        this.#byPath.delete(path);
      },
    };
  }

  /** Follows nothing any more. */
  close(): void {
    this.#isClosed = true;
    for (const { end } of this.#byPath.values()) end.abort();
  }

  #follow(path: string, type: ResourceType, namespace: string | undefined, name: string): Shared {
    const options = {
      ...this.#options,
      type,
      ...(namespace === undefined ? {} : { namespace }),
      fieldSelector: `metadata.name=${name}`,
    };
    const store = new Store();
    const shared = {
      reflector: new Reflector(this.#transport, options, store),
      store,
      end: new AbortController(),
      users: 0,
    };
    this.#byPath.set(path, shared);
    if (!this.#isClosed) void shared.reflector.run(shared.end.signal);
    return shared;
  }
}
