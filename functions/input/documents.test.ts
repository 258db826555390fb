import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { describeTool } from '../../test/tools.ts';
import { YamlError } from '../yaml.ts';
import { parseDocuments, splitDocuments } from './documents.ts';

describe('splitDocuments', () => {
  it.each<[string, string, [number, string][]]>([
    ['one document', 'a: 1\n', [[1, 'a: 1\n']]],
    [
      'two documents',
      'a: 1\n---\nb: 2\n',
      [
        [1, 'a: 1\n'],
        [2, '---\nb: 2\n'],
      ],
    ],
    ['a marker at the start', '---\na: 1\n', [[1, '---\na: 1\n']]],
    [
      'Windows line ends',
      'a: 1\r\n---\r\nb: 2\r\n',
      [
        [1, 'a: 1\r\n'],
        [2, '---\r\nb: 2\r\n'],
      ],
    ],
    [
      'a value and a comment behind a marker',
      '--- {a: 1}\n--- # the second\nb: 2\n',
      [
        [1, '--- {a: 1}\n'],
        [2, '--- # the second\nb: 2\n'],
      ],
    ],
    ['comments before the first', '# licence\n\n---\na: 1\n', [[3, '---\na: 1\n']]],
    ['nothing but comments', '# nothing\n\n  # here\n', []],
    ['a byte order mark', '\uFEFFa: 1\n', [[1, 'a: 1\n']]],
    [
      'byte order marks in the middle, before and behind a marker',
      'a: 1\n\uFEFF---\nb: 2\n---\n\uFEFFc: 3\n',
      [
        [1, 'a: 1\n'],
        [2, '---\nb: 2\n'],
        [4, '---\nc: 3\n'],
      ],
    ],
    ['one in a text, which is none', 'a: "b\uFEFF"\n', [[1, 'a: "b\uFEFF"\n']]],
    [
      'end markers',
      'a: 1\n...\n---\nb: 2\n...\n',
      [
        [1, 'a: 1\n...\n'],
        [3, '---\nb: 2\n...\n'],
      ],
    ],
    ['directives', '%YAML 1.1\n---\na: 1\n', [[2, '---\na: 1\n']]],
    // Not at the start of a line, or more than three dashes: no marker.
    ['dashes in a text', 'a: |\n  ---\n  b\n', [[1, 'a: |\n  ---\n  b\n']]],
    ['a longer line', 'a: 1\n----\n', [[1, 'a: 1\n----\n']]],
    [
      'a certificate',
      'a: |\n  -----BEGIN CERTIFICATE-----\n',
      [[1, 'a: |\n  -----BEGIN CERTIFICATE-----\n']],
    ],
    ['a line separator, which is no line end', 'a: "b\u2028--- c"\n', [[1, 'a: "b\u2028--- c"\n']]],
  ])('%s', (_, text, expected) => {
    expect(splitDocuments(text).map(({ line, text: part }) => [line, part])).toEqual(expected);
  });
});

const namesOf = (text: string) => parseDocuments(text, 'x.yaml').map(({ object }) => object.name);

