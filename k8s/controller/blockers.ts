import { Reflector } from '../cache/reflector.ts';
import type { ResourceType } from '../cache/resource-type.ts';
import { Store } from '../cache/store.ts';
import type { LiveObject } from '../live-object.ts';
import { type ClusterObject, pathOf } from '../resources.ts';
import type { Transport } from '../transport.ts';

interface Followed {
  readonly store: Store;
  readonly gateways: Set<string>;
  readonly end: AbortController;
  isKnown: boolean;
}

/** What {@link Blockers} work with. */
export interface BlockerTools {
  readonly transport: Transport;
  readonly typeOf: (kind: string) => ResourceType;
  /** Is told which Gateway (`<namespace>/<name>`) to look at again. */
  readonly onChange: (gateway: string) => void;
}

/**
 * Foreign objects in the way of Gateways. Each is followed on its own, as the cache holds only what has gari's
 * label, until no Gateway is blocked by it any more.
 */
export class Blockers {
  readonly #tools: BlockerTools;
  readonly #followed = new Map<string, Followed>();
  readonly #byGateway = new Map<string, readonly ClusterObject[]>();

  constructor(tools: BlockerTools) {
    this.#tools = tools;
  }

  /** Follows these objects for a Gateway, and no others. */
  set(gateway: string, objects: readonly ClusterObject[]): void {
    const wanted = new Set(objects.map((object) => pathOf(object)));
    for (const object of this.of(gateway)) {
      if (!wanted.has(pathOf(object))) this.#leave(pathOf(object), gateway);
    }
    for (const object of objects) this.#follow(object, gateway);
    if (objects.length === 0) this.#byGateway.delete(gateway);
    else this.#byGateway.set(gateway, objects);
  }

  /** Those followed for a Gateway. */
  of(gateway: string): readonly ClusterObject[] {
    return this.#byGateway.get(gateway) ?? [];
  }

  /** What is there; `unknown` until it has been read. */
  get(object: ClusterObject): LiveObject | 'unknown' | undefined {
    const followed = this.#followed.get(pathOf(object));
    if (followed === undefined || !followed.isKnown) return 'unknown';
    // The server's own objects have this shape.
    return followed.store.get(object.namespace, object.name) as unknown as LiveObject | undefined;
  }

  /** Follows nothing any more. */
  close(): void {
    for (const { end } of this.#followed.values()) end.abort();
    this.#followed.clear();
  }

  #follow(object: ClusterObject, gateway: string): void {
    const path = pathOf(object);
    const known = this.#followed.get(path);
    if (known !== undefined) {
      known.gateways.add(gateway);
      return;
    }
    const { transport, typeOf, onChange } = this.#tools;
    const gateways = new Set([gateway]);
    const followed: Followed = {
      store: new Store({}),
      gateways,
      end: new AbortController(),
      isKnown: false,
    };
    this.#followed.set(path, followed);
    const tell = (): void => {
      if (followed.isKnown) for (const each of gateways) onChange(each);
    };
    const reflector = new Reflector(
      transport,
      {
        type: typeOf(object.kind),
        ...(object.namespace === undefined ? {} : { namespace: object.namespace }),
        fieldSelector: `metadata.name=${object.name}`,
        onChange: tell,
      },
      followed.store,
    );
    void reflector.run(followed.end.signal);
    void reflector.synced.then(() => {
      followed.isKnown = true;
      tell();
    });
  }

  #leave(path: string, gateway: string): void {
    const followed = this.#followed.get(path);
    if (followed === undefined) return;
    followed.gateways.delete(gateway);
    if (followed.gateways.size > 0) return;
    followed.end.abort();
    this.#followed.delete(path);
  }
}
