import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Diagnostic } from '../../render/diagnostic.ts';
import { readStdin } from '../read-stdin.ts';

/** A file's text, and whether the user named the file or the directory that it is in. */
export interface InputFile {
  readonly name: string;
  readonly text: string;
  readonly named: boolean;
}

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
    const found = path === '-' ? undefined : filesIn(path, diagnostics);
    if (found === undefined) await add(path, true);
    else for (const file of found) await add(file, false);
  }
  return { files, diagnostics };
}

/** The YAML files of a directory; undefined if the path is no directory (or is not there). */
function filesIn(path: string, diagnostics: Diagnostic[]): readonly string[] | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
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
        return EXTENSIONS.has(extname(entry.name)) && isFile(path) ? [path] : [];
      });
  } catch (error) {
    diagnostics.push(unreadable(directory, error));
    return [];
  }
}

// A symbolic link counts as what it leads to, but links to directories are not followed: they can form a ring.
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true;
}

function unreadable(path: string, error: unknown): Diagnostic {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Record<string, string> = {
    ENOENT: 'there is no such file or directory',
    EACCES: 'no permission to read it',
    EISDIR: 'it is a directory',
  };
  return fileError(path, 'Unreadable', reasons[code] ?? `it cannot be read (${code || String(error)})`);
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
