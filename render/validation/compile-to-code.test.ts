import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compiledValidators } from '../../scripts/compile-validators.mjs';
import { validationCases } from './cases/cases.ts';
import { randomObjects } from './cases/random-cases.ts';
import { isTransitionRule } from './cel-rules.ts';
import { compileToCode } from './compile-to-code.ts';
import { PINNED } from './pinned-schemas.ts';
import { ruleCode } from './rule-code.ts';
import { rulesOf } from './structural-schema.ts';
import { validate } from './validate.ts';

let directory: string;
let bundled: typeof validate;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'gari-validators-'));
  const outfile = join(directory, 'validate.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('validate.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    plugins: [compiledValidators()],
    logLevel: 'warning',
  });
  bundled = (await import(pathToFileURL(outfile).href)).validate;
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('the code in a bundle judges as the sources do', async () => {
  const cases = validationCases(PINNED.kinds);
  for (const object of [...cases.map((one) => one.object), ...randomObjects(cases, 1000, 2)]) {
    const expected = await validate(object);
    const actual = await bundled(object);
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      expect({ object, ...actual }).toEqual({ object, ...expected });
  }
});

test('the code for a bundle needs neither ajv nor the CEL library', () => {
  const required = compileToCode(PINNED.kinds).matchAll(/(?:require\(|from )["']([^"']+)/g);
  const modules = new Set([...required].map(([, module]) => module));
  expect(modules).toEqual(new Set(['ajv/dist/runtime/ucs2length', './formats.ts', './rule-runtime.ts']));
});

test('every rule of the Gateway API can be translated', () => {
  const rules = PINNED.kinds.flatMap(({ schemas }) => schemas.flatMap(({ schema }) => rulesOf(schema)));
  const untranslated = rules.filter((rule) => !isTransitionRule(rule) && ruleCode(rule.rule) === undefined);
  expect(untranslated).toEqual([]);
});

test('what the translation does not know is left to the library', () => {
  for (const rule of [
    'self + 1 == 2',
    'self.exists(a, a)',
    "self.startsWith('a')",
    'self[self]',
    'other',
    "self.split('')",
  ]) {
    expect(ruleCode(rule), rule).toBeUndefined();
  }
});
