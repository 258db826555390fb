import type { OwnerReference } from '../../render/gateway-api.ts';
import type { Json } from '../../render/json.ts';

/** An object of the cluster, with the apiVersion and kind that the items of a list lack. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMeta;
  readonly [field: string]: unknown;
}

/** Metadata of an object that is in the cluster. */
export interface StoredMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly Json[];
}

/** The values under which an object is found, by the name of the index. */
export type Indexes = Readonly<Record<string, (object: StoredObject) => readonly string[]>>;

/** The objects of one kind, by name and by what they are indexed by. Nothing that it gives may be changed. */
export class Store {
  readonly #byNamespace = new Map<string, Map<string, StoredObject>>();
  readonly #indexes: readonly Index[];
  #size = 0;

  constructor(indexes: Indexes = {}) {
    this.#indexes = Object.entries(indexes).map(([name, valuesOf]) => ({
      name,
      valuesOf,
      byValue: new Map(),
    }));
  }

  /** How many objects there are. */
  get size(): number {
    return this.#size;
  }

  /** The object of this name; cluster-scoped ones have no namespace. */
  get(namespace: string | undefined, name: string): StoredObject | undefined {
    return this.#byNamespace.get(namespace ?? '')?.get(name);
  }

  /** All objects, or those of one namespace. */
  *list(namespace?: string): Iterable<StoredObject> {
    const maps = namespace === undefined ? this.#byNamespace.values() : [this.#byNamespace.get(namespace)];
    for (const byName of maps) if (byName !== undefined) yield* byName.values();
  }

  /**
   * The objects that an index has under a value.
   * @throws {Error} if there is no such index.
   */
  by(index: string, value: string): readonly StoredObject[] {
    const found = this.#indexes.find(({ name }) => name === index);
    if (found === undefined) throw new Error(`there is no index ${index}`);
    // A copy: what is read must not change under the reader's hands.
    return [...(found.byValue.get(value) ?? [])];
  }

  /** Takes an object, in place of the one of its name. */
  put(object: StoredObject): void {
    const { namespace = '', name } = object.metadata;
    let byName = this.#byNamespace.get(namespace);
    if (byName === undefined) {
      byName = new Map();
      this.#byNamespace.set(namespace, byName);
    }
    const before = byName.get(name);
    byName.set(name, object);
    if (before === undefined) this.#size++;
    for (const index of this.#indexes) moveIn(index, before, object);
  }

  /** Drops the object of this name. */
  delete(namespace: string | undefined, name: string): void {
    const byName = this.#byNamespace.get(namespace ?? '');
    const before = byName?.get(name);
    if (byName === undefined || before === undefined) return;
    byName.delete(name);
    if (byName.size === 0) this.#byNamespace.delete(namespace ?? '');
    this.#size--;
    for (const index of this.#indexes) moveIn(index, before, undefined);
  }
}

interface Index {
  readonly name: string;
  readonly valuesOf: Indexes[string];
  /** Mostly lists of one, which take a third of the memory of a Set. */
  readonly byValue: Map<string, StoredObject[]>;
}

function moveIn({ valuesOf, byValue }: Index, before?: StoredObject, after?: StoredObject): void {
  const was = new Set(before === undefined ? [] : valuesOf(before));
  const is = new Set(after === undefined ? [] : valuesOf(after));
  for (const value of was) {
    const objects = byValue.get(value) ?? [];
    const place = before === undefined ? -1 : objects.indexOf(before);
    if (place === -1) continue;
    if (after !== undefined && is.delete(value)) objects[place] = after;
    else if (objects.length === 1) byValue.delete(value);
    else objects.splice(place, 1);
  }
  if (after === undefined) return;
  for (const value of is) {
    const objects = byValue.get(value);
    if (objects === undefined) byValue.set(value, [after]);
    else objects.push(after);
  }
}
