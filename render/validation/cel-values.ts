import { isJsonObject, type Json } from '../json.ts';
import { childSchema, type StructuralSchema } from './structural-schema.ts';

// k8s.io/apiserver pkg/cel/escaping.go: words of CEL's grammar that a field name must not be.
const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** A JSON value as CEL's own types: whole numbers as int, maps with free keys as Map. */
export function toCel(value: Json, schema: StructuralSchema | undefined): unknown {
  // JSON has one type of number, CEL has three; the schema decides, as the server does.
  if (typeof value === 'number')
    return schema?.type !== 'number' && Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => toCel(item, schema?.items));
  if (!isJsonObject(value)) return value;
  const isMap = schema?.properties === undefined;
  const entries = Object.entries(value).map(([key, child]): [string, unknown] => [
    isMap ? key : escapeName(key),
    toCel(child, schema === undefined ? undefined : childSchema(schema, key)),
  ]);
  // A Map, since a plain object with a key such as `constructor` confuses the library.
  return isMap ? new Map(entries) : Object.fromEntries(entries);
}

/** How a rule has to write a property's name (KEP-2876). */
function escapeName(name: string): string {
  if (RESERVED.has(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
