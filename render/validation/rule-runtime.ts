import { isJsonObject, type Json } from '../json.ts';

// What translated CEL rules call (rule-code.ts). Errors are CEL's: `||`, `&&` and `all` swallow one where
// the other operand decides (https://github.com/google/cel-spec/blob/master/doc/langdef.md#logical-operators).

/** A CEL rule as a function of `self`; it throws where the rule ends in an error. */
export type CompiledRule = (self: Json) => unknown;

const patterns = new Map<string, RegExp>();

/** `object.name` */
function get(object: unknown, name: string): Json {
  if (!has(object, name)) throw new Error(`no such key: ${name}`);
  return (object as Readonly<Record<string, Json>>)[name] ?? null;
}

/** `has(object.name)` */
function has(object: unknown, name: string): boolean {
  if (!isJsonObject(object)) throw new TypeError('not a map');
  return Object.hasOwn(object, name);
}

/** `list[index]` */
function at(list: unknown, index: number): unknown {
  if (!Array.isArray(list) || index < 0 || index >= list.length) throw new RangeError('index out of bounds');
  return list[index];
}

/** `size(value)`: characters are code points. */
function size(value: unknown): number {
  if (typeof value === 'string') return [...value].length;
  return elements(value).length;
}

/** `left || right` */
function or(left: () => unknown, right: () => unknown): boolean {
  return !and(
    () => !bool(left()),
    () => !bool(right()),
  );
}

/** `left && right` */
function and(left: () => unknown, right: () => unknown): boolean {
  let first: boolean;
  try {
    first = bool(left());
  } catch (error) {
    if (!bool(right())) return false;
    throw error;
  }
  return first && bool(right());
}

/** A condition: CEL takes nothing but a boolean for one. */
function bool(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError('not a boolean');
  return value;
}

/** `left == right`, of scalars of one type. */
function equal(left: unknown, right: unknown): boolean {
  if (typeof left !== typeof right || typeof left === 'object') throw new TypeError('not of one type');
  return left === right;
}

/** `left < right`, of numbers; the others are made of it. */
function less(left: unknown, right: unknown): boolean {
  if (typeof left !== 'number' || typeof right !== 'number') throw new TypeError('not numbers');
  return left < right;
}

/** `value in list` */
function isIn(value: unknown, list: unknown): boolean {
  return elements(list).some((element) => equal(value, element));
}

/** `list.all(element, condition)`; of a map, its keys. */
function all(list: unknown, condition: (element: unknown) => unknown): boolean {
  let failure: unknown;
  for (const element of elements(list)) {
    try {
      if (!bool(condition(element))) return false;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return true;
}

/** `list.exists_one(element, condition)` */
function existsOne(list: unknown, condition: (element: unknown) => unknown): boolean {
  return elements(list).filter((element) => bool(condition(element))).length === 1;
}

/** `text.matches(pattern)`, the pattern translated from RE2. */
function matches(text: unknown, pattern: string): boolean {
  let regExp = patterns.get(pattern);
  if (regExp === undefined) {
    regExp = new RegExp(pattern, 'u');
    patterns.set(pattern, regExp);
  }
  return regExp.test(string(text));
}

/** `text.split(separator)` */
function split(text: unknown, separator: string): string[] {
  return string(text).split(separator);
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a string');
  return value;
}

function elements(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isJsonObject(value)) return Object.keys(value);
  throw new TypeError('not a list or map');
}

/** The functions by the names that translated rules use. */
export const ruleRuntime = {
  all,
  and,
  at,
  bool,
  equal,
  existsOne,
  get,
  has,
  isIn,
  less,
  matches,
  or,
  size,
  split,
};
