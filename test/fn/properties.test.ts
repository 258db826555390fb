// Random packages through the real kpt, with `cat` as the control: what kpt itself changes in a file
// it changes for both.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { describeTool } from '../tools.ts';
import { kptPackage } from './kpt-package.ts';

/** How often each kind of text was in a package. */
const covered = new Map<string, number>();
const count = (kind: string, text: string): string => {
  covered.set(kind, (covered.get(kind) ?? 0) + 1);
  return text;
};

const word = fc.constantFrom('alpha', 'beta', 'it is', "it's", 'a: b', 'x # y');
/** A field of a map, two blanks in, in one of the spellings that libraries lose. */
const field = fc.oneof(
  word.map((text) => count('line comment', `"${text}" # ${text}\n`)),
  fc.constant('0644\n').map((text) => count('octal', text)),
  fc.bigInt({ min: 10n ** 19n, max: 10n ** 20n - 1n }).map((number) => count('20 digits', `${number}\n`)),
  fc.constantFrom('yes', 'no', 'on').map((text) => count('YAML 1.1 word', `"${text}"\n`)),
  word.map((text) => count('block scalar', `|\n    ${text}  \n\n    - ${text}\n`)),
  word.map((text) => count('folded scalar', `>-\n    ${text}\n    ${text}\n`)),
  fc.constant('{a: 1, "b": [x, y], c: {}}\n').map((text) => count('flow map', text)),
  fc.constant('&anchor {a: "1"}\n  again: *anchor\n').map((text) => count('anchor', text)),
  fc.constant('\n    <<: {merged: "on"}\n').map((text) => count('merge key', text)),
  fc.constant('1e3\n'),
  fc.constant("'single'\n"),
);
const comment = fc.option(word, { nil: undefined });
const document = fc
  .record({ head: comment, foot: comment, fields: fc.array(field, { minLength: 1, maxLength: 4 }) })
  .map(({ head, foot, fields }) => {
    let anchors = 0;
    const lines = fields
      .filter((text) => !text.startsWith('&') || anchors++ === 0)
      .map((text, index) => `  key${index}: ${text}`);
    return (name: string) =>
      [
        head === undefined ? '' : count('head comment', `# ${head}\n`),
        `apiVersion: example.com/v1\nkind: Thing\nmetadata:\n  name: ${name}\nspec:\n`,
        ...lines,
        foot === undefined ? '' : count('foot comment', `# ${foot}\n`),
      ].join('');
  });
const file = fc.record({ documents: fc.array(document, { minLength: 1, maxLength: 3 }), crlf: fc.boolean() });

const gateway = (name: string) =>
  `# Gateway ${name}\napiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata:\n  name: ${name} # here\n  namespace: prod\nspec:\n  gatewayClassName: gari\n  listeners:\n  - {name: http, port: 80, protocol: HTTP}\n`;

const files = fc
  .record({
    others: fc.array(file, { minLength: 1, maxLength: 3 }),
    gateways: fc.subarray(['web', 'shop'], { minLength: 1 }),
  })
  .map(({ others, gateways }) => {
    const texts: Record<string, string> = { Kptfile: KPTFILE };
    for (const name of gateways) texts[`gateways/${name}.yaml`] = gateway(name);
    for (const [index, { documents, crlf }] of others.entries()) {
      const text = documents.map((each, place) => each(`thing-${index}-${place}`)).join('---\n');
      texts[`others/${index}.yaml`] = crlf ? count('Windows line ends', text.replaceAll('\n', '\r\n')) : text;
    }
    return { texts, gateways };
  });
const KPTFILE =
  'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: package\npipeline:\n  mutators:\n  - exec: gari-fn\n';
const RENDER = 'kpt fn render package --allow-exec';
const RENDERED = /-gari\.yaml$|clusterrolebinding_/;

describeTool('kpt', () => {
  it('every byte of what gari did not render comes out as through cat, run after run', () => {
    fc.assert(
      fc.property(files, ({ texts, gateways }) => {
        const control = kptPackage(texts);
        control.executable('gari-fn', '#!/bin/sh\nexec cat\n');
        const { status, stderr } = control.run(RENDER);
        expect(status, stderr).toBe(0);

        const one = kptPackage(texts);
        const first = one.run(RENDER);
        expect(first.status, first.stderr).toBe(0);
        for (const name of Object.keys(texts)) expect(one.read(name)).toBe(control.read(name));

        const rendered = one.hashes();
        expect(Object.keys(rendered).filter((name) => RENDERED.test(name))).toHaveLength(gateways.length + 1);
        control.run(RENDER);
        one.run(RENDER);
        // kpt may change a comment once more by itself; then it does so for cat as well.
        for (const name of Object.keys(texts)) expect(one.read(name)).toBe(control.read(name));
        for (const [name, hash] of Object.entries(one.hashes()))
          if (RENDERED.test(name)) expect(hash).toBe(rendered[name]);

        const again = one.hashes();
        const name = `gateways/${gateways[0]}.yaml`;
        const text = one.read(name);
        for (const each of [one, control]) {
          each.remove(name);
          each.run(RENDER);
        }
        expect(Object.keys(one.hashes())).not.toContain(`gateways/prod_${gateways[0]}-gari.yaml`);
        for (const each of [one, control]) {
          each.write(name, text);
          each.run(RENDER);
        }
        for (const other of Object.keys(texts)) expect(one.read(other)).toBe(control.read(other));
        for (const [path, hash] of Object.entries(again)) {
          if (RENDERED.test(path)) expect(one.hashes()[path]).toBe(hash);
        }
      }),
      { numRuns: Number(process.env.GARI_TEST_RUNS ?? 8) },
    );
  }, 180_000);

  afterAll(() => {
    const kinds = [
      'line comment',
      'octal',
      '20 digits',
      'YAML 1.1 word',
      'block scalar',
      'folded scalar',
      'flow map',
    ];
    kinds.push('anchor', 'merge key', 'head comment', 'foot comment', 'Windows line ends');
    for (const kind of kinds) expect(covered.get(kind) ?? 0, kind).toBeGreaterThan(0);
  });
});

describeTool('kubectl', () => {
  it('reads what the function writes of nasty strings as it was written', async () => {
    const { NASTY_STRINGS } = await import('../nasty-strings.ts');
    const annotations = Object.fromEntries(
      NASTY_STRINGS.map((text, index) => [`example.com/v${index}`, text]),
    );
    const one = kptPackage({});
    // Eight at a time: a Gateway may have no more.
    for (let start = 0; start < NASTY_STRINGS.length; start += 8) {
      const some = Object.fromEntries(Object.entries(annotations).slice(start, start + 8));
      const item = {
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'Gateway',
        metadata: { name: 'web', namespace: 'prod' },
        spec: {
          gatewayClassName: 'gari',
          infrastructure: { annotations: some },
          listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
        },
      };
      const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${JSON.stringify(item)}\n`;
      one.write('list.yaml', list);
      const { stdout, stderr, status } = one.run('gari-fn < package/list.yaml');
      expect(status, stderr).toBe(0);
      const service = stdout.split(/^(?=- )/m).find((text) => text.includes('kind: Service\n'));
      const document = service?.replace(/^- /, '  ').replace(/^ {2}/gm, '');
      const read = spawnSync(
        'kubectl',
        ['annotate', '--local', '-f', '-', '-o', 'json', 'example.com/read=yes'],
        {
          input: document ?? '',
          encoding: 'utf8',
        },
      );
      expect(read.stderr).toBe('');
      expect(JSON.parse(read.stdout).metadata.annotations).toMatchObject(some);
    }
  });
});
