import { type Diagnostic, formatDiagnostic, type ObjectReference } from '../../render/diagnostic.ts';
import { groupBy } from '../../render/group-by.ts';
import type { Json, JsonObject } from '../../render/json.ts';
import { compareText } from '../../render/normalize.ts';
import { placeOf } from './annotations.ts';
import { referenceOf } from './reference.ts';
import type { Item } from './resource-list.ts';

const SEVERITIES = ['error', 'warning', 'info'];

/** Diagnostics, the most important first: kpt shows only four lines of stderr. */
export function byImportance(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/**
 * Diagnostics as results of a KRM function, in a stable order: newer kpt writes them into the
 * Kptfile, which must not change from run to run.
 */
export function resultsOf(diagnostics: readonly Diagnostic[], items: readonly Item[]): readonly Json[] {
  const objects = groupBy(
    items.flatMap(({ object }) => (object === undefined ? [] : [object])),
    (object) => nameKey(referenceOf(object)),
  );
  return diagnostics
    .map((diagnostic) => ({ diagnostic, object: find(objects, diagnostic.object) }))
    .map(({ diagnostic, object }) => ({ diagnostic, object, file: object && placeOf(object) }))
    .sort(
      (a, b) =>
        compareText(a.file?.path ?? '', b.file?.path ?? '') ||
        SEVERITIES.indexOf(a.diagnostic.severity) - SEVERITIES.indexOf(b.diagnostic.severity) ||
        compareText(formatDiagnostic(a.diagnostic), formatDiagnostic(b.diagnostic)),
    )
    .map(({ diagnostic, object, file }) => ({
      // Understandable by itself: kpt shows neither the file nor all of the reference.
      message: formatDiagnostic(diagnostic),
      severity: diagnostic.severity,
      ...(object === undefined ? {} : { resourceRef: resourceRef(object) }),
      ...(object === undefined || diagnostic.field === undefined
        ? {}
        : { field: { path: diagnostic.field } }),
      ...(file === undefined ? {} : { file: { path: file.path, index: file.index } }),
    }));
}

function find(
  objects: ReadonlyMap<string, readonly JsonObject[]>,
  reference: ObjectReference | undefined,
): JsonObject | undefined {
  if (reference === undefined) return undefined;
  // A Gateway without a namespace is spoken of as in the default one.
  return objects
    .get(nameKey(reference))
    ?.find((object) => (referenceOf(object).namespace ?? reference.namespace) === reference.namespace);
}

function nameKey({ kind, name }: ObjectReference): string {
  return `${kind} ${name}`;
}

function resourceRef(object: JsonObject): JsonObject {
  const { kind, namespace, name } = referenceOf(object);
  return {
    apiVersion: String(object.apiVersion),
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  };
}
