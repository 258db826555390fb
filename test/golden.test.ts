import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Diagnostic, formatDiagnostic } from '../render/diagnostic.ts';
import { flagsOf, gariRender } from './fixtures.ts';

const update = process.env.GARI_UPDATE_GOLDEN === '1' && process.env.CI === undefined;
const fixtures = readdirSync('fixtures').sort();
const goldens = readdirSync('golden').sort();

/** What a golden holds: the diagnostics as comments, then what is printed. */
async function renderFixture(name: string): Promise<string> {
  const path = `fixtures/${name}`;
  const { exitCode, stdout, stderr } = await gariRender(path, '--diagnostics', 'json', ...flagsOf(path));
  const diagnostics = stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Diagnostic);
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  expect(exitCode).toBe(failed ? 1 : 0);
  const comments = diagnostics.map((each) => `# ${each.severity}: ${formatDiagnostic(each)}\n`);
  return `${comments.join('')}${stdout}`;
}

describe('each fixture renders to its golden', () => {
  it.each(fixtures)('%s', async (name) => {
    const rendered = await renderFixture(name);
    if (update) writeFileSync(`golden/${name}`, rendered);
    expect(rendered).toBe(readFileSync(`golden/${name}`, 'utf8'));
  });

  it('no golden is left without its fixture', () => {
    expect(goldens.filter((name) => !fixtures.includes(name))).toEqual([]);
  });
});
