import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** The schema that some served versions of a kind share. */
export interface VersionedSchema {
  readonly versions: readonly string[];
  /** With it, the server drops `status` from whatever is created or applied. */
  readonly statusSubresource: boolean;
  readonly schema: StructuralSchema;
}

/** What the server knows about a kind from its CRD. */
export interface KindSchemas {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly schemas: readonly VersionedSchema[];
}

/** The data file: the kinds of one version of the Gateway API. */
export interface SchemaFile {
  readonly module: string;
  readonly version: string;
  readonly kinds: readonly KindSchemas[];
}

/**
 * Takes what validation needs from CRDs as they are parsed from YAML. Other objects and versions that are not served
 * are left out.
 *
 * @throws {TypeError} if a CRD is not one.
 */
export function readCrds(objects: readonly unknown[]): KindSchemas[] {
  const crds = objects.filter(isJsonObject).filter(({ kind }) => kind === 'CustomResourceDefinition');
  return crds.map((crd) => {
    const spec = object(crd.spec, 'spec');
    const names = object(spec.names, 'spec.names');
    return {
      group: string(spec.group, 'spec.group'),
      kind: string(names.kind, 'spec.names.kind'),
      plural: string(names.plural, 'spec.names.plural'),
      namespaced: spec.scope === 'Namespaced',
      schemas: readVersions(spec.versions),
    };
  });
}

function readVersions(versions: unknown): VersionedSchema[] {
  if (!Array.isArray(versions)) throw new TypeError('a CRD has no spec.versions');
  const found = new Map<string, VersionedSchema & { versions: string[] }>();
  for (const version of versions.map((entry) => object(entry, 'spec.versions'))) {
    if (version.served !== true) continue;
    const schema = withoutDescriptions(
      object(object(version.schema, 'schema').openAPIV3Schema, 'openAPIV3Schema'),
    );
    const statusSubresource = isJsonObject(version.subresources) && 'status' in version.subresources;
    const key = JSON.stringify([statusSubresource, schema]);
    const name = string(version.name, 'spec.versions[].name');
    const same = found.get(key);
    if (same === undefined) found.set(key, { versions: [name], statusSubresource, schema });
    else same.versions.push(name);
  }
  return [...found.values()];
}

/** A schema without descriptions; a property that is called `description` stays. */
function withoutDescriptions(schema: JsonObject): StructuralSchema {
  const entries = Object.entries(schema)
    .filter(([key]) => key !== 'description')
    .map(([key, value]): [string, unknown] => {
      if (key === 'properties' && isJsonObject(value)) {
        return [key, mapValues(value, (property) => withoutDescriptions(object(property, key)))];
      }
      if (['items', 'not', 'additionalProperties'].includes(key) && isJsonObject(value)) {
        return [key, withoutDescriptions(value)];
      }
      if (['allOf', 'anyOf', 'oneOf'].includes(key) && Array.isArray(value)) {
        return [key, value.map((entry) => withoutDescriptions(object(entry, key)))];
      }
      return [key, value];
    });
  return Object.fromEntries(entries);
}

function mapValues(values: JsonObject, change: (value: Json) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

function object(value: unknown, what: string): JsonObject {
  if (!isJsonObject(value)) throw new TypeError(`${what} of a CRD is not an object`);
  return value;
}

function string(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} of a CRD is not a string`);
  return value;
}
