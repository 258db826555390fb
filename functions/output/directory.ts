import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../../render/diagnostic.ts';
import { compareText } from '../../render/normalize.ts';
import { fileError } from '../input/files.ts';
import { isSystemError, systemReason } from '../system-error.ts';

/** A file that gari is to write into the output directory. */
export interface OutputFile {
  /** Without a directory. */
  readonly name: string;
  /** What it was rendered from, for its first line. */
  readonly source: string;
  readonly body: string;
}

/** What will be done to the output directory. */
export interface OutputPlan {
  readonly write: readonly OutputFile[];
  readonly remove: readonly string[];
  readonly unchanged: number;
  readonly diagnostics: readonly Diagnostic[];
}

const HEADER = /^# Rendered by gari from .+\.(\r?\n|$)/;

/** A file's text, with the first line by which gari knows it again. */
function fileText({ source, body }: OutputFile): string {
  return `# Rendered by gari from ${source}.\n${body}`;
}

/**
 * Compares the wanted files with the directory. Files of gari's own that are not wanted are removed,
 * if the view is whole; nothing else is touched, and what stands in the way is an error.
 */
export function planOutput(directory: string, files: readonly OutputFile[], whole: boolean): OutputPlan {
  const wanted = new Map(files.map((file) => [file.name, file]));
  const diagnostics: Diagnostic[] = [];
  const write: OutputFile[] = [];
  for (const file of files) {
    const problem = obstacle(join(directory, file.name));
    if (problem !== undefined) diagnostics.push(problem);
    else if (readText(join(directory, file.name)) !== fileText(file)) write.push(file);
  }
  const remove = whole ? ownFiles(directory).filter((name) => !wanted.has(name)) : [];
  return { write, remove, unchanged: files.length - write.length, diagnostics };
}

/** Carries a plan out. Each file appears whole or not at all; what fails is returned. */
export function writeOutput(directory: string, { write, remove }: OutputPlan): readonly Diagnostic[] {
  try {
    makeDirectory(resolve(directory));
    for (const file of write) {
      const path = join(directory, file.name);
      const temporary = `${path}.gari-tmp`;
      // Not through a symbolic link that is there.
      rmSync(temporary, { force: true });
      writeFileSync(temporary, fileText(file), { flag: 'wx' });
      renameSync(temporary, path);
    }
    for (const name of remove) rmSync(join(directory, name));
    return [];
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = `it cannot be written to: ${systemReason(error)}; mend that and run again`;
    return [fileError(directory, 'NotWritten', message)];
  }
}

/** Why a path is no directory that can be looked into, and cannot become one. */
export function directoryProblem(path: string): Diagnostic | undefined {
  let existing = resolve(path);
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  try {
    readdirSync(existing);
    return undefined;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const why = error.code === 'ENOTDIR' ? `${existing} is a file` : `${existing}: ${systemReason(error)}`;
    return fileError(path, 'Obstacle', `it cannot be the directory: ${why}; choose another --output-dir`);
  }
}

// One by one: with `recursive`, Node 20 never returns where the system says that there is no such file (below /proc).
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path);
}

/** The text of a file that gari wrote earlier, if it is there. */
export function ownText(directory: string, name: string): string | undefined {
  const path = join(directory, name);
  return obstacle(path) === undefined ? readText(path) : undefined;
}

/** Why a path cannot be written to: it must be free, or a plain file that gari wrote. */
function obstacle(path: string): Diagnostic | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) {
    return fileError(
      path,
      'Obstacle',
      'a symbolic link is in the way; gari writes only inside the output directory',
    );
  }
  if (!stat.isFile()) return fileError(path, 'Obstacle', 'something that is no file is in the way; move it');
  if (HEADER.test(readText(path) ?? '')) return undefined;
  return fileError(
    path,
    'Obstacle',
    "the file is not gari's (its first line says nothing of it); move it or choose another --output-dir",
  );
}

function readText(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
    ? readFileSync(path, 'utf8')
    : undefined;
}

// A file is gari's own if it says so and has the kind of name that gari gives.
function ownFiles(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => /^([a-z0-9-]+_[a-z0-9-]+-gari|clusterrolebinding_.+)\.yaml$/.test(name))
    .filter((name) => HEADER.test(readText(join(directory, name)) ?? ''))
    .sort(compareText);
}
