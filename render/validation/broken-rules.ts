import type { RuleUse } from './cel-rules.ts';
import type { Problem } from './problem.ts';
import type { CompiledRule } from './rule-runtime.ts';

/**
 * The rules that an object breaks. Compiled rules that hold are through; what else there is to say needs the
 * CEL library, which is loaded only then.
 */
export async function brokenRules(
  uses: readonly RuleUse[],
  compiled: Readonly<Record<string, CompiledRule>>,
): Promise<Problem[]> {
  const open = uses.filter((use) => !holds(use, compiled[use.rule.rule]));
  return open.length === 0 ? [] : (await import('./cel.ts')).evaluateRules(open);
}

function holds({ value }: RuleUse, compiled: CompiledRule | undefined): boolean {
  try {
    return compiled?.(value) === true;
  } catch {
    return false;
  }
}
