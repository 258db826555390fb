import standaloneCode from 'ajv/dist/standalone/index.js';
import { isTransitionRule } from './cel-rules.ts';
import { ajvFor, checkNames } from './compile.ts';
import { ruleCode } from './rule-code.ts';
import type { KindSchemas } from './schema-file.ts';
import { rulesOf } from './structural-schema.ts';

/** The source of an ES module with the compiled schemas of all kinds, to be bundled in place of `pinned-checks.ts`. */
export function compileToCode(kinds: readonly KindSchemas[]): string {
  const sources = kinds
    .flatMap((kind) => kind.schemas.flatMap(({ schema }) => rulesOf(schema)))
    .filter((rule) => !isTransitionRule(rule))
    .map(({ rule }) => rule);
  const rules = [...new Set(sources)].flatMap((source) => {
    const code = ruleCode(source);
    return code === undefined ? [] : [`${JSON.stringify(source)}: ${code}`];
  });
  return [
    checksToCode(kinds),
    "import { ruleRuntime as r } from './rule-runtime.ts';",
    `export const rules = { ${rules.join(', ')} };`,
  ].join('\n');
}

/** The source of an ES module with the compiled schemas of kinds whose rules are written in TypeScript as well. */
export function checksToCode(kinds: readonly KindSchemas[]): string {
  const names = checkNames(kinds);
  const checks = names.map((name) => `${name}: (value) => ${name}(value) ? [] : ${name}.errors`);
  return [
    standaloneCode.default(ajvFor(kinds), Object.fromEntries(names.map((name) => [name, name]))),
    `export const checks = { ${checks.join(', ')} };`,
  ].join('\n');
}
