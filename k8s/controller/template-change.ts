import { isJsonList, isJsonObject, type Json, type Path } from '../../render/json.ts';
import type { LayerName, Provenance } from '../../render/layers.ts';
import type { RenderedObject } from '../../render/objects.ts';
import type { RenderResult } from '../../render/render.ts';

/** Why a pod template changes. */
export interface ChangeCause {
  /** The layers that differ, with the object that each comes from. */
  readonly layers: readonly string[];
  /** Whether all of them belong to the one Gateway: no other Gateway changes with it. */
  readonly isOwn: boolean;
}

const OWN_LAYERS: ReadonlySet<LayerName> = new Set(['gateway', 'infrastructure']);

/**
 * Compares a rendered pod template with the live one.
 * What the server adds to the live one is not looked at, so a field that only goes has no layer.
 */
export function causeOfChange(
  desired: RenderedObject,
  live: Json,
  provenanceOf: RenderResult['provenanceOf'],
): ChangeCause {
  const path = ['spec', 'template'];
  const setters = changedLeaves(at(desired, path), at(live, path), path).flatMap((leaf) => {
    // What is atomic is set as a whole, further up.
    const paths = leaf.map((_, index) => leaf.slice(0, leaf.length - index));
    return paths.map((each) => provenanceOf(desired, each)).find((each) => each !== undefined) ?? [];
  });
  return {
    layers: [...new Set(setters.map(nameOf))].sort(),
    isOwn: setters.length > 0 && setters.every(({ layer }) => OWN_LAYERS.has(layer)),
  };
}

function nameOf({ layer, object }: Provenance): string {
  return object === undefined ? layer : `${layer} (${object.kind} ${object.name})`;
}

function changedLeaves(desired: Json | undefined, live: Json | undefined, path: Path): readonly Path[] {
  if (desired === undefined) return [];
  if (isJsonObject(desired)) {
    return Object.entries(desired).flatMap(([key, value]) =>
      changedLeaves(value, isJsonObject(live) ? live[key] : undefined, [...path, key]),
    );
  }
  if (isJsonList(desired) && desired.some(isJsonObject)) {
    const there = isJsonList(live) ? live : [];
    return desired.flatMap((item, index) =>
      changedLeaves(item, there.find((each) => isSameItem(item, each)) ?? there[index], [...path, index]),
    );
  }
  return JSON.stringify(desired) === JSON.stringify(live) ? [] : [path];
}

function isSameItem(a: Json, b: Json): boolean {
  return isJsonObject(a) && isJsonObject(b) && a.name !== undefined && a.name === b.name;
}

function at(value: Json | undefined, [first, ...rest]: readonly string[]): Json | undefined {
  if (first === undefined) return value;
  return isJsonObject(value) ? at(value[first], rest) : undefined;
}
