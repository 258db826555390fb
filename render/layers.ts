import type { ObjectReference } from './diagnostic.ts';
import { formatPath, type JsonObject, type Path } from './json.ts';
import { merge } from './merge.ts';
import { type LayeredKind, MERGE_SCHEMAS } from './merge-schema.ts';
import type { Source } from './source.ts';

/** The layers of an object, lowest first: a later one wins. */
export const LAYERS = ['defaults', 'class', 'gateway', 'infrastructure', 'enforced', 'identity'] as const;

export type LayerName = (typeof LAYERS)[number];

/** What one layer says of one object. */
export interface Layer {
  readonly name: LayerName;
  readonly value: JsonObject;
  /** The object that the layer's values were written in, if it was one. */
  readonly from?: LayerOrigin;
}

/** Where a layer's values stand. */
export interface LayerOrigin {
  readonly object: ObjectReference;
  readonly source?: Source;
  /** The path in that object of what stands at `path` in the rendered one. */
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
  /** Who set the leaf at this path last; undefined where there is no such leaf. */
  provenanceOf(path: Path): Provenance | undefined;
}

/** Merges layers, lowest first. */
export function mergeLayers(kind: LayeredKind, layers: readonly Layer[]): Layered {
  let setBy: ReadonlyMap<string, Layer> | undefined;
  return {
    value: merged(kind, layers, () => undefined),
    provenanceOf(path) {
      // Few ask, so the merge is done once more for those who do, watched.
      setBy ??= lastSetter(kind, layers);
      const layer = setBy.get(JSON.stringify(path));
      return layer === undefined ? undefined : provenance(layer, path);
    },
  };
}

function lastSetter(kind: LayeredKind, layers: readonly Layer[]): ReadonlyMap<string, Layer> {
  const setBy = new Map<string, Layer>();
  merged(kind, layers, (path, layer) => setBy.set(JSON.stringify(path), layer));
  return setBy;
}

function merged(
  kind: LayeredKind,
  layers: readonly Layer[],
  onLeaf: (path: Path, layer: Layer) => void,
): JsonObject {
  return layers.reduce<JsonObject>(
    (value, layer) => merge(value, layer.value, MERGE_SCHEMAS[kind], (path) => onLeaf(path, layer)),
    {},
  );
}

function provenance({ name, from }: Layer, path: Path): Provenance {
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
