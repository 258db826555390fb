import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Diagnostic } from '../../render/diagnostic.ts';
import { readStdin } from '../read-stdin.ts';
import { isSystemError, systemReason } from '../system-error.ts';

/** A file's text, and whether the user named the file or the directory that it is in. */
export interface InputFile {
  readonly name: string;
  readonly text: string;
  readonly named: boolean;
}

// What a shell opened for us, as `<(kustomize build)` does.
const INHERITED = /^\/(dev\/(fd\/\d+|stdin)|proc\/(self|\d+)\/fd\/\d+)$/;
const EXTENSIONS = new Set(['.yaml', '.yml', '.json']);

/** Reads files, directories and (`-`) standard input; each file once. Problems come back as diagnostics. */
export async function readFiles(paths: readonly string[]): Promise<{
  files: readonly InputFile[];
  diagnostics: readonly Diagnostic[];
}> {
  const files: InputFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  const add = async (path: string, named: boolean): Promise<void> => {
    if (path !== '-' && isSomethingElse(path) && !INHERITED.test(path)) {
      const message =
        'it is no plain file, and reading it might never end; pipe it in, and give - as the path';
      diagnostics.push(fileError(path, 'Unreadable', message));
      return;
    }
    try {
      const identity = path === '-' ? '-' : realpathSync(path);
      if (seen.has(identity)) return;
      seen.add(identity);
      files.push({ name: path, text: path === '-' ? await readStdin() : readFileSync(path, 'utf8'), named });
    } catch (error) {
      diagnostics.push(unreadable(path, error));
    }
  };
  for (const path of paths) {
    if (path === '-' || !isDirectory(path)) await add(path, true);
    else for (const file of filesIn(path, diagnostics)) await add(file, false);
  }
  return { files, diagnostics };
}

/** The YAML files of a directory. */
function filesIn(path: string, diagnostics: Diagnostic[]): readonly string[] {
  const before = diagnostics.length;
  const files = walk(path, diagnostics);
  if (files.length === 0 && diagnostics.length === before) {
    diagnostics.push(fileError(path, 'NoFiles', 'the directory holds no .yaml, .yml or .json file'));
  }
  return files;
}

function walk(directory: string, diagnostics: Diagnostic[]): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
        const path = join(directory, entry.name);
        if (entry.isDirectory()) return walk(path, diagnostics);
        return EXTENSIONS.has(extname(entry.name)) && !isSomethingElse(path) ? [path] : [];
      });
  } catch (error) {
    diagnostics.push(unreadable(directory, error));
    return [];
  }
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

// A symbolic link counts as what it leads to, but links to directories are not followed: they can form a
// ring. A pipe that nobody named is no input: reading it might never end.
function isSomethingElse(path: string): boolean {
  return statOf(path)?.isFile() === false;
}

/** What a path leads to; undefined where that cannot be found out, and reading it will say why. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}

function unreadable(path: string, error: unknown): Diagnostic {
  if (!isSystemError(error)) throw error;
  return fileError(path, 'Unreadable', systemReason(error));
}

/** An error about a file as a whole. */
export function fileError(file: string, reason: string, message: string, line?: number): Diagnostic {
  const name = file === '-' ? 'standard input' : file;
  const place = line === undefined ? name : `${name}, line ${line}`;
  return {
    severity: 'error',
    reason,
    message: `${place}: ${message}`,
    file,
    ...(line === undefined ? {} : { line }),
  };
}
