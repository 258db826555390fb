import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.ts';
import { compareText, normalize } from './normalize.ts';

const keysOf = (object: JsonObject) => JSON.stringify(normalize(object));

describe('normalize', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['null', { a: null, b: 1 }, { b: 1 }],
    ['an empty map', { a: {}, b: 1 }, { b: 1 }],
    ['an empty list', { a: [], b: 1 }, { b: 1 }],
    ['what holds nothing but empty things', { a: { b: { c: [{}, null, []] } }, d: 1 }, { d: 1 }],
    ['empty items of a list', { a: [null, { b: 1 }, {}, [1, []]] }, { a: [{ b: 1 }, [1]] }],
  ])('drops %s', (_, object, expected) => expect(normalize(object)).toEqual(expected));

  it('keeps false, 0, an empty text and an empty directory', () => {
    const object = { a: false, b: 0, c: '', volumes: [{ name: 'tmp', emptyDir: {} }] };
    expect(normalize(object)).toEqual(object);
    expect(normalize({ volumes: [{ name: 'tmp', emptyDir: { medium: null } }] })).toEqual({
      volumes: [{ name: 'tmp', emptyDir: {} }],
    });
    expect(normalize({ volumes: [{ name: 'tmp', emptyDir: null }] })).toEqual({ volumes: [{ name: 'tmp' }] });
  });

  it('keeps a selector of everything', () => {
    const term = { labelSelector: {}, namespaceSelector: {}, topologyKey: 'zone' };
    expect(normalize({ terms: [term], nodeSelector: {} })).toEqual({ terms: [term] });
  });

  it('puts fields into the order that people expect, others behind by the alphabet', () => {
    expect(
      keysOf({
        zeta: 1,
        spec: 1,
        alpha: 1,
        metadata: { annotations: { a: 'b' }, name: 'n', labels: { a: 'b' }, namespace: 'x' },
        kind: 'k',
        apiVersion: 'v',
      }),
    ).toBe(
      '{"apiVersion":"v","kind":"k","metadata":{"name":"n","namespace":"x","labels":{"a":"b"},"annotations":{"a":"b"}},"spec":1,"alpha":1,"zeta":1}',
    );
  });

  it('takes keys of labels for words, not for fields', () => {
    expect(keysOf({ labels: { name: 'x', apiVersion: 'x', Zone: 'x', app: 'x' } })).toBe(
      '{"labels":{"Zone":"x","apiVersion":"x","app":"x","name":"x"}}',
    );
    for (const map of ['annotations', 'matchLabels', 'nodeSelector']) {
      expect(keysOf({ [map]: { name: 'x', app: 'x' } })).toBe(`{"${map}":{"app":"x","name":"x"}}`);
    }
  });

  it('keeps the order of lists, gives the same for any order of keys, and once more the same', () => {
    const one = normalize({ b: [{ y: 1, x: 2 }, { x: 3 }], a: 1 });
    const other = normalize({ a: 1, b: [{ x: 2, y: 1 }, { x: 3 }] });
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    expect(JSON.stringify(one)).toBe('{"a":1,"b":[{"x":2,"y":1},{"x":3}]}');
    expect(JSON.stringify(normalize(one))).toBe(JSON.stringify(one));
  });
});

it('compareText orders by code unit, on every machine', () => {
  expect(['b', 'a', 'B', 'ä', 'a-b', 'a', '10', '9'].sort(compareText)).toEqual([
    '10',
    '9',
    'B',
    'a',
    'a',
    'a-b',
    'b',
    'ä',
  ]);
  expect(compareText('a', 'a')).toBe(0);
});
