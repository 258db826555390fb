import type { Json } from '../json.ts';
import { OBJECT_META } from './object-meta.ts';
import type { CompiledRule } from './rule-runtime.ts';
import type { KindSchemas, VersionedSchema } from './schema-file.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** One thing that a schema check found; the shape of ajv's errors. */
export interface SchemaError {
  /** A JSON pointer to the value. */
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Checks a prepared object; returns all that is wrong with it. */
export type SchemaCheck = (value: Json) => readonly SchemaError[];

/** What is compiled of schemas. */
export interface Compiled {
  /** The schema checks, by {@link checkName}. */
  readonly checks: Readonly<Record<string, SchemaCheck>>;
  /** CEL rules, by their source; the library judges those that are not here. */
  readonly rules: Readonly<Record<string, CompiledRule>>;
}

/** The kinds that can be judged, and how: those of gari's own Gateway API version, or of CRDs from elsewhere. */
export interface Schemas {
  readonly kinds: readonly KindSchemas[];
  compiled(): Promise<Compiled>;
}

/** A schema that says all about an object: the CRD's, and what the server adds to it. */
export function completeSchema({ schema }: VersionedSchema): StructuralSchema {
  const text: StructuralSchema = { type: 'string' };
  return {
    ...schema,
    properties: { ...schema.properties, apiVersion: text, kind: text, metadata: OBJECT_META },
  };
}

/** The schema that is checked: the server drops `status` before it checks an object that is created. */
export function checkedSchema(schema: VersionedSchema): StructuralSchema {
  const complete = completeSchema(schema);
  if (!schema.statusSubresource) return complete;
  const { status: _, ...properties } = complete.properties ?? {};
  return { ...complete, properties };
}

/** The name under which the compiled check of a schema is kept, such as `Gateway_v1`. */
export function checkName({ kind }: KindSchemas, { versions }: VersionedSchema): string {
  return [kind, ...versions].join('_');
}
