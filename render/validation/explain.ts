import type { Json, Path } from '../json.ts';
import { numberLimits } from './json-schema.ts';
import { describePattern } from './pattern-words.ts';
import { type Problem, type ProblemReason, problem, quote } from './problem.ts';
import type { SchemaError } from './schemas.ts';
import { type StructuralSchema, schemaAt } from './structural-schema.ts';
import { suggest } from './suggest.ts';

/** Says in words what a schema check found in an object. */
export function explainSchemaErrors(
  errors: readonly SchemaError[],
  value: Json,
  schema: StructuralSchema,
): Problem[] {
  const problems = new Map<string, Problem>();
  const found = errors
    // What fails inside one branch of a choice is not what is wrong; the choice is.
    .filter(({ schemaPath }) => !/\/(anyOf|oneOf|not)\//.test(schemaPath))
    .map((error) => ({ error, ...locate(error.instancePath, value) }));
  const mistyped = new Set(
    found.filter(({ error }) => error.keyword === 'type').map(({ path }) => path.join('/')),
  );
  for (const { error, path, at } of found) {
    if (error.keyword !== 'type' && mistyped.has(path.join('/'))) continue;
    const explained = explain(error, path, at, schemaAt(schema, path) ?? {});
    problems.set(`${explained.field} ${explained.message}`, explained);
  }
  return [...problems.values()];
}

// Maps the keywords as the server does: apiextensions-apiserver pkg/apiserver/validation/validation.go.
function explain({ keyword, params }: SchemaError, path: Path, at: Json, schema: StructuralSchema): Problem {
  const invalid = (must: string, reason: ProblemReason = 'Invalid') => problem(path, reason, must);
  switch (keyword) {
    case 'required':
      return problem([...path, String(params.missingProperty)], 'Required', 'must be set');
    case 'type':
      return invalid(
        `must be ${typeWords(schema)}, not ${typed(at)}${quotesHint(schema, at)}`,
        'TypeInvalid',
      );
    case 'enum':
      return invalid(
        `must be ${oneOf(schema.enum ?? [])}, not ${quote(at)}${meant(schema, at)}`,
        'NotSupported',
      );
    case 'pattern':
      return invalid(`must be ${describePattern(schema.pattern ?? '')}, not ${quote(at)}`);
    case 'format':
      return invalid(`must be ${formatWords(schema.format)}, not ${quote(at)}`);
    case 'minLength':
      return invalid(
        schema.minLength === 1 ? 'must not be empty' : `must have at least ${schema.minLength} characters`,
      );
    case 'maxLength':
      return invalid(
        `must have at most ${count(schema.maxLength, 'character')}, not ${[...String(at)].length}`,
        'TooLong',
      );
    case 'minItems':
      return invalid(`must have at least ${count(schema.minItems, 'item')}`);
    case 'maxItems':
      return invalid(`must have at most ${count(schema.maxItems, 'item')}, not ${size(at)}`, 'TooMany');
    case 'minProperties':
      return invalid(`must have at least ${count(schema.minProperties, 'entry', 'entries')}`);
    case 'maxProperties':
      return invalid(
        `must have at most ${count(schema.maxProperties, 'entry', 'entries')}, not ${size(at)}`,
        'TooMany',
      );
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return invalid(`must be ${rangeWords(schema)}, not ${quote(at)}`);
    case 'oneOf':
    case 'anyOf':
      return invalid(choiceWords(schema, at));
    default:
      return invalid(`does not satisfy the schema's ${keyword}`);
  }
}

/** Turns a JSON pointer into a path, and finds the value there. */
function locate(pointer: string, root: Json): { path: Path; at: Json } {
  let at = root;
  const path = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => {
      if (Array.isArray(at)) {
        at = at[Number(step)] ?? null;
        return Number(step);
      }
      at = (at as Readonly<Record<string, Json>>)[step] ?? null;
      return step;
    });
  return { path, at };
}

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function typeWords(schema: StructuralSchema): string {
  if (schema['x-kubernetes-int-or-string']) return 'a whole number or a string';
  return TYPES[schema.type ?? ''] ?? 'another type';
}

// What kubectl makes of an unquoted word or of 0644 is not what stands in the file.
function quotesHint({ type }: StructuralSchema, value: unknown): string {
  if (type !== 'string') return '';
  if (typeof value === 'boolean') return '; put it in quotes (unquoted yes, no, on and off are booleans)';
  return typeof value === 'number' ? '; put it in quotes (an unquoted 0644 is a number)' : '';
}

function typed(value: Json): string {
  if (typeof value === 'string') return `the string ${quote(value)}`;
  if (typeof value === 'number') return `the number ${quote(value)}`;
  return quote(value);
}

// More than a person reads in one line.
const MOST_CHOICES = 20;

function meant({ enum: values = [] }: StructuralSchema, at: Json): string {
  if (values.length <= MOST_CHOICES || typeof at !== 'string') return '';
  const name = suggest(at, values.map(String));
  return name === undefined ? '' : `; did you mean ${name}?`;
}

function oneOf(values: readonly Json[]): string {
  if (values.length > MOST_CHOICES) return `one of ${values.length} values`;
  const words = values.map((value) => (typeof value === 'string' ? value : quote(value)));
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}

function formatWords(format: string | undefined): string {
  if (format === 'ipv4') return 'an IPv4 address';
  if (format === 'ipv6') return 'an IPv6 address';
  return 'a time such as 2026-01-31T12:00:00Z';
}

function rangeWords(schema: StructuralSchema): string {
  const { minimum, maximum } = numberLimits(schema);
  if (schema.exclusiveMinimum) return `more than ${minimum}`;
  if (schema.exclusiveMaximum) return `less than ${maximum}`;
  if (minimum !== undefined && maximum !== undefined) {
    return `between ${limitWords(minimum)} and ${limitWords(maximum)}`;
  }
  return minimum === undefined ? `at most ${maximum}` : `at least ${minimum}`;
}

// JavaScript's numbers cannot hold the limits of int64.
function limitWords(limit: number): string {
  if (limit >= 2 ** 63) return '2^63-1';
  return limit <= -(2 ** 63) ? '-2^63' : String(limit);
}

// The one choice in the Gateway API's schemas: the type of an address says what its value may be.
function choiceWords(schema: StructuralSchema, at: Json): string {
  const isAddress = JSON.stringify(schema.oneOf ?? []).includes('"ipv4"');
  const address = (at as Readonly<Record<string, Json>>) ?? {};
  if (!isAddress) return 'does not satisfy exactly one of the choices in the schema';
  return `must have an IP address as its value, not ${quote(address.value)}, as its type is IPAddress`;
}

function count(number: number | undefined, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function size(value: Json): number {
  return Array.isArray(value) ? value.length : Object.keys(value ?? {}).length;
}
