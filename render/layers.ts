import type { ObjectReference } from './diagnostic.ts';
import { formatPath, type JsonObject, type Path } from './json.ts';
import { keyedPath, merge } from './merge.ts';
import { type LayeredKind, MERGE_SCHEMAS } from './merge-schema.ts';
import { type RemovalPath, without } from './removal.ts';
import type { Source } from './source.ts';

/** The layers of an object, lowest first: a later one wins. */
export const LAYERS = ['defaults', 'class', 'gateway', 'infrastructure', 'enforced', 'identity'] as const;

export type LayerName = (typeof LAYERS)[number];

/** What a layer takes away. */
export interface Removals {
  readonly paths: readonly RemovalPath[];
  /** Where the wish for one of them stands, if somebody should hear that there was nothing to take away. */
  readonly fieldOf?: (index: number) => Path;
}

/** What one layer says of one object. */
export interface Layer {
  readonly name: LayerName;
  readonly value: JsonObject;
  /** What is taken away from the layers below, before the value is laid over them. */
  readonly remove?: Removals;
  /** Whether the value adds to what gari itself says of listeners, and so may touch it. */
  readonly underIdentity?: true;
  /** The object that the layer's values were written in, if it was one. */
  readonly from?: LayerOrigin;
}

/** Where a layer's values stand. */
export interface LayerOrigin {
  readonly object: ObjectReference;
  /** Of parameters: the GatewayClass or Gateway whose they are. */
  readonly of?: ObjectReference;
  readonly source?: Source;
  /** The path in that object of what stands at `path` in the layer's value. */
  readonly fieldOf: (path: Path) => Path | undefined;
}

/** Which layer set a field last, and where that was written. */
export interface Provenance {
  readonly layer: LayerName;
  readonly object?: ObjectReference;
  readonly field?: string;
  readonly file?: string;
  readonly line?: number;
}

/** What merging layers gives. */
export interface Layered {
  readonly value: JsonObject;
  /** What a layer was to take away and what was not there: the layer, and the index among its removals. */
  readonly notThere: readonly { readonly layer: Layer; readonly index: number }[];
  /** Who set the leaf at this path last; undefined where there is no such leaf. */
  provenanceOf(path: Path): Provenance | undefined;
}

/** Merges layers, lowest first. */
export function mergeLayers(kind: LayeredKind, layers: readonly Layer[]): Layered {
  let setBy: ReadonlyMap<string, Setter> | undefined;
  const notThere: { layer: Layer; index: number }[] = [];
  const value = merged(
    kind,
    layers,
    () => undefined,
    (layer, index) => notThere.push({ layer, index }),
  );
  return {
    value,
    notThere,
    provenanceOf(path) {
      // Few ask, so the merge is done once more for those who do, watched.
      setBy ??= lastSetter(kind, layers);
      const keyed = keyedPath(value, path, MERGE_SCHEMAS[kind]);
      const setter = keyed === undefined ? undefined : setBy.get(JSON.stringify(keyed));
      return setter === undefined ? undefined : provenance(setter);
    },
  };
}

interface Setter {
  readonly layer: Layer;
  /** Where it stands in the layer's value. */
  readonly path: Path;
}

function lastSetter(kind: LayeredKind, layers: readonly Layer[]): ReadonlyMap<string, Setter> {
  const setBy = new Map<string, Setter>();
  merged(
    kind,
    layers,
    (path, layer, inLayer) => setBy.set(JSON.stringify(path), { layer, path: inLayer }),
    () => undefined,
  );
  return setBy;
}

function merged(
  kind: LayeredKind,
  layers: readonly Layer[],
  onLeaf: (path: Path, layer: Layer, inLayer: Path) => void,
  onNotThere: (layer: Layer, index: number) => void,
): JsonObject {
  return layers.reduce<JsonObject>((lower, layer) => {
    let value = lower;
    for (const [index, path] of (layer.remove?.paths ?? []).entries()) {
      const less = without(value, path);
      if (less === undefined) onNotThere(layer, index);
      else value = less;
    }
    return merge(value, layer.value, MERGE_SCHEMAS[kind], (path, inLayer) => onLeaf(path, layer, inLayer));
  }, {});
}

function provenance({ layer: { name, from }, path }: Setter): Provenance {
  const field = from?.fieldOf(path);
  if (from === undefined || field === undefined) return { layer: name };
  const line = from.source?.lineOf(field);
  return {
    layer: name,
    object: from.object,
    field: formatPath(field),
    ...(from.source === undefined ? {} : { file: from.source.file }),
    ...(line === undefined ? {} : { line }),
  };
}
