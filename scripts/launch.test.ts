import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const gateway = readFileSync('examples/kustomize/gateway.yaml', 'utf8').trimEnd().replaceAll('\n', '\n  ');
const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${gateway}\n`;
const compiled = (directory: string) =>
  readdirSync(directory).filter((name) => name.startsWith('gari-fn-main.cjs.v'));

/** The function, built, in a directory of its own. */
function installed() {
  const directory = mkdtempSync(join(tmpdir(), 'gari-launch-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const name of ['gari-fn.cjs', ...compiled('dist')]) cpSync(join('dist', name), join(directory, name));
  const run = (...flags: string[]) =>
    spawnSync('node', [...flags, join(directory, 'gari-fn.cjs')], { input: list, encoding: 'utf8' });
  return { directory, run };
}

/** What the function does as one file. */
function alone() {
  const { directory, run } = installed();
  for (const name of compiled(directory)) rmSync(join(directory, name));
  expect(readdirSync(directory)).toEqual(['gari-fn.cjs']);
  return run();
}

/** Tells at the end whether V8 took what was compiled before. */
const TRACE = `const vm = require('node:vm');
vm.Script = class extends vm.Script {
  constructor(...args) {
    super(...args);
    process._rawDebug('rejected: ' + this.cachedDataRejected);
  }
};
`;

describe('what V8 compiled of gari-fn at the build', () => {
  it('is not needed: the file runs alone', () => {
    const { status, stdout, stderr } = alone();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('name: web-gari');
  });

  it('is taken', () => {
    const { directory, run } = installed();
    expect(compiled(directory)).toHaveLength(1);
    const trace = join(directory, 'trace.cjs');
    writeFileSync(trace, TRACE);
    const { stdout, stderr } = run('--require', trace);
    expect(stdout).toBe(alone().stdout);
    expect(stderr).toBe('rejected: false\n');
  });

  it.each<[string, (directory: string) => void, string[]]>([
    ['is empty', (directory) => compiled(directory).map((name) => truncateSync(join(directory, name))), []],
    [
      'is cut off',
      (directory) => compiled(directory).map((name) => truncateSync(join(directory, name), 9999)),
      [],
    ],
    [
      'is nonsense',
      (directory) => compiled(directory).map((name) => writeFileSync(join(directory, name), list)),
      [],
    ],
    ['is for other flags of V8', () => undefined, ['--no-lazy']],
  ])('may be passed over where it %s', (_, spoil, flags) => {
    const { directory, run } = installed();
    spoil(directory);
    const { status, stdout, stderr } = run(...flags);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(alone().stdout);
  });
});

it('what V8 compiled of all that gari render needs is kept', () => {
  const kept = readdirSync('dist').filter((name) => name.includes('.cjs.v'));
  expect(kept.map((name) => name.split('.')[0]).sort()).toEqual([
    'gari-fn-main',
    'gari-main',
    'judge',
    'pinned-checks',
  ]);
});
