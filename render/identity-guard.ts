import { type Diagnostic, diagnose } from './diagnostic.ts';
import { isJsonObject, type Json, type JsonObject, type Path } from './json.ts';
import { merge, overlap } from './merge.ts';
import { type LayeredKind, MERGE_SCHEMAS } from './merge-schema.ts';
import type { ParameterLayer } from './parameters.ts';
import { reservedReason } from './reserved-keys.ts';

// Metadata that only the API server, garbage collection and gari's own controller may set.
const SERVER_METADATA: JsonObject = {
  ...Object.fromEntries(
    ['creationTimestamp', 'deletionTimestamp', 'finalizers', 'generateName', 'generation'].map((key) => [
      key,
      '',
    ]),
  ),
  ...Object.fromEntries(
    ['managedFields', 'ownerReferences', 'resourceVersion', 'selfLink', 'uid'].map((key) => [key, '']),
  ),
};

// The old name of serviceAccountName, which the API server keeps equal to it.
const SERVICE_ACCOUNT_ALIAS: JsonObject = { spec: { template: { spec: { serviceAccount: '' } } } };

/** Checks that a layer of parameters leaves alone what makes the object the Gateway's own. */
export function identityViolations(
  kind: LayeredKind,
  layerName: string,
  layer: ParameterLayer,
  identity: JsonObject,
): readonly Diagnostic[] {
  const fixed = merge(
    {
      ...(kind === 'Deployment' ? SERVICE_ACCOUNT_ALIAS : {}),
      ...{ apiVersion: '', kind: '', status: '', metadata: SERVER_METADATA },
    },
    identity,
    MERGE_SCHEMAS[kind],
    () => undefined,
  );
  return overlap(layer.objects[kind] ?? {}, fixed, MERGE_SCHEMAS[kind]).map((path) =>
    diagnose(
      'error',
      'InvalidParameters',
      { object: layer.from, ...(layer.source === undefined ? {} : { source: layer.source }) },
      [kind, ...path],
      `belongs to the identity of the ${kind}, which no parameters may change (${layerName} layer); remove it`,
    ),
  );
}

/** Parameters without the label and annotation keys that no child may have, and a warning for each. */
export function withoutReservedKeys(
  kind: LayeredKind,
  layer: ParameterLayer,
): { value: JsonObject; diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const subject = { object: layer.from, ...(layer.source === undefined ? {} : { source: layer.source }) };
  const clean = (object: JsonObject, path: Path): JsonObject => {
    const result: Record<string, Json> = {};
    for (const [key, value] of Object.entries(object)) {
      const reason = path.at(-2) === 'metadata' ? reservedReason(key) : undefined;
      if (reason === undefined) result[key] = isJsonObject(value) ? clean(value, [...path, key]) : value;
      else
        diagnostics.push(
          diagnose('warning', 'ReservedKey', subject, [...path, key], `is dropped: ${reason}`),
        );
    }
    return result;
  };
  return { value: clean(layer.objects[kind] ?? {}, [kind]), diagnostics };
}
