import { describe, expect, it } from 'vitest';
import { formatPath, type Json } from './json.ts';
import {
  anyText,
  fields,
  integer,
  listOf,
  mapOf,
  optional,
  type Shape,
  text,
  textLike,
  uniqueBy,
} from './shape.ts';

const said = (shape: Shape, value: Json | undefined) =>
  shape(value, ['x']).map(({ path, message }) => `${formatPath(path)} ${message}`);

const HEX = textLike(/^[0-9a-f]+$/, 4, 'hex digits');
const NAMED = uniqueBy('name', listOf(fields({ name: text })));

describe('shapes', () => {
  it.each<[string, Shape, Json | undefined, string[]]>([
    ['text', text, 'a', []],
    ['text', text, undefined, ['x is required']],
    ['text', text, '', ['x must not be empty']],
    ['text', text, null, ['x must be a string, not null']],
    ['text', text, 1, ['x must be a string, not the number 1; put it in quotes']],
    [
      'text',
      text,
      true,
      [
        'x must be a string, not the boolean true; put it in quotes (unquoted yes, no, on and off are booleans)',
      ],
    ],
    ['text', text, ['a'], ['x must be a string, not a list']],
    ['text', text, {}, ['x must be a string, not a map']],
    ['anyText', anyText, '', []],
    ['anyText', anyText, 'a', []],
    ['anyText', anyText, undefined, ['x is required']],
    ['anyText', anyText, 0, ['x must be a string, not the number 0; put it in quotes']],
    ['textLike', HEX, 'beef', []],
    ['textLike', HEX, 'beefs', ['x must have at most 4 characters, not 5']],
    ['textLike', HEX, 'bee"', ['x must be hex digits, not "bee\\""']],
    ['textLike', HEX, '', ['x must not be empty']],
    ['textLike', HEX, undefined, ['x is required']],
    ['integer', integer(1, 3), 1, []],
    ['integer', integer(1, 3), 3, []],
    ['integer', integer(1, 3), 0, ['x must be 1 to 3, not 0']],
    ['integer', integer(1, 3), 4, ['x must be 1 to 3, not 4']],
    ['integer', integer(1, 3), 1.5, ['x must be a whole number, not the number 1.5']],
    ['integer', integer(1, 3), '1', ['x must be a whole number, not the string "1"']],
    ['integer', integer(1, 3), undefined, ['x is required']],
    ['optional', optional(text), undefined, []],
    ['optional', optional(text), '', ['x must not be empty']],
    ['fields', fields({ a: text }), { a: 'b', other: 1 }, []],
    ['fields', fields({ a: text, b: text }), { b: '' }, ['x.a is required', 'x.b must not be empty']],
    ['fields', fields({}), undefined, ['x is required']],
    ['fields', fields({}), [], ['x must be a map, not a list']],
    ['mapOf', mapOf(text), { a: 'b' }, []],
    ['mapOf', mapOf(text), { a: 'b', 'c/d': '' }, ['x["c/d"] must not be empty']],
    ['mapOf', mapOf(text), undefined, ['x is required']],
    ['mapOf', mapOf(text), 'a', ['x must be a map, not the string "a"']],
    ['listOf', listOf(text), [], []],
    ['listOf', listOf(text), ['a', '', null], ['x[1] must not be empty', 'x[2] must be a string, not null']],
    ['listOf', listOf(text), undefined, ['x is required']],
    ['listOf', listOf(text), {}, ['x must be a list, not a map']],
    ['uniqueBy', NAMED, [{ name: 'a' }, { name: 'b' }], []],
    // Each one that repeats, and whom.
    [
      'uniqueBy',
      NAMED,
      [{ name: 'b' }, { name: 'a' }, { name: 'a' }, { name: 'a' }],
      [
        'x[2].name is "a", as in item 1: each needs its own',
        'x[3].name is "a", as in item 1: each needs its own',
      ],
    ],
    // First what is wrong with each.
    ['uniqueBy', NAMED, [{ name: 'a' }, { name: 'a' }, {}], ['x[2].name is required']],
    ['uniqueBy', NAMED, 'a', ['x must be a list, not the string "a"']],
  ])('%s %#', (_, shape, value, expected) => {
    expect(said(shape, value)).toEqual(expected);
  });
});
