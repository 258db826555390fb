import { describe, expect, it } from 'vitest';
import { asItem, NotAResourceList, readResourceList, writeResourceList } from './resource-list.ts';

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n';

/** Reads a list and writes it again with the same items and results. */
function roundTrip(text: string): string {
  const list = readResourceList(text);
  return writeResourceList(list, list.items, list.results);
}

describe('a list comes out as it came in', () => {
  it.each([
    ['compact', `${HEAD}items:\n- kind: A\n  b: "yes"\n- kind: B\n`],
    ['indented', `${HEAD}items:\n  - kind: A\n    b: 0644\n  - kind: B\n`],
    ['v1beta1', `${HEAD.replace('v1', 'v1beta1')}items:\n- kind: A\n`],
    ['comments at heads', `${HEAD}items:\n- # head\n  kind: A # line\n  # foot\n- kind: B\n`],
    [
      'block scalars with dashes and blanks',
      `${HEAD}items:\n- kind: A\n  text: |\n    - x  \n\n    - y\n- kind: B\n`,
    ],
    [
      'anchors and merge keys',
      `${HEAD}items:\n- kind: A\n  a: &x {b: 1}\n  c: *x\n  d:\n    !!merge <<: *x\n`,
    ],
    ['JSON items', `${HEAD}items:\n- {"kind": "A", "n": 12345678901234567890}\n`],
    ['Windows line ends', `${HEAD}items:\n- kind: A\n- kind: B\n`.replaceAll('\n', '\r\n')],
    ['no items', `${HEAD}items: []\n`],
    [
      'a functionConfig behind',
      `${HEAD}items:\n- kind: A\nfunctionConfig:\n  kind: ConfigMap\n  data:\n    items: "x"\n`,
    ],
    ['a functionConfig before', `${HEAD}functionConfig:\n  kind: ConfigMap\nitems:\n- kind: A\n`],
    ['a key twice', `${HEAD}items:\n- kind: A\n  a: 1\n  a: 2\n- kind: B\n`],
    ['a tag that nobody knows', `${HEAD}items:\n- kind: A\n  a: !mine x\n`],
  ])('%s', (_, text) => {
    expect(roundTrip(text)).toBe(text);
    expect(roundTrip(roundTrip(text))).toBe(text);
  });

  it('as JSON, with all digits', () => {
    const text =
      '{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [\n{"kind": "A", "n": 12345678901234567890}, {"kind": "}]\\"", "l": [{}]}]}';
    const list = readResourceList(text);
    expect(list.items.map((item) => item.text)).toEqual([
      '{"kind": "A", "n": 12345678901234567890}',
      '{"kind": "}]\\"", "l": [{}]}',
    ]);
    const written = roundTrip(text);
    expect(written).toContain('12345678901234567890');
    expect(JSON.parse(written)).toEqual(JSON.parse(text));
  });
});

describe('results', () => {
  it('are added to those that are there, before the items', () => {
    const text = `${HEAD}items:\n- kind: A\n  # foot\nresults:\n- message: first\n`;
    const list = readResourceList(text);
    expect(list.results).toEqual([{ message: 'first' }]);
    expect(writeResourceList(list, list.items, [...list.results, { message: 'second' }])).toBe(
      `${HEAD}results:\n- message: first\n- message: second\nitems:\n- kind: A\n  # foot\n`,
    );
  });

  it('are read where older orchestrators nest them', () => {
    expect(readResourceList(`${HEAD}items: []\nresults:\n  items:\n  - message: x\n`).results).toEqual([
      { message: 'x' },
    ]);
  });

  it('are written where there is no list of items', () => {
    const list = readResourceList(HEAD);
    expect(writeResourceList(list, list.items, [{ message: 'x' }])).toBe(
      `${HEAD}results:\n- message: x\nitems: []\n`,
    );
  });
});

it('new items are written like the others', () => {
  const list = readResourceList(`${HEAD}items:\n  - kind: A\n`);
  const object = { kind: 'B', list: ['x'], text: 'a\n\nb\n' };
  expect(writeResourceList(list, [...list.items, { object }], [])).toBe(
    `${HEAD}items:\n  - kind: A\n  - kind: B\n    list:\n    - x\n    text: |\n      a\n\n      b\n`,
  );
});

it('refuses what is no ResourceList', () => {
  const scalars = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: [5, "a"]\n';
  expect(() => readResourceList(scalars)).toThrow('item 0 of the ResourceList is no object');
  expect(() => readResourceList('kind: List\napiVersion: v1\nitems: []\n')).toThrow(NotAResourceList);
});

it('a document keeps the blank lines at the end of its text', () => {
  expect(asItem('kind: A\ntext: |+\n  x\n\n\n', '')).toBe('- kind: A\n  text: |+\n    x\n\n\n');
});
