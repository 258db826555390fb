import { isJsonList, isJsonObject, type Json, type Path } from './json.ts';

/** One thing wrong with a value, in words that follow its field. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** Says what is wrong with a value; `undefined` is a field that is not there. */
export type Shape = (value: Json | undefined, path: Path) => readonly Problem[];

const problem = (path: Path, message: string): readonly Problem[] => [{ path, message }];

/** A string, which must not be empty. */
export const text: Shape = (value, path) => {
  if (value === undefined) return problem(path, 'is required');
  if (typeof value === 'string') return value === '' ? problem(path, 'must not be empty') : [];
  return problem(path, `must be a string, not ${describe(value)}${quotesHint(value)}`);
};

/** A string that may be empty. */
export const anyText: Shape = (value, path) => (value === '' ? [] : text(value, path));

/** A string of a certain form. */
export function textLike(pattern: RegExp, limit: number, what: string): Shape {
  return (value, path) => {
    const problems = text(value, path);
    if (problems.length > 0 || typeof value !== 'string') return problems;
    if (value.length > limit)
      return problem(path, `must have at most ${limit} characters, not ${value.length}`);
    return pattern.test(value) ? [] : problem(path, `must be ${what}, not ${JSON.stringify(value)}`);
  };
}

/** A whole number within limits. */
export function integer(least: number, most: number): Shape {
  return (value, path) => {
    if (value === undefined) return problem(path, 'is required');
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      return problem(path, `must be a whole number, not ${describe(value)}`);
    }
    return value >= least && value <= most ? [] : problem(path, `must be ${least} to ${most}, not ${value}`);
  };
}

/** A field that may be missing. */
export function optional(shape: Shape): Shape {
  return (value, path) => (value === undefined ? [] : shape(value, path));
}

/** A map with these fields; others are not looked at. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  return (value, path) => {
    if (value === undefined) return problem(path, 'is required');
    if (!isJsonObject(value)) return problem(path, `must be a map, not ${describe(value)}`);
    return Object.entries(shapes).flatMap(([key, shape]) => shape(value[key], [...path, key]));
  };
}

/** A map from any key to values of one shape. */
export function mapOf(shape: Shape): Shape {
  return (value, path) => {
    if (value === undefined) return problem(path, 'is required');
    if (!isJsonObject(value)) return problem(path, `must be a map, not ${describe(value)}`);
    return Object.entries(value).flatMap(([key, item]) => shape(item, [...path, key]));
  };
}

/** A list with items of one shape. */
export function listOf(shape: Shape): Shape {
  return (value, path) => {
    if (value === undefined) return problem(path, 'is required');
    if (!isJsonList(value)) return problem(path, `must be a list, not ${describe(value)}`);
    return value.flatMap((item, index) => shape(item, [...path, index]));
  };
}

/** A list whose items each have another value of one field. */
export function uniqueBy(key: string, list: Shape): Shape {
  return (value, path) => {
    const problems = list(value, path);
    if (problems.length > 0 || !isJsonList(value)) return problems;
    const first = new Map<Json | undefined, number>();
    return value.flatMap((item, index) => {
      const name = isJsonObject(item) ? item[key] : undefined;
      const earlier = first.get(name);
      if (earlier === undefined) first.set(name, index);
      return earlier === undefined
        ? []
        : problem(
            [...path, index, key],
            `is ${JSON.stringify(name)}, as in item ${earlier}: each needs its own`,
          );
    });
  };
}

function describe(value: Json): string {
  if (value === null) return 'null';
  if (isJsonList(value)) return 'a list';
  if (isJsonObject(value)) return 'a map';
  return `the ${typeof value} ${typeof value === 'string' ? JSON.stringify(value) : value}`;
}

// As kubectl reads YAML: an unquoted 0644 is a number, and yes, no, on and off are booleans.
function quotesHint(value: Json): string {
  if (typeof value === 'boolean') return '; put it in quotes (unquoted yes, no, on and off are booleans)';
  return typeof value === 'number' ? '; put it in quotes' : '';
}
