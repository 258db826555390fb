import { describe, expect, it } from 'vitest';
import type { Path } from '../../render/json.ts';
import { lineFinder } from './positions.ts';

const GATEWAY = `# comment
kind: Gateway
metadata:
  name: web
  labels: &labels
    # a comment between
    team: a
    "quoted key": b
    8080: c
spec:
  listeners:
  - name: http

    port: 80
  - {name: https, port: 443,
     protocol: HTTPS}
  -
    name: third
  text: |
    a: 1
    b: 2
  again: *labels
  empty:
  flow: ["a",
    "b"]
`;

describe('lineFinder', () => {
  it.each<[Path, number]>([
    [[], 2],
    [['kind'], 2],
    [['metadata'], 3],
    [['metadata', 'labels'], 5],
    [['metadata', 'labels', 'team'], 7],
    [['metadata', 'labels', 'quoted key'], 8],
    [['metadata', 'labels', '8080'], 9],
    [['spec', 'listeners', 0], 12],
    [['spec', 'listeners', 0, 'port'], 14],
    [['spec', 'listeners', 1, 'port'], 15],
    [['spec', 'listeners', 1, 'protocol'], 16],
    [['spec', 'listeners', 2, 'name'], 18],
    // An alias and an empty value stand where their key stands.
    [['spec', 'again', 'team'], 22],
    [['spec', 'empty'], 23],
    [['spec', 'flow', 1], 25],
    // What is not there: its nearest parent.
    [['status'], 2],
    [['metadata', 'annotations'], 3],
    [['spec', 'listeners', 1, 'hostname'], 15],
    [['spec', 'listeners', 7], 11],
    // YAML in a literal has lines of its own.
    [['spec', 'text', 'a'], 20],
    [['spec', 'text', 'b'], 21],
    [['spec', 'text', 'c'], 19],
    [['kind', 'x'], 2],
  ])('%j stands in line %d', (path, line) => expect(lineFinder(GATEWAY)(path)).toBe(line));

  it.each<[string, string, Path, number]>([
    ['JSON', '{\n "a": [\n  1,\n  {"b": 2}\n ]\n}', ['a', 1, 'b'], 4],
    ['Windows line ends', 'a: 1\r\nb:\r\n  c: 2\r\n', ['b', 'c'], 3],
    ['a document marker', '---\na: 1\n', ['a'], 2],
    ['a key with a line of its own', '? a\n: b: 1\n', ['a', 'b'], 2],
    ['an empty text', '', ['a'], 1],
    ['a merge key, whose fields stand elsewhere', 'a: &a\n  b: 1\nc:\n  <<: *a\n', ['c', 'b'], 3],
  ])('%s', (_, text, path, line) => expect(lineFinder(text)(path)).toBe(line));
});

// Reading the text anew for each takes minutes.
it('finds the lines of 10,000 items', () => {
  const item = '- kind: Gateway\n  spec:\n    nonsense: true\n';
  const lineOf = lineFinder(`items:\n${item.repeat(10_000)}`);
  for (let index = 0; index < 10_000; index++) {
    expect(lineOf(['items', index, 'spec', 'nonsense'])).toBe(index * 3 + 4);
  }
});
