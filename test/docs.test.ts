import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseYaml } from '../functions/yaml.ts';
import { findKustomize } from './cluster/assets.ts';
import { documentedCommands, matchesOutput, NEEDS_CLUSTER } from './docs-commands.ts';

const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const pages = ['README.md', 'CONTRIBUTING.md', ...docs.sort().map((name) => `docs/${name}`)];

// .ci/run itself runs these.
const RUN_BY_CI = new Set(['npm ci', 'npm test']);

describe.each(pages)('%s', (page) => {
  const commands = documentedCommands(page).filter(
    ({ command }) => !RUN_BY_CI.has(command) && !NEEDS_CLUSTER.test(command),
  );
  let clone = '';

  // A repository with Gateways in it, and `npx gari` as in the clone (that npx finds it there is for .ci/run to see).
  beforeAll(async () => {
    clone = mkdtempSync(join(tmpdir(), 'gari-docs-'));
    cpSync('fixtures', join(clone, 'fixtures'), { recursive: true });
    cpSync('dist', join(clone, 'dist'), { recursive: true });
    mkdirSync(join(clone, '.bin'));
    const npx = `#!/bin/sh\ntest "$1" = gari && shift && exec ${resolve('dist/gari.cjs')} "$@"\n`;
    writeFileSync(join(clone, '.bin/npx'), npx, { mode: 0o755 });
    symlinkSync(resolve('dist/gari-fn.cjs'), join(clone, '.bin/gari-fn'));
    symlinkSync(await findKustomize(() => undefined), join(clone, '.bin/kustomize'));
    cpSync('examples', join(clone, 'examples'), { recursive: true });
    // The README is for a clone as it is.
    if (page === 'README.md') return;
    cpSync('fixtures/gateway.yaml', join(clone, 'gateways/gateway.yaml'));
    const { status, stdout } = runIn(
      clone,
      'npx gari render gateways --output-dir rendered --quiet && git init -q && git add rendered',
    );
    expect(status, stdout).toBe(0);
  }, 300_000);

  afterAll(() => rmSync(clone, { recursive: true, force: true }));

  it.each(commands)('$command', ({ command, output }) => {
    const { stdout, status } = runIn(clone, command);
    expect(status, stdout).toBe(0);
    if (output !== '') expect(matchesOutput(output, stdout), stdout).toBe(true);
  });

  it('has YAML that is YAML', () => {
    for (const [, text = ''] of readFileSync(page, 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```/gm)) {
      expect(parseYaml(text)).toHaveProperty('kind');
    }
  });

  it('leads nowhere wrong', () => {
    const prose = readFileSync(page, 'utf8').replace(/`[^`\n]*`/g, '');
    const links = [...prose.matchAll(/(?<!\\)\]\(([^)#:]+)(#[^)]*)?\)/g)];
    const missing = links
      .map(([, target = '']) => resolve(page, '..', target))
      .filter((path) => !existsSync(path));
    expect(missing).toEqual([]);
  });
});

function runIn(directory: string, command: string): { status: number | null; stdout: string } {
  const env = { ...process.env, PATH: `${join(directory, '.bin')}:${process.env.PATH}` };
  return spawnSync('bash', ['-c', `exec 2>&1; ${command}`], { cwd: directory, env, encoding: 'utf8' });
}
