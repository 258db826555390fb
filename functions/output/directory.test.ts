import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryProblem, type OutputFile, ownText, planOutput, writeOutput } from './directory.ts';

let root = '';
let out = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gari-directory-'));
  out = join(root, 'out');
});
afterEach(() => rmSync(root, { recursive: true }));

const WEB: OutputFile = { name: 'prod_web-gari.yaml', source: 'prod/web', body: 'kind: Service\n' };
const BINDING: OutputFile = {
  name: 'clusterrolebinding_gari-dataplane.yaml',
  source: 'all Gateways',
  body: 'a: b\n',
};
const HEADER = '# Rendered by gari from prod/web.\n';

function put(name: string, text: string): string {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, name), text);
  return join(out, name);
}
const read = (name: string) => readFileSync(join(out, name), 'utf8');
/** Plans and, if nothing is in the way, writes; the messages call the test's directory ROOT. */
function write(files: readonly OutputFile[], whole = true) {
  const plan = planOutput(out, files, whole);
  const failures = plan.diagnostics.length > 0 ? plan.diagnostics : writeOutput(out, plan);
  return {
    wrote: plan.write.map(({ name }) => name),
    removed: plan.remove,
    unchanged: plan.unchanged,
    problems: failures.map(({ severity, message }) => `${severity}: ${message.replaceAll(root, 'ROOT')}`),
  };
}
const NONE = { wrote: [], removed: [], unchanged: 0, problems: [] };

describe('files', () => {
  it('are written with a first line that says where they come from, into a directory that is made', () => {
    out = join(root, 'a', 'b');
    expect(write([WEB, BINDING])).toEqual({ ...NONE, wrote: [WEB.name, BINDING.name] });
    expect(read(WEB.name)).toBe('# Rendered by gari from prod/web.\nkind: Service\n');
    expect(read(BINDING.name)).toBe('# Rendered by gari from all Gateways.\na: b\n');
    expect(readdirSync(out)).toHaveLength(2);
  });

  it('are written again only where they changed', () => {
    write([WEB, BINDING]);
    for (const { name } of [WEB, BINDING]) utimesSync(join(out, name), 1_000, 1_000);
    const changed = { ...WEB, body: 'kind: Deployment\n' };
    expect(write([changed, BINDING])).toEqual({ ...NONE, wrote: [WEB.name], unchanged: 1 });
    expect(read(WEB.name)).toBe(`${HEADER}kind: Deployment\n`);
    expect(statSync(join(out, WEB.name)).mtimeMs).not.toBe(1_000_000);
    expect(statSync(join(out, BINDING.name)).mtimeMs).toBe(1_000_000);
  });

  it('replace their own with Windows line ends', () => {
    put(WEB.name, '# Rendered by gari from prod/web.\r\nkind: Service\r\n');
    expect(write([WEB])).toEqual({ ...NONE, wrote: [WEB.name] });
    expect(read(WEB.name)).toBe(`${HEADER}kind: Service\n`);
  });
});

describe('removed is', () => {
  it.each<[string, string, string, boolean]>([
    ['a file of a Gateway that is gone', 'prod_old-gari.yaml', HEADER, true],
    [
      'the binding that nobody needs',
      'clusterrolebinding_other.yaml',
      '# Rendered by gari from all Gateways.\n',
      true,
    ],
    ['nothing without the first line', 'prod_old-gari.yaml', `a: b\n${HEADER}`, false],
    [
      'nothing whose first line only starts like it',
      'prod_old-gari.yaml',
      '# Rendered by garibaldi from x.\n',
      false,
    ],
    ['nothing with another kind of name', 'notes.yaml', HEADER, false],
    ['nothing with a suffix', 'prod_old-gari.yaml.bak', HEADER, false],
    ['no hidden file', '.prod_old-gari.yaml', HEADER, false],
  ])('%s (%s)', (_, name, text, removed) => {
    put(name, text);
    expect(write([WEB])).toEqual({ ...NONE, wrote: [WEB.name], removed: removed ? [name] : [] });
    expect(existsSync(join(out, name))).toBe(!removed);
  });

  it('nothing where the view is not whole', () => {
    put('prod_old-gari.yaml', HEADER);
    expect(write([WEB], false)).toEqual({ ...NONE, wrote: [WEB.name] });
    expect(existsSync(join(out, 'prod_old-gari.yaml'))).toBe(true);
  });

  it('no symbolic link, and no directory, whatever they are called', () => {
    const elsewhere = join(root, 'elsewhere.yaml');
    writeFileSync(elsewhere, HEADER);
    mkdirSync(join(out, 'prod_a-gari.yaml'), { recursive: true });
    symlinkSync(elsewhere, join(out, 'prod_b-gari.yaml'));
    expect(write([])).toEqual(NONE);
    expect(readFileSync(elsewhere, 'utf8')).toBe(HEADER);
    expect(lstatSync(join(out, 'prod_b-gari.yaml')).isSymbolicLink()).toBe(true);
  });
});

