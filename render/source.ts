import type { Path } from './json.ts';

/** Where an object was read from. */
export interface Source {
  /** The file's name as the user gave it; `-` is standard input. */
  readonly file: string;
  /** The line, counted from 1, of a field or of the nearest parent that is there. */
  lineOf(path: Path): number | undefined;
}

/** An object and where it was read from; objects of a cluster have no source. */
export interface Sourced<T> {
  readonly object: T;
  readonly source?: Source;
}
