import type { Json, JsonObject, Path } from '../../render/json.ts';
import { formatPath, isJsonList, isJsonObject } from '../../render/json.ts';
import { normalize } from '../../render/normalize.ts';
import { withoutWireAnnotations } from './annotations.ts';
import type { Item } from './resource-list.ts';

/** One thing that the function does to a package. */
export type PackageChange =
  | { readonly type: 'add'; readonly object: JsonObject }
  | { readonly type: 'replace'; readonly item: Item; readonly object: JsonObject }
  | { readonly type: 'remove'; readonly item: Item; readonly why: string };

/** Whether an item says what is wanted, but for what the orchestrator wrote on it. */
export function isAsWanted(there: JsonObject, wanted: JsonObject): boolean {
  return JSON.stringify(normalize(withoutWireAnnotations(there))) === JSON.stringify(normalize(wanted));
}

/** Where an object differs from what is wanted, in words, field by field. */
export function differences(there: JsonObject, wanted: JsonObject): readonly string[] {
  return compare(normalize(withoutWireAnnotations(there)), normalize(wanted), []);
}

function compare(there: Json | undefined, wanted: Json | undefined, path: Path): string[] {
  if (JSON.stringify(there) === JSON.stringify(wanted)) return [];
  if (isJsonObject(there) && isJsonObject(wanted)) {
    const keys = new Set([...Object.keys(there), ...Object.keys(wanted)]);
    return [...keys].flatMap((key) => compare(there[key], wanted[key], [...path, key]));
  }
  if (isJsonList(there) && isJsonList(wanted)) {
    const length = Math.max(there.length, wanted.length);
    return Array.from({ length }, (_, index) =>
      compare(there[index], wanted[index], [...path, index]),
    ).flat();
  }
  const field = formatPath(path);
  if (wanted === undefined) return [`${field} is ${JSON.stringify(there)}, and gari renders none`];
  if (there === undefined) return [`${field} is missing; gari renders ${JSON.stringify(wanted)}`];
  return [`${field} is ${JSON.stringify(there)}; gari renders ${JSON.stringify(wanted)}`];
}
