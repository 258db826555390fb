import { isJsonList, isJsonObject, type Json, type Path } from '../../render/json.ts';
import type { RenderedObject } from '../../render/objects.ts';
import type { RenderResult } from '../../render/render.ts';

/**
 * The layers that differ between a rendered pod template and the live one: why pods are replaced.
 * What the server adds to the live one is not looked at, so a field that only goes has no layer.
 */
export function changedLayers(
  desired: RenderedObject,
  live: Json,
  provenanceOf: RenderResult['provenanceOf'],
): readonly string[] {
  const path = ['spec', 'template'];
  const layers = changedLeaves(at(desired, path), at(live, path), path).map((leaf) => {
    // What is atomic is set as a whole, further up.
    const paths = leaf.map((_, index) => leaf.slice(0, leaf.length - index));
    const provenance = paths.map((each) => provenanceOf(desired, each)).find((each) => each !== undefined);
    if (provenance === undefined) return undefined;
    const { layer, object } = provenance;
    return object === undefined ? layer : `${layer} (${object.kind} ${object.name})`;
  });
  return [...new Set(layers.filter((layer) => layer !== undefined))].sort();
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
