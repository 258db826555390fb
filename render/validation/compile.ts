// What needs ajv: gari's own schemas are compiled when it is built, other ones when asked for.
import { _, Ajv } from 'ajv';
import { formats } from './formats.ts';
import { toJsonSchema } from './json-schema.ts';
import type { KindSchemas } from './schema-file.ts';
import { type Compiled, checkedSchema, checkName, type SchemaError } from './schemas.ts';
import { shareSubschemas } from './share-subschemas.ts';

/** Compiles the checks of all schemas of all kinds, by {@link checkName}. */
export function compileChecks(kinds: readonly KindSchemas[]): Compiled['checks'] {
  const ajv = ajvFor(kinds);
  return Object.fromEntries(
    checkNames(kinds).map((name) => {
      const validate = ajv.getSchema(name);
      return [
        name,
        (value) => (validate?.(value) === true ? [] : ((validate?.errors ?? []) as SchemaError[])),
      ];
    }),
  );
}

/** The {@link checkName}s of all schemas. */
export function checkNames(kinds: readonly KindSchemas[]): string[] {
  return kinds.flatMap((kind) => kind.schemas.map((schema) => checkName(kind, schema)));
}

/** The schema compiler, with all schemas of all kinds. */
export function ajvFor(kinds: readonly KindSchemas[]): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    messages: false,
    inlineRefs: false,
    formats: { ...formats },
    code: { source: true, esm: true, formats: _`require('./formats.ts').formats` },
  });
  const schemas = kinds.flatMap((kind) =>
    kind.schemas.map((schema) => [checkName(kind, schema), toJsonSchema(checkedSchema(schema))] as const),
  );
  for (const [name, schema] of Object.entries(shareSubschemas(Object.fromEntries(schemas)))) {
    ajv.addSchema({ ...schema, $id: name });
  }
  return ajv;
}
