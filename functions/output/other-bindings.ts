import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { type Diagnostic, diagnose, subjectOf } from '../../render/diagnostic.ts';
import type { RenderedObject } from '../../render/objects.ts';
import type { Sourced } from '../../render/source.ts';
import { parseDocuments } from '../input/documents.ts';
import { fileError } from '../input/files.ts';
import { YamlError } from '../yaml.ts';

/** Errors for all but the first of bindings of one name: what is in either would be lost from the other. */
export function duplicateBindings(bindings: readonly Sourced<RenderedObject>[]): readonly Diagnostic[] {
  const [first, ...more] = bindings;
  return more.map((binding) => {
    const line = first?.source?.lineOf([]);
    const where = `${first?.source?.file ?? ''}${line === undefined ? '' : `:${line}`}`;
    const message = `is in the input twice, first in ${where}; remove one`;
    return diagnose('error', 'Duplicate', subjectOf(binding), undefined, message);
  });
}

/**
 * Errors for files that hold the binding which gari writes to the output directory: files in there, and
 * files of the input where the directory is a part of that. Applied together they would undo each other.
 * @throws what the system refuses.
 */
export function otherBindings(
  { directory, name, bindingName }: { directory: string; name: string; bindingName: string },
  paths: readonly string[],
  input: readonly Sourced<RenderedObject>[],
): readonly Diagnostic[] {
  const own = resolve(directory, name);
  const isPart = paths.some((path) => !relative(resolve(path), resolve(directory)).startsWith('..'));
  const files = new Set([
    ...(isPart ? input.flatMap(({ source }) => source?.file ?? []) : []),
    ...filesIn(directory).filter((path) => holdsBinding(path, bindingName)),
  ]);
  return [...files]
    .filter((path) => path !== '-' && resolve(path) !== own)
    .map((path) => {
      const message = `it holds ClusterRoleBinding ${bindingName}, and gari writes it to ${join(directory, name)}; remove it there`;
      return fileError(path, 'Duplicate', message);
    });
}

function filesIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => ['.yaml', '.yml', '.json'].includes(extname(name)))
    .sort()
    .map((name) => join(directory, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

function holdsBinding(path: string, bindingName: string): boolean {
  const text = readFileSync(path, 'utf8');
  if (!text.includes('ClusterRoleBinding') || !text.includes(bindingName)) return false;
  try {
    return parseDocuments(text, path).some(({ object: { kind, metadata } }) => {
      const { name } = (metadata ?? {}) as { name?: unknown };
      return kind === 'ClusterRoleBinding' && name === bindingName;
    });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return false;
  }
}
