import { isJsonObject, type JsonObject, type Path } from '../json.ts';
import { brokenRules } from './broken-rules.ts';
import { rulesFor } from './cel-rules.ts';
import { explainSchemaErrors } from './explain.ts';
import { checkListKeys } from './list-keys.ts';
import { checkMetadata } from './metadata-rules.ts';
import { PINNED_SCHEMAS } from './pinned-schemas.ts';
import { namePlaceholders, warnOfPlaceholders } from './placeholder-problems.ts';
import { prepare } from './prepare.ts';
import { type Problem, type ProblemReason, problem, quote } from './problem.ts';
import type { KindSchemas, VersionedSchema } from './schema-file.ts';
import { checkName, completeSchema, type Schemas } from './schemas.ts';
import { explainUnknownFields } from './unknown-fields.ts';

/** What the API server would say about an object. */
export interface Validation {
  /** Why it would refuse the object; it would accept one without problems. */
  readonly problems: readonly Problem[];
  /** Fields it would ignore, and what else a person should look at. */
  readonly warnings: readonly Problem[];
  /** The object as the server would store it: defaults filled in, unknown fields and `status` left out. */
  readonly object?: JsonObject;
}

// With one of these in a value, the rules about it would only repeat that it is wrong
// (apiextensions-apiserver pkg/registry/customresource/strategy.go, hasBlockingErr).
const BLOCKS_RULES: ReadonlySet<ProblemReason> = new Set([
  'NotSupported',
  'Placeholder',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
]);

/**
 * Judges an object, as it is parsed from a file, as the API server would when it is created: with
 * its schema, the rules for metadata, unique list keys and CEL rules; all problems at once.
 *
 * @param schemas The kinds to judge; by default those of the Gateway API version gari is built with.
 *
 * @example
 * ```ts
 * const { problems, warnings, object } = await validate(parse(text));
 * for (const { field, message } of problems) report(`${field} ${message}`);
 * ```
 */
export async function validate(object: unknown, schemas: Schemas = PINNED_SCHEMAS): Promise<Validation> {
  if (!isJsonObject(object))
    return refused(problem([], 'TypeInvalid', `must be an object, not ${quote(object)}`));
  const found = findSchema(object, schemas.kinds);
  if ('reason' in found) return refused(found);
  const { kind, version } = found;
  const schema = completeSchema(version);
  const { value: prepared, unknown } = prepare(object, schema);
  const { status: _, ...withoutStatus } = prepared;
  const value = version.statusSubresource ? withoutStatus : prepared;

  const { checks, rules: compiledRules } = await schemas.compiled();
  const check = checks[checkName(kind, version)];
  if (check === undefined) throw new Error(`the schema of ${kind.kind} was not compiled`);
  const wrong = namePlaceholders(
    [
      ...explainSchemaErrors(check(value), value, schema),
      ...checkMetadata(value.metadata, kind.namespaced),
      ...checkListKeys(value, schema),
    ],
    object,
  );
  const uses = rulesFor(value, schema).filter(({ path }) => !isBlocked(path, wrong));
  const broken = await brokenRules(uses, compiledRules);
  const problems = [
    ...wrong,
    ...namePlaceholders(
      broken.filter(({ reason }) => reason !== 'NotJudged'),
      object,
    ),
  ];
  const warnings = [
    ...explainUnknownFields(unknown, schema, kind.kind, problems),
    ...broken.filter(({ reason }) => reason === 'NotJudged'),
    ...warnOfPlaceholders(value, schema, problems),
  ];
  return { problems, warnings, object: value };
}

/** Whether {@link validate} knows the kind of an object; others are none of its business. */
export function canValidate(object: unknown, schemas: Schemas = PINNED_SCHEMAS): boolean {
  if (!isJsonObject(object)) return false;
  const [group] = String(object.apiVersion).split('/');
  return schemas.kinds.some((kind) => kind.kind === object.kind && kind.group === group);
}

function refused(reason: Problem): Validation {
  return { problems: [reason], warnings: [] };
}

function findSchema(
  object: JsonObject,
  kinds: readonly KindSchemas[],
): { kind: KindSchemas; version: VersionedSchema } | Problem {
  const { apiVersion, kind: name } = object;
  for (const field of ['apiVersion', 'kind']) {
    const value = object[field];
    if (value === undefined || value === null || value === '')
      return problem([field], 'Required', 'must be set');
    if (typeof value !== 'string')
      return problem([field], 'TypeInvalid', `must be a string, not ${quote(value)}`);
  }
  const [group, versionName] = String(apiVersion).split('/');
  const ofGroup = kinds.filter((kind) => kind.group === group);
  if (ofGroup.length === 0) {
    const groups = [...new Set(kinds.map((kind) => kind.group))].join(' or ');
    return problem(
      ['apiVersion'],
      'NotSupported',
      `must be of the group ${groups}, not ${quote(apiVersion)}`,
    );
  }
  const kind = ofGroup.find((candidate) => candidate.kind === name);
  if (kind === undefined) {
    const names = ofGroup.map((candidate) => candidate.kind).join(', ');
    return problem(['kind'], 'NotSupported', `must be one of ${names}, not ${quote(name)}`);
  }
  const version = kind.schemas.find(({ versions }) => versions.includes(versionName ?? ''));
  if (version !== undefined) return { kind, version };
  const served = kind.schemas.flatMap(({ versions }) => versions).map((one) => `${kind.group}/${one}`);
  return problem(['apiVersion'], 'NotSupported', `must be ${served.join(' or ')}, not ${quote(apiVersion)}`);
}

function isBlocked(path: Path, problems: readonly Problem[]): boolean {
  return problems.some(
    (one) => BLOCKS_RULES.has(one.reason) && path.every((step, index) => one.path[index] === step),
  );
}
