import { expect, it } from 'vitest';
import { difference, hasField, union } from './managed-fields.ts';

const port = { '.': {}, 'f:name': {}, 'f:port': {} };
const fields = {
  'f:metadata': { 'f:labels': { 'f:a/b.c': {}, 'f:d': {} } },
  'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': port, 'k:{"port":81,"protocol":"TCP"}': port } },
};
const one = { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': port } } };
const rest = {
  'f:metadata': fields['f:metadata'],
  'f:spec': { 'f:ports': { 'k:{"port":81,"protocol":"TCP"}': port } },
};

it('knows which fields are in a set', () => {
  expect(hasField(fields, ['metadata', 'labels', 'a/b.c'])).toBe(true);
  expect(hasField(fields, ['spec'])).toBe(true);
  expect(hasField(fields, ['spec', 'type'])).toBe(false);
  expect(hasField(undefined, ['spec'])).toBe(false);
});

it('takes fields out of a set, and nothing is left of what was in them', () => {
  expect(difference(fields, one)).toEqual(rest);
  expect(difference(fields, {})).toEqual(fields);
  expect(difference(fields, { 'f:spec': {} })).toEqual({ 'f:metadata': fields['f:metadata'] });
  expect(difference(fields, fields)).toBeUndefined();
  expect(difference(one, rest)).toEqual(one);
});

it('puts them back', () => {
  expect(union(rest, one)).toEqual(fields);
  expect(union(fields, one)).toEqual(fields);
  expect(union({}, one)).toEqual(one);
});
