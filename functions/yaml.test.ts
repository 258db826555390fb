import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeTool } from '../test/tools.ts';
import { formatYaml, parseYaml, YamlError } from './yaml.ts';

/** Unquoted text and what kubectl takes it for, by the rules of go-yaml (resolve.go). */
const SCALARS: readonly [text: string, value: string | number | boolean | null][] = [
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'].map(
    (text): [string, boolean] => [text, true],
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'].map(
    (text): [string, boolean] => [text, false],
  ),
  ...['~', 'null', 'Null', 'NULL'].map((text): [string, null] => [text, null]),
  // Octal in the notation of YAML 1.1 and of 1.2, but 8 and 9 are no octal digits.
  ['0644', 420],
  ['0o17', 15],
  ['-010', -8],
  ['08', 8],
  ['0b11', 3],
  ['-0b11', -3],
  ['0x1F', 31],
  ['0X1F', 31],
  ['0B11', 3],
  ['0O17', 15],
  ['1e3', 1000],
  ['1E3', 1000],
  ['.5', 0.5],
  ['5.', 5],
  ['+1', 1],
  ['1.50', 1.5],
  // Underscores.
  ['1_000', 1000],
  ['1__2', 12],
  ['1_', 1],
  ['0_x1', 1],
  ['7e_10', 7e10],
  ['685_230.15', 685230.15],
  ['.8_0', 0.8],
  ['._8', '._8'],
  ['_1', '_1'],
  // No numbers, booleans, dates or nulls.
  ...[
    'yES',
    'nO',
    'oN',
    'tRue',
    'nUll',
    '0b2',
    '0o8',
    '0x',
    '0b',
    '1e',
    'e1',
    '.',
    '..',
    '+',
    '_',
    '1:2',
  ].map((text): [string, string] => [text, text]),
  ...[
    '12:30:45',
    '190:20:30',
    '2026-01-01',
    '2001-12-14t21:59:43.10-05:00',
    '1.2.3',
    '=',
    'NaN',
    'Infinity',
  ].map((text): [string, string] => [text, text]),
  // Too large for a number.
  ['1e999', '1e999'],
  ['-1e999', '-1e999'],
  ['0xffffffffffffffffff', '0xffffffffffffffffff'],
];

describe('parseYaml', () => {
  it.each(SCALARS)('takes an unquoted %s for %j', (text, value) => {
    expect(parseYaml(`field: ${text}`)).toEqual({ field: value });
    expect(parseYaml(`field: "${text}"`)).toEqual({ field: text });
    expect(parseYaml(`field: '${text}'`)).toEqual({ field: text });
  });

  it.each<[string, string, unknown]>([
    ['nothing', '', undefined],
    ['a comment', '# nothing\n', undefined],
    ['the first document', 'a: 1\n---\na: 2\n', { a: 1 }],
    ['JSON', '{"a": ["b", {"c": null}]}', { a: ['b', { c: null }] }],
    ['Windows line ends', 'a:\r\n  b: c\r\nd: |\r\n  e\r\n  f\r\n', { a: { b: 'c' }, d: 'e\nf\n' }],
    ['a byte order mark', '\uFEFFa: b\n', { a: 'b' }],
    ['anchors', 'a: &x {b: c}\nd: *x\n', { a: { b: 'c' }, d: { b: 'c' } }],
    [
      'merge keys',
      'a: &x {b: c, d: e}\nf:\n  <<: *x\n  d: g\n',
      { a: { b: 'c', d: 'e' }, f: { b: 'c', d: 'g' } },
    ],
    ['keys that are no strings', '0644: a\nyes: b\n', { 420: 'a', true: 'b' }],
  ])('reads %s', (_, text, value) => expect(parseYaml(text)).toEqual(value));

  it.each<[string, string, number]>([
    ['a tab as indentation', 'a: b\n\tc: d\n', 2],
    ['a list in a map', 'a: b\n- c\n', 2],
    ['an alias of nothing', 'a: b\nc: *d\n', 2],
    ['a string without an end', 'a: b\nc:\n  d: "e\n', 4],
  ])('says in which line there is %s', (_, text, line) => {
    let thrown: unknown;
    try {
      parseYaml(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(YamlError);
    expect((thrown as YamlError).line).toBe(line);
  });

  it('refuses a few lines that stand for billions, and takes many that stand for themselves', () => {
    const bomb = Array.from(
      { length: 9 },
      (_, n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1}`.concat(`, *a${n - 1}`.repeat(9))}]`,
    );
    expect(() => parseYaml(bomb.join('\n'))).toThrow(YamlError);
    expect(parseYaml(`a: &a b\nc: [${'*a,'.repeat(1000)}]`)).toHaveProperty('c.length', 1000);
  });
});

describe('formatYaml', () => {
  it('writes in the style of kubectl', () => {
    const args = ['--flag=a,b', '8080', 'x'.repeat(200)];
    expect(formatYaml({ a: { list: [{ name: 'x', args }], empty: {} }, size: 80, own: true })).toBe(
      `a:\n  list:\n  - name: x\n    args:\n    - --flag=a,b\n    - "8080"\n    - ${'x'.repeat(200)}\n  empty: {}\nsize: 80\nown: true\n`,
    );
  });

  it('writes a value that stands in two places twice', () => {
    const shared = { team: 'a' };
    expect(formatYaml({ a: shared, b: shared })).toBe('a:\n  team: a\nb:\n  team: a\n');
  });

  it.each(SCALARS)('quotes %s where it is a string', (text) => {
    expect(parseYaml(formatYaml({ field: text, [text]: text }))).toEqual({ field: text, [text]: text });
  });
});

// All characters of numbers, words and indicators of YAML, the latter less often.
const letters = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...'0179_.eE+-xobXOBafinyNYtT:') },
  { weight: 1, arbitrary: fc.constantFrom(...'~= #\n"\'{}[],&*!|>%@`?\t\u0085\u2028\ufeff\\') },
);
const text = fc.array(letters, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));

function readByKubectl(spec: string): unknown {
  const { stdout, stderr } = spawnSync(
    'kubectl',
    ['annotate', '--local', '--filename=-', '--output=json', 'example.com/read=yes'],
    {
      input: `apiVersion: example.com/v1\nkind: Any\nmetadata: {name: x}\n${spec}`,
      encoding: 'utf8',
      maxBuffer: 1e8,
    },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout).spec;
}

describeTool('kubectl', () => {
  it('takes each scalar for what gari takes it for', () => {
    const list = SCALARS.map(([scalar]) => `- field: ${scalar}\n`).join('');
    expect(readByKubectl(`spec:\n${list}`)).toEqual(SCALARS.map(([, value]) => ({ field: value })));
  });

  it('reads whatever text gari writes', () =>
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 2000, maxLength: 2000, size: 'max' }), (texts) => {
        const spec = {
          list: texts,
          map: Object.fromEntries(texts.map((each, index) => [each, String(index)])),
        };
        expect(readByKubectl(formatYaml({ spec }))).toEqual(spec);
      }),
      { numRuns: 3, endOnFailure: true },
    ));
});
