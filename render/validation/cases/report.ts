import { isTransitionRule } from '../cel-rules.ts';
import type { SchemaFile } from '../schema-file.ts';
import { rulesOf } from '../structural-schema.ts';
import type { Validation } from '../validate.ts';
import type { ValidationCase } from './case.ts';

/** A case and what gari says about it. */
export interface JudgedCase {
  readonly case: ValidationCase;
  readonly validation: Validation;
}

/** An example of the Gateway API and what gari says about it. */
export interface JudgedExample {
  readonly file: string;
  readonly name: string;
  readonly validation: Validation;
}

const INTRODUCTION = (version: string, requests: number, random: number) => `# Validation

gari judges Gateways, GatewayClasses, ListenerSets and ReferenceGrants of the Gateway API ${version} before it
renders them, as the API server would, without a cluster. A test sends the objects below to a real API server
(\`dryRun=All\`, \`fieldValidation=Warn\`), in each version of their kind that is served, and fails unless
gari gives the same verdict, blames the same fields and warns of the same unknown fields: ${requests} requests, and
${random} objects with random changes. Each object differs from one with every field by what is in the table. The
test writes this page.
`;

const NOT_JUDGED = `
* whether a name is free, a namespace exists, and what admission webhooks, policies and quotas say;
* \`metadata.generateName\` in place of a name: gari wants a name, as files describe objects that last;
* \`metadata.resourceVersion\` and \`metadata.managedFields\`, which exported objects have;
* \`status\`: the server drops it from whatever is created or applied;
* keys that occur twice, which is the YAML reader's business.
`;

/** The reference page about validation, in Markdown. */
export function validationReport(
  schemas: SchemaFile,
  cases: readonly JudgedCase[],
  examples: readonly JudgedExample[],
  requests: number,
  random: number,
): string {
  const transitions = schemas.kinds.flatMap(({ kind, schemas: versions }) =>
    versions
      .flatMap(({ schema }) => rulesOf(schema))
      .filter(isTransitionRule)
      .map((rule) => `* ${kind}: ${plain(rule.message ?? rule.rule)} (${code(rule.rule)}).`),
  );
  const kinds = schemas.kinds.map(({ kind, schemas: versions }) => {
    const served = versions.flatMap((one) => one.versions).join(', ');
    return `\n## ${kind} (${served})\n\n${constraintTable(cases.filter((one) => one.case.kind === kind))}`;
  });
  return [
    INTRODUCTION(schemas.version, requests, random),
    '## What is not judged\n',
    'Rules about a change, as a file does not say what was before:\n',
    [...new Set(transitions)].join('\n'),
    '\nAnd what depends on the cluster or on the request:',
    NOT_JUDGED.trimEnd(),
    ...kinds,
    `\n## The Gateway API's own examples\n\n${exampleTable(examples)}`,
    '',
  ].join('\n');
}

function constraintTable(cases: readonly JudgedCase[]): string {
  const constraints = [...new Set(cases.map((one) => one.case.constraint))];
  const rows = constraints.map((constraint) => {
    const judged = cases.filter((one) => one.case.constraint === constraint);
    const of = (expected: string) =>
      judged.filter((one) => one.case.expected === expected).map((one) => example(one.case.what));
    const said = judged.flatMap(({ validation }) => [...validation.problems, ...validation.warnings])[0];
    return [
      constraint.startsWith('rule ') ? plain(constraint) : code(constraint),
      of('accepted').join(', '),
      of('refused').join(', '),
      said === undefined ? '' : `${code(said.field)} ${plain(said.message)}`,
    ];
  });
  return table(['Constraint', 'Accepted', 'Refused', 'gari says, for example'], rows);
}

function exampleTable(examples: readonly JudgedExample[]): string {
  const rows = examples.map(({ file, name, validation: { problems } }) => [
    code(file),
    plain(name),
    problems.length === 0 ? 'accepted' : 'refused',
    problems.map(({ field, message }) => `${code(field)} ${plain(message)}`).join('; '),
  ]);
  return table(['File', 'Object', 'Verdict', 'gari says'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

// Values are code, words are not.
function example(what: string): string {
  return /^["[{\d-]|^(true|false|null)$/.test(what) ? code(what) : plain(what);
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

function plain(text: string): string {
  return text.replaceAll(/[|*_<`\\[\]]/g, (character) => `\\${character}`);
}
