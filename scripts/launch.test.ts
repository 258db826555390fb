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
  cpSync('dist', directory, { recursive: true });
  const run = (...flags: string[]) =>
    spawnSync('node', [...flags, join(directory, 'gari-fn.cjs')], { input: list, encoding: 'utf8' });
  return { directory, run };
}

describe('what V8 compiled at the build', () => {
  const { stdout: expected } = spawnSync('node', ['dist/gari-fn-main.cjs'], {
    input: list,
    encoding: 'utf8',
  });

  it('is taken', () => {
    const { directory, run } = installed();
    expect(expected).toContain('name: web-gari');
    expect(compiled(directory)).toHaveLength(1);
    // Not loaded as a module, then.
    const trace = join(directory, 'trace.cjs');
    writeFileSync(trace, "process.on('exit', () => process._rawDebug(Object.keys(require.cache).join()));");
    const { stdout, stderr } = run('--require', trace);
    expect(stdout).toBe(expected);
    expect(stderr).not.toContain('gari-fn-main.cjs');
    expect(stderr).not.toContain('pinned-checks.cjs');
  });

  it.each<[string, (directory: string) => void, string[]]>([
    ['is missing', (directory) => compiled(directory).map((name) => rmSync(join(directory, name))), []],
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
    expect(stdout).toBe(expected);
  });
});
