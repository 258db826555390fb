// Only imported where a rule has to run: the library costs time at start.
import { Environment, EvaluationError } from '@marcbachmann/cel-js';
import { isJsonObject, type Path } from '../json.ts';
import type { RuleUse } from './cel-rules.ts';
import { toCel } from './cel-values.ts';
import { type Problem, type ProblemReason, problem } from './problem.ts';

type Program = (variables: Readonly<Record<string, unknown>>) => unknown;

const environment = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
const programs = new Map<string, Program>();
const REASONS: Readonly<Record<string, ProblemReason>> = {
  FieldValueDuplicate: 'Duplicate',
  FieldValueForbidden: 'Forbidden',
  FieldValueRequired: 'Required',
};

/** Evaluates rules; a rule that the library cannot run is reported as not judged. */
export function evaluateRules(uses: readonly RuleUse[]): Problem[] {
  return uses.flatMap((use) => {
    const { rule, path } = use;
    const words = (rule.message ?? `failed rule: ${rule.rule}`).trim();
    try {
      const variables = variablesFor(use);
      if (isTrue(rule.rule, variables)) return [];
      const message = messageFromExpression(rule.messageExpression, variables) ?? words;
      const reason = REASONS[rule.reason ?? ''] ?? 'Invalid';
      return [
        problem(reportPath(path, rule.fieldPath), reason, `breaks the rule "${message}"${culprits(use)}`),
      ];
    } catch (error) {
      return [
        problem(
          path,
          'NotJudged',
          `has a rule that cannot be checked offline: ${words} (${firstLine(error)})`,
        ),
      ];
    }
  });
}

/** A rule that ends in an error, such as a key that is not there, is broken. */
function isTrue(rule: string, variables: Readonly<Record<string, unknown>>): boolean {
  try {
    return program(rule)(variables) === true;
  } catch (error) {
    if (error instanceof EvaluationError && DATA_ERRORS.has(error.code)) return false;
    throw error;
  }
}

// What depends on the object; other errors are about the rule or the library.
const DATA_ERRORS = new Set(['no_such_key', 'index_out_of_bounds', 'division_by_zero', 'modulo_by_zero']);

function variablesFor({ rule, value, schema }: RuleUse): Record<string, unknown> {
  const self = toCel(value, schema);
  return rule.optionalOldSelf ? { self, oldSelf: program('optional.none()')({}) } : { self };
}

function program(source: string): Program {
  let compiled = programs.get(source);
  if (compiled === undefined) {
    compiled = environment.parse(source) as Program;
    programs.set(source, compiled);
  }
  return compiled;
}

function messageFromExpression(
  expression: string | undefined,
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  if (expression === undefined) return undefined;
  try {
    const text = program(expression)(variables);
    return typeof text === 'string' && /\S/.test(text) ? text.trim() : undefined;
  } catch {
    // The server falls back on the message too.
    return undefined;
  }
}

/** Of a rule about all items of a list, or all keys of a map, those that break it. */
function culprits({ rule, value, schema, path }: RuleUse): string {
  const [, variable, body] = /^\s*self\.all\(\s*(\w+)\s*,([\s\S]*)\)\s*$/.exec(rule.rule) ?? [];
  if (variable === undefined || body === undefined || typeof value !== 'object' || value === null) return '';
  const self = toCel(value, schema);
  const steps: readonly (string | number)[] = isJsonObject(value) ? Object.keys(value) : [...value.keys()];
  const elements = self instanceof Map ? [...self.keys()] : Array.isArray(self) ? self : [];
  try {
    const broken = steps.filter((_, index) => !isTrue(body, { self, [variable]: elements[index] }));
    if (broken.length === 0 || broken.length > 4) return '';
    return ` (${broken.map((step) => lastStep(path, step)).join(', ')})`;
  } catch {
    // The parentheses were not those of the whole rule.
    return '';
  }
}

function lastStep(path: Path, step: string | number): string {
  return typeof step === 'number' ? `${String(path.at(-1) ?? '')}[${step}]` : JSON.stringify(step);
}

// fieldPath is a JSON path of names, such as `.spec.name` or `['name']`.
function reportPath(path: Path, fieldPath: string | undefined): Path {
  const steps = fieldPath?.match(/[^.[\]']+/g) ?? [];
  return [...path, ...steps];
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
