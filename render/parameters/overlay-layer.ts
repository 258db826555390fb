import type { Diagnostic } from '../diagnostic.ts';
import type { WrittenLayer } from '../identity-guard.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject, type Path } from '../json.ts';
import { type LayeredKind, MERGE_SCHEMAS } from '../merge-schema.ts';
import { parseRemovalPath, type RemovalPath, RemovalPathError } from '../removal.ts';
import { type ParameterLayer, parametersProblem } from './parameters.ts';

/** The name of each kind's overlay. */
export const OVERLAY_OF = {
  ServiceAccount: 'serviceAccount',
  RoleBinding: 'roleBinding',
  Deployment: 'deployment',
  Service: 'service',
} as const satisfies Record<LayeredKind, string>;

/** The overlay of one kind as a layer, without removals that {@link overlayProblems} finds wrong. */
export function overlayLayer(
  kind: LayeredKind,
  { name, values, from, source, path, of }: ParameterLayer,
): readonly WrittenLayer[] {
  const overlay = values.overlays?.[OVERLAY_OF[kind]];
  if (overlay === undefined) return [];
  const place = [...path, 'overlays', OVERLAY_OF[kind]];
  return [
    {
      name,
      value: overlay.merge ?? {},
      remove: {
        paths: (overlay.remove ?? [])
          .map((text) => removalPath(kind, text))
          .filter((each) => typeof each === 'object'),
        fieldOf: (index) => [...place, 'remove', index],
      },
      from: {
        object: from,
        of,
        ...(source === undefined ? {} : { source }),
        fieldOf: (inValue) => [...place, 'merge', ...inValue],
      },
    },
  ];
}

/** What is wrong with the overlays of a layer, whatever they are laid over. */
export function overlayProblems(layer: ParameterLayer): readonly Diagnostic[] {
  return Object.entries(OVERLAY_OF).flatMap(([kind, key]) => {
    const { merge = {}, remove = [] } = layer.values.overlays?.[key] ?? {};
    const place = ['overlays', key];
    const removals = remove.flatMap((text, index) => {
      const read = removalPath(kind as LayeredKind, text);
      return typeof read === 'string' ? [parametersProblem(layer, [...place, 'remove', index], read)] : [];
    });
    const nulls = nullsIn(merge, [...place, 'merge']).map((path) =>
      // kustomize and Helm drop them, so that the same file would mean another thing.
      parametersProblem(layer, path, `is null; to take a field away, list it in overlays.${key}.remove`),
    );
    return [...removals, ...nulls];
  });
}

/** A path, or what is wrong with it. */
function removalPath(kind: LayeredKind, text: string): RemovalPath | string {
  try {
    return parseRemovalPath(text, MERGE_SCHEMAS[kind]);
  } catch (error) {
    if (!(error instanceof RemovalPathError)) throw error;
    return `${JSON.stringify(text)} ${error.message}`;
  }
}

function nullsIn(value: Json, path: Path): readonly Path[] {
  if (value === null) return [path];
  const entries: readonly (readonly [string | number, Json])[] = isJsonList(value)
    ? value.map((item, index) => [index, item] as const)
    : isJsonObject(value)
      ? Object.entries(value as JsonObject)
      : [];
  return entries.flatMap(([key, child]) => nullsIn(child, [...path, key]));
}
