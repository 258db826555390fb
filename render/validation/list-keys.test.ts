import { expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { checkListKeys } from './list-keys.ts';
import type { StructuralSchema } from './structural-schema.ts';

const set: StructuralSchema = { type: 'array', 'x-kubernetes-list-type': 'set' };
const map: StructuralSchema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['a', 'b'],
};

test.each<[string, StructuralSchema, Json, string[]]>([
  ['equal items of a set', set, ['x', 'y', 'x'], ['[2] has the same value "x" as [0]']],
  [
    'equal objects of a set',
    set,
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    ['[1] has the same value an object as [0]'],
  ],
  ['a number and a string', set, [1, '1'], []],
  [
    'equal keys',
    map,
    [
      { a: 1, b: 2 },
      { b: 2, a: 1, c: 3 },
    ],
    ['[1] has the same a 1 and b 2 as [0]'],
  ],
  [
    'one key that differs',
    map,
    [
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ],
    [],
  ],
  ['keys that are both absent', map, [{}, null], ['[1] has the same a undefined and b undefined as [0]']],
  ['items that are no objects', map, ['x', 'x'], []],
  ['a list of another type', { type: 'array', 'x-kubernetes-list-type': 'atomic' }, ['x', 'x'], []],
  [
    'lists in lists and maps',
    { items: { additionalProperties: set } },
    [{ a: ['x', 'x'] }],
    ['[0].a[1] has the same value "x" as [0].a[0]'],
  ],
])('%s', (_, schema, value, expected) => {
  expect(checkListKeys(value, schema).map(({ field, message }) => `${field} ${message}`)).toEqual(expected);
});
