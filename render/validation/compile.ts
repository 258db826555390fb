// The only module that needs ajv: gari's own schemas are compiled when it is built, other ones when asked for.
import { _, Ajv } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { formats } from './formats.ts';
import { toJsonSchema } from './json-schema.ts';
import type { KindSchemas } from './schema-file.ts';
import { checkedSchema, checkName, type SchemaCheck, type SchemaError } from './schemas.ts';
import { shareSubschemas } from './share-subschemas.ts';

/** Compiles the checks of all schemas of all kinds, by {@link checkName}. */
export function compileChecks(kinds: readonly KindSchemas[]): Readonly<Record<string, SchemaCheck>> {
  const ajv = ajvFor(kinds);
  return Object.fromEntries(
    names(kinds).map((name) => {
      const validate = ajv.getSchema(name);
      return [
        name,
        (value) => (validate?.(value) === true ? [] : ((validate?.errors ?? []) as SchemaError[])),
      ];
    }),
  );
}

/** The same as the source of an ES module that exports `checks`, to be bundled beside `formats.ts`. */
export function compileChecksToCode(kinds: readonly KindSchemas[]): string {
  const exports = Object.fromEntries(names(kinds).map((name) => [name, name]));
  const checks = names(kinds).map((name) => `${name}: (value) => ${name}(value) ? [] : ${name}.errors`);
  return `${standaloneCode.default(ajvFor(kinds), exports)}\nexport const checks = { ${checks.join(', ')} };\n`;
}

function names(kinds: readonly KindSchemas[]): string[] {
  return kinds.flatMap((kind) => kind.schemas.map((schema) => checkName(kind, schema)));
}

function ajvFor(kinds: readonly KindSchemas[]): Ajv {
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
