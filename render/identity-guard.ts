import { DATA_PLANE_CONTAINER } from './data-plane.ts';
import { type Diagnostic, diagnose, type ObjectReference } from './diagnostic.ts';
import { isJsonObject, type Json, type JsonObject, type Path } from './json.ts';
import type { Layer, LayerOrigin } from './layers.ts';
import { merge, overlap } from './merge.ts';
import { type LayeredKind, MERGE_SCHEMAS } from './merge-schema.ts';
import { touches } from './removal.ts';
import { reservedReason } from './reserved-keys.ts';

/** A layer of parameters. */
export interface WrittenLayer extends Layer {
  readonly from: LayerOrigin;
}

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
const CONTAINER: JsonObject = {
  spec: { template: { spec: { containers: [{ name: DATA_PLANE_CONTAINER }] } } },
};

/** What no layer of parameters may touch. */
export interface Guard {
  readonly kind: LayeredKind;
  /** Whose object it is. */
  readonly gateway: ObjectReference;
  /** Not to be set. */
  readonly fixed: JsonObject;
  /** Not to be taken away. */
  readonly kept: JsonObject;
}

/** What parameters must leave alone, as it makes the object the Gateway's own. */
export function identityGuard(kind: LayeredKind, gateway: ObjectReference, identity: JsonObject): Guard {
  const schema = MERGE_SCHEMAS[kind];
  const fixed = merge(
    {
      ...(kind === 'Deployment' ? SERVICE_ACCOUNT_ALIAS : {}),
      ...{ apiVersion: '', kind: '', status: '', metadata: SERVER_METADATA },
    },
    identity,
    schema,
    () => undefined,
  );
  const kept = kind === 'Deployment' ? merge(fixed, CONTAINER, schema, () => undefined) : fixed;
  return { kind, gateway, fixed, kept };
}

/** Checks that a layer of parameters leaves alone what is guarded. */
export function identityViolations(
  { kind, gateway, fixed, kept }: Guard,
  layer: WrittenLayer,
): readonly Diagnostic[] {
  if (layer.underIdentity === true) return [];
  const { paths = [], fieldOf } = layer.remove ?? {};
  const removed = paths.flatMap((path, index) =>
    touches(kept, path) && fieldOf !== undefined ? [{ path, field: fieldOf(index) }] : [],
  );
  const set = overlap(layer.value, fixed, MERGE_SCHEMAS[kind]).map((path) => ({
    path,
    field: layer.from.fieldOf(path) ?? path,
  }));
  return [...removed, ...set].map(({ path, field }) => {
    const message = `belongs to the identity of the ${kind}, which no parameters may change (${layer.name} layer); remove it`;
    const found = about(layer.from, field, message, 'error', 'InvalidParameters');
    // Another Gateway of the class may have no listener on that port.
    return kind === 'Service' && path[1] === 'ports' ? { ...found, parametersOf: gateway } : found;
  });
}

function about(
  { object, source, of }: LayerOrigin,
  path: Path,
  message: string,
  severity: 'error' | 'warning',
  reason: string,
): Diagnostic {
  const subject = { object, ...(source === undefined ? {} : { source }) };
  const diagnostic = diagnose(severity, reason, subject, path, message);
  return of === undefined ? diagnostic : { ...diagnostic, parametersOf: of };
}

/** A warning for each removal that found nothing to take away. */
export function nothingRemoved(layer: WrittenLayer, index: number): readonly Diagnostic[] {
  const path = layer.remove?.fieldOf?.(index);
  if (path === undefined) return [];
  return [about(layer.from, path, 'finds nothing to remove', 'warning', 'NothingToRemove')];
}

/** A layer of parameters without the label and annotation keys that no child may have, and a warning for each. */
export function withoutReservedKeys(layer: WrittenLayer): {
  value: JsonObject;
  diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const clean = (object: JsonObject, path: Path): JsonObject => {
    const result: Record<string, Json> = {};
    for (const [key, value] of Object.entries(object)) {
      const reason = path.at(-2) === 'metadata' ? reservedReason(key) : undefined;
      const place = [...path, key];
      if (reason === undefined) result[key] = isJsonObject(value) ? clean(value, place) : value;
      else {
        const field = layer.from.fieldOf(place) ?? place;
        diagnostics.push(about(layer.from, field, `is dropped: ${reason}`, 'warning', 'ReservedKey'));
      }
    }
    return result;
  };
  return { value: clean(layer.value, []), diagnostics };
}
