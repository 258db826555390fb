import { setMaxListeners } from 'node:events';
import { aborted } from '../aborted.ts';
import type { Transport } from '../transport.ts';
import { type Followed, Reflector, type ReflectorOptions } from './reflector.ts';
import type { ResourceType } from './resource-type.ts';
import { type Indexes, Store } from './store.ts';

/** A kind that is followed: all of it in the scope, or what the selectors choose. */
export interface WatchedResource
  extends Pick<
    ReflectorOptions,
    'type' | 'otherVersions' | 'optional' | 'labelSelector' | 'fieldSelector' | 'trim'
  > {
  readonly indexes?: Indexes;
}

/** What a {@link ClusterCache} follows, and who is told. */
export interface ClusterCacheOptions extends Pick<ReflectorOptions, 'onChange' | 'observer' | 'timing'> {
  /** The whole cluster; or these namespaces, and then nothing is asked for that lies outside of them. */
  readonly scope: 'cluster' | readonly string[];
  readonly resources: readonly WatchedResource[];
}

/** How one kind is followed, in all namespaces or in one. */
export interface FollowedState extends Followed {
  /** Whether all of it has been read once. */
  readonly synced: boolean;
  /** When the server last gave a sign of life: milliseconds of `performance.now()`. */
  readonly lastContact: number;
  readonly lastError?: string;
}

/** What the cluster holds, kept up to date by watches. */
export class ClusterCache {
  /** Resolves once all has been read. */
  readonly synced: Promise<void>;
  readonly #stores = new Map<string, Store>();
  readonly #followed: { readonly what: Followed; readonly reflector: Reflector }[] = [];

  constructor(transport: Transport, { scope, resources, ...rest }: ClusterCacheOptions) {
    for (const { indexes, ...resource } of resources) {
      const store = new Store(indexes);
      this.#stores.set(resource.type.kind, store);
      for (const namespace of namespacesOf(resource.type, scope)) {
        const what = { type: resource.type, ...(namespace === undefined ? {} : { namespace }) };
        this.#followed.push({
          what,
          reflector: new Reflector(transport, { ...resource, ...what, ...rest }, store),
        });
      }
    }
    this.synced = Promise.all(this.#followed.map(({ reflector }) => reflector.synced)).then(() => undefined);
  }

  /** Follows the cluster until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    // All that is followed listens; Node takes more than ten for a leak.
    setMaxListeners(0, end.signal);
    const running = this.#followed.map(({ reflector }) => reflector.run(end.signal));
    await aborted(signal);
    end.abort(signal.reason);
    await Promise.all(running);
  }

  /**
   * The objects of a kind, of all namespaces in the scope; none where the cluster does not have the
   * kind or it lies outside of the scope.
   * @throws {Error} if the kind is not among the resources.
   */
  store(kind: string): Store {
    const store = this.#stores.get(kind);
    if (store === undefined) throw new Error(`${kind} is not followed`);
    return store;
  }

  /** How each kind is followed. */
  states(): readonly FollowedState[] {
    return this.#followed.map(({ what, reflector: { isSynced, lastContact, lastError } }) => ({
      ...what,
      synced: isSynced,
      lastContact,
      ...(lastError === undefined ? {} : { lastError }),
    }));
  }
}

function namespacesOf(
  type: ResourceType,
  scope: ClusterCacheOptions['scope'],
): readonly (string | undefined)[] {
  if (scope === 'cluster') return [undefined];
  return type.namespaced ? [...new Set(scope)] : [];
}
