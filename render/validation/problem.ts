import { formatPath, type Path } from '../json.ts';

/** The server's own words for what is wrong (field errors of k8s.io/apimachinery), and gari's two. */
export type ProblemReason =
  | 'Duplicate'
  | 'Forbidden'
  | 'Invalid'
  | 'NotSupported'
  | 'Required'
  | 'TooLong'
  | 'TooMany'
  | 'TypeInvalid'
  | 'UnknownField'
  /** A placeholder that a templating tool should have replaced. */
  | 'Placeholder'
  /** A rule that cannot be judged offline. */
  | 'NotJudged';

/** One thing that is wrong with an object. */
export interface Problem {
  readonly path: Path;
  /** The path as people write it; empty for the object as a whole. */
  readonly field: string;
  readonly reason: ProblemReason;
  /** Follows the field in a sentence: `must be between 1 and 65535, not 70000`. */
  readonly message: string;
}

/** Makes a {@link Problem}. */
export function problem(path: Path, reason: ProblemReason, message: string): Problem {
  return { path, field: formatPath(path), reason, message };
}

/** A value in a message: short, on one line. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  // JSON has no word for what is no number.
  if (typeof value === 'number') return String(value);
  const text = [...(JSON.stringify(value) ?? String(value))];
  return text.length <= 80
    ? text.join('')
    : `${text.slice(0, 76).join('')}…${typeof value === 'string' ? '"' : ''}`;
}
