import { expect, test } from 'vitest';
import { formatPath, type JsonObject } from '../json.ts';
import { prepare } from './prepare.ts';
import type { StructuralSchema } from './structural-schema.ts';

const text: StructuralSchema = { type: 'string' };

test.each<[string, StructuralSchema, JsonObject, JsonObject, string[]]>([
  ['drops an unknown field', { properties: { a: text } }, { a: 'x', b: 'y' }, { a: 'x' }, ['b']],
  [
    'drops names of Object.prototype',
    { properties: {} },
    { constructor: 'x', toString: 'y' },
    {},
    ['constructor', 'toString'],
  ],
  [
    'keeps keys of a map',
    { additionalProperties: text },
    JSON.parse('{"__proto__":"x"}'),
    JSON.parse('{"__proto__":"x"}'),
    [],
  ],
  [
    'keeps keys of a map of anything, but nothing below',
    { additionalProperties: true },
    { a: { b: 'c' } },
    { a: {} },
    ['a.b'],
  ],
  [
    'keeps what it must not know',
    { 'x-kubernetes-preserve-unknown-fields': true },
    { a: { b: [{ c: 1 }] } },
    { a: { b: [{ c: 1 }] } },
    [],
  ],
  [
    'prunes below a known field of an object with free fields',
    { 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { properties: {} } } },
    { a: { b: 1 }, c: { d: 1 } },
    { a: {}, c: { d: 1 } },
    ['a.b'],
  ],
  [
    'drops fields of an object in place of a string',
    { properties: { a: text } },
    { a: { b: 1 } },
    { a: {} },
    ['a.b'],
  ],
  [
    'drops unknown fields in lists',
    { properties: { a: { items: { properties: {} } } } },
    { a: [{ b: 1 }] },
    { a: [{}] },
    ['a[0].b'],
  ],
  ['drops a null that is not allowed', { properties: { a: text } }, { a: null }, {}, []],
  [
    'keeps a null that is allowed',
    { properties: { a: { type: 'string', nullable: true } } },
    { a: null },
    { a: null },
    [],
  ],
  ['keeps a null in a list', { properties: { a: { items: text } } }, { a: [null] }, { a: [null] }, []],
  ['fills in a default', { properties: { a: { default: 'x' } } }, {}, { a: 'x' }, []],
  [
    'fills in a default in place of null',
    { properties: { a: { default: 'x' } } },
    { a: null },
    { a: 'x' },
    [],
  ],
  [
    'keeps a null that is allowed in place of a default',
    { properties: { a: { default: 'x', nullable: true } } },
    { a: null },
    { a: null },
    [],
  ],
  [
    'fills in defaults within defaults',
    { properties: { a: { default: {}, properties: { b: { default: 1 } } } } },
    {},
    { a: { b: 1 } },
    [],
  ],
  [
    'fills in no default within what is absent',
    { properties: { a: { properties: { b: { default: 1 } } } } },
    {},
    {},
    [],
  ],
  [
    'fills in items and map entries',
    { properties: { a: { items: { default: 'x' } }, b: { additionalProperties: { default: 'y' } } } },
    { a: [null], b: { c: null } },
    { a: ['x'], b: { c: 'y' } },
    [],
  ],
])('%s', (_, schema, object, value, unknown) => {
  const before = JSON.stringify(object);
  const prepared = prepare(object, schema);
  expect(prepared.value).toEqual(value);
  expect(prepared.unknown.map(formatPath)).toEqual(unknown);
  expect(JSON.stringify(object)).toBe(before);
});
