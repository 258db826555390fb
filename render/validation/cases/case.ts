import type { JsonObject } from '../../json.ts';

/** An object and what the API server says about it when it is created. */
export interface ValidationCase {
  /** Unique: kind, constraint and what is special. */
  readonly name: string;
  readonly kind: string;
  readonly object: JsonObject;
  readonly expected: Verdict;
  /** What the case is about, such as `spec.listeners[].port maximum 65535`. */
  readonly constraint: string;
  /** What is special about the object, such as `65536`. */
  readonly what: string;
  /** Fields that the server reports as unknown, as it writes them. */
  readonly unknown: readonly string[];
}

export type Verdict = 'accepted' | 'refused';

/** Makes a case. */
export function makeCase(
  kind: string,
  constraint: string,
  what: string,
  object: JsonObject,
  expected: Verdict,
  unknown: readonly string[] = [],
): ValidationCase {
  return { name: `${kind}, ${constraint}: ${what}`, kind, constraint, what, object, expected, unknown };
}