describe('parseDocuments', () => {
  it('passes over what is no map', () => {
    expect(namesOf('name: a\n---\n- name: b\n---\ntext\n---\n---\nname: c\n---\n')).toEqual(['a', 'c']);
  });

  it('takes a List apart, and a List in it', () => {
    const text = `kind: List
items:
- name: a
- kind: GatewayList
  items: [{name: b}, null, {name: c}]
`;
    expect(namesOf(text)).toEqual(['a', 'b', 'c']);
  });

  it('takes an empty List for an object, which says that there are none', () => {
    expect(parseDocuments('kind: List\nname: a\nitems: []\n', 'x.yaml')).toHaveLength(1);
    expect(namesOf('kind: List\nitems: [{kind: GatewayList, name: a, items: []}, {name: b}]\n')).toEqual([
      'a',
      'b',
    ]);
  });

  it('leaves alone what only looks like a List', () => {
    expect(namesOf('kind: AllowList\nname: a\nitems: none\n')).toEqual(['a']);
    expect(namesOf('kind: Shop\nname: a\nitems: [{name: b}]\n')).toEqual(['a']);
  });

  it('knows the line in the file of a field, or of its nearest parent', () => {
    const [, gateway] = parseDocuments(
      'kind: A\n---\n# web\nkind: B\nspec:\n  listeners:\n  - port: 80\n',
      'x.yaml',
    );
    const { file, lineOf } = gateway!.source;
    expect(file).toBe('x.yaml');
    expect(lineOf([])).toBe(4);
    expect(lineOf(['spec', 'listeners', 0, 'port'])).toBe(7);
    expect(lineOf(['spec', 'listeners', 0, 'protocol'])).toBe(7);
    expect(lineOf(['spec', 'addresses'])).toBe(5);
  });

  it('knows the line of what stands in a List', () => {
    const [, second] = parseDocuments(
      '---\nkind: List\nitems:\n- name: a\n- name: b\n  spec:\n    x: y\n',
      'x.yaml',
    );
    expect(second!.source.lineOf([])).toBe(5);
    expect(second!.source.lineOf(['spec', 'x'])).toBe(7);
  });

  it('says in which line of the file the YAML is wrong', () => {
    let thrown: unknown;
    try {
      parseDocuments('a: 1\n---\nb: 2\n\tc: 3\n', 'x.yaml');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(YamlError);
    expect((thrown as YamlError).line).toBe(4);
  });
});

/** A document that kubectl reads, with some data. */
const configMap = (data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  ${data}\n`;

const STREAMS: readonly [title: string, text: string][] = [
  ['two documents', `${configMap('a: b')}---\n${configMap('c: d')}`],
  ['Windows line ends', `${configMap('a: b')}---\n${configMap('c: d')}`.replaceAll('\n', '\r\n')],
  ['comments and blanks behind markers', `--- # a\n${configMap('a: b')}---  \t\n${configMap('c: d')}`],
  ['a document of comments', `# a\n---\n${configMap('a: b')}---\n# b\n---\n${configMap('c: d')}---\n`],
  ['end markers', `${configMap('a: b')}...\n---\n${configMap('c: d')}...\n`],
  // What follows without a marker of its own is not read.
  ['an end marker alone', `${configMap('a: b')}...\n${configMap('c: d')}`],
  ['a byte order mark', `\uFEFF${configMap('a: b')}`],
  ['a byte order mark in the middle', `${configMap('a: b')}---\n\uFEFF${configMap('c: d')}`],
  ['JSON with tabs', JSON.stringify(parseDocuments(configMap('a: b'), '')[0]!.object, undefined, '\t')],
  ['an anchor', `${configMap('a: b')}x: &x {c: d}\nz: *x\n`],
  ['merge keys', `x: &x {a: b, c: d}\nz: &z {c: e}\n${configMap('<<: [*x, *z]\n  a: f')}`],
  ['a merge key with its tag', `x: &x {a: b}\n${configMap('!!merge <<: *x')}`],
  ['keys that are no strings', configMap('{0644: a, yes: b, 1e3: c}')],
  ['tags', configMap('{a: !!str 0644, b: !!int "0644", c: !!bool "yes"}')],
  ['dashes in a text', configMap('a: |\n    b\n    ---\n    c')],
];

describeTool('kubectl', () => {
  it.each(STREAMS)('finds the same as gari in %s', (_, text) => {
    const { stdout, stderr } = spawnSync(
      'kubectl',
      ['annotate', '--local', '--filename=-', '--output=json', 'example.com/read=yes'],
      { input: text, encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    const read = stdout.split(/(?<=^\}\n)/m);
    const objects = parseDocuments(text, 'x.yaml').map(({ object }) => object);
    expect(read.map((json) => JSON.parse(json))).toEqual(
      objects.map((object) => ({
        ...object,
        metadata: { name: 'x', annotations: { 'example.com/read': 'yes' } },
      })),
    );
  });
});