describe('what is in the way is an error, and stays', () => {
  it("somebody else's file", () => {
    put(WEB.name, 'mine\n');
    expect(write([WEB]).problems).toEqual([
      "error: ROOT/out/prod_web-gari.yaml: the file is not gari's (its first line says nothing of it); move it or choose another --output-dir",
    ]);
    expect(read(WEB.name)).toBe('mine\n');
  });

  it('an empty file', () => {
    put(WEB.name, '');
    expect(write([WEB]).problems).toHaveLength(1);
  });

  it('a directory', () => {
    mkdirSync(join(out, WEB.name), { recursive: true });
    expect(write([WEB]).problems).toEqual([
      'error: ROOT/out/prod_web-gari.yaml: something that is no file is in the way; move it',
    ]);
  });

  it('a symbolic link, also one that leads nowhere or to a file of gari', () => {
    mkdirSync(out);
    symlinkSync('nowhere', join(out, WEB.name));
    symlinkSync(join(root, 'own.yaml'), join(out, BINDING.name));
    writeFileSync(join(root, 'own.yaml'), HEADER);
    expect(write([WEB, BINDING]).problems).toEqual(
      [WEB, BINDING].map(
        ({ name }) =>
          `error: ROOT/out/${name}: a symbolic link is in the way; gari writes only inside the output directory`,
      ),
    );
    expect(readFileSync(join(root, 'own.yaml'), 'utf8')).toBe(HEADER);
  });

  it('but a link in the place of the temporary file is not followed', () => {
    const elsewhere = join(root, 'elsewhere.txt');
    writeFileSync(elsewhere, 'mine');
    mkdirSync(out);
    symlinkSync(elsewhere, join(out, `${WEB.name}.gari-tmp`));
    expect(write([WEB]).problems).toEqual([]);
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
    expect(lstatSync(join(out, WEB.name)).isFile()).toBe(true);
    expect(readdirSync(out)).toEqual([WEB.name]);
  });
});

describe('directoryProblem', () => {
  it('is none for a directory, a link to one, and what can become one', () => {
    mkdirSync(out);
    symlinkSync(out, join(root, 'link'));
    for (const path of [out, join(root, 'link'), join(out, 'a', 'b')])
      expect(directoryProblem(path)).toBeUndefined();
  });

  it('names the file that is in the way', () => {
    writeFileSync(out, '');
    for (const path of [out, join(out, 'a'), join(out, 'a', 'b')]) {
      expect(directoryProblem(path)).toMatchObject({
        severity: 'error',
        message: `${path}: it cannot be the directory: ${out} is a file; choose another --output-dir`,
      });
    }
  });
});

it('a directory that cannot be written to is an error in one line', () => {
  const [problem] = writeOutput('/proc/gari', { write: [WEB], remove: [], unchanged: 0, diagnostics: [] });
  expect(problem).toMatchObject({ severity: 'error', reason: 'NotWritten' });
  expect(problem?.message).toMatch(/^\/proc\/gari: it cannot be written to: .+; mend that and run again$/);
});

describe('ownText', () => {
  it('is the text of a file that gari wrote, and of no other', () => {
    put(WEB.name, `${HEADER}a: b\n`);
    put('mine.yaml', 'a: b\n');
    symlinkSync(join(out, WEB.name), join(out, 'link.yaml'));
    expect(ownText(out, WEB.name)).toBe(`${HEADER}a: b\n`);
    for (const name of ['mine.yaml', 'link.yaml', 'none.yaml']) expect(ownText(out, name)).toBeUndefined();
  });
});
