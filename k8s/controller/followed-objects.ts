import { type ObjectWatch, ObjectWatches } from '../cache/object-watches.ts';
import type { ResourceType } from '../cache/resource-type.ts';
import type { LiveObject } from '../live-object.ts';
import { type ClusterObject, pathOf } from '../resources.ts';
import type { Transport } from '../transport.ts';

interface Followed {
  readonly watch: ObjectWatch;
  readonly users: Set<string>;
}

/** What {@link FollowedObjects} work with. */
export interface FollowTools {
  readonly transport: Transport;
  readonly typeOf: (kind: string) => ResourceType;
  /** Is told who is to look again. */
  readonly onChange: (user: string) => void;
}

/**
 * Objects that are followed each on its own, and only as long as somebody needs them: foreign ones in the way of
 * Gateways, which have not gari's label, and ConfigMaps, of which nobody should read all.
 */
export class FollowedObjects {
  readonly #tools: FollowTools;
  readonly #watches: ObjectWatches;
  readonly #followed = new Map<string, Followed>();
  readonly #byUser = new Map<string, readonly ClusterObject[]>();

  constructor(tools: FollowTools) {
    this.#tools = tools;
    this.#watches = new ObjectWatches(tools.transport, {
      onChange: ({ type: { kind }, before, after }) => {
        const { namespace, name } = (after ?? before)?.metadata ?? { name: '' };
        this.#tell(
          pathOf({
            kind: kind as ClusterObject['kind'],
            name,
            ...(namespace === undefined ? {} : { namespace }),
          }),
        );
      },
    });
  }

  /** Follows these objects for a user (a key of the queue), and no others. */
  set(user: string, objects: readonly ClusterObject[]): void {
    const wanted = new Set(objects.map((object) => pathOf(object)));
    for (const object of this.of(user)) {
      if (!wanted.has(pathOf(object))) this.#leave(pathOf(object), user);
    }
    for (const object of objects) this.#follow(object, user);
    if (objects.length === 0) this.#byUser.delete(user);
    else this.#byUser.set(user, objects);
  }

  /** Those followed for a user. */
  of(user: string): readonly ClusterObject[] {
    return this.#byUser.get(user) ?? [];
  }

  /** What is there; `unknown` until it has been read. */
  get(object: ClusterObject): LiveObject | 'unknown' | undefined {
    const watch = this.#followed.get(pathOf(object))?.watch;
    if (watch === undefined || !watch.isSynced) return 'unknown';
    return watch.current as LiveObject | undefined;
  }

  /** Follows nothing any more. */
  close(): void {
    this.#watches.close();
  }

  #follow({ kind, namespace, name }: ClusterObject, user: string): void {
    const path = pathOf({ kind, name, ...(namespace === undefined ? {} : { namespace }) });
    const known = this.#followed.get(path);
    if (known !== undefined) {
      known.users.add(user);
      return;
    }
    const watch = this.#watches.watch(this.#tools.typeOf(kind), namespace, name);
    this.#followed.set(path, { watch, users: new Set([user]) });
    // Also where there is nothing, of which no change tells.
    void watch.synced.then(() => this.#tell(path));
  }

  #leave(path: string, user: string): void {
    const followed = this.#followed.get(path);
    if (followed === undefined) return;
    followed.users.delete(user);
    if (followed.users.size > 0) return;
    followed.watch.release();
    this.#followed.delete(path);
  }

  #tell(path: string): void {
    const followed = this.#followed.get(path);
    if (followed?.watch.isSynced !== true) return;
    for (const user of followed.users) this.#tools.onChange(user);
  }
}
