import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Diagnostic } from '../../render/diagnostic.ts';
import { GATEWAY_API_GROUP } from '../../render/gateway-api.ts';
import { YamlError } from '../yaml.ts';
import { type InputDocument, parseDocuments } from './documents.ts';
import { fileError, type InputFile } from './files.ts';
import { type Loaded, type ReadOptions, readDocuments } from './read-documents.ts';

/** Reads the objects out of files: what is no object that gari reads is passed over. */
export async function loadFiles(files: readonly InputFile[], options: ReadOptions): Promise<Loaded> {
  const diagnostics: Diagnostic[] = [];
  const documents = files.flatMap((file) => documentsOf(file, diagnostics));
  if (diagnostics.every(({ severity }) => severity !== 'error'))
    diagnostics.push(...withoutObjects(files, documents));
  const loaded = await readDocuments(documents, { ...options, duplicateHint });
  return { ...loaded, diagnostics: [...diagnostics, ...loaded.diagnostics] };
}

function documentsOf(file: InputFile, diagnostics: Diagnostic[]): readonly InputDocument[] {
  try {
    return parseDocuments(file.text, file.name);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { message, line } = error;
    const hint = /\{\{/.test(file.text)
      ? ' It looks like a template: render it first, for example with helm template.'
      : '';
    const problem = fileError(file.name, 'NotYaml', `${message}.${hint}`, line);
    const matters = file.named || file.text.includes(GATEWAY_API_GROUP);
    diagnostics.push(
      matters ? problem : { ...problem, severity: 'warning', message: `${problem.message} Skipped.` },
    );
    return [];
  }
}

/** A command that failed leaves an empty pipe, and an empty file: nothing must be removed for that. */
function withoutObjects(files: readonly InputFile[], documents: readonly InputDocument[]): Diagnostic[] {
  const isPiped = files.some(({ name }) => name === '-');
  if (isPiped && documents.every(({ source }) => source.file !== '-')) {
    return [fileError('-', 'NoObjects', 'it holds no object; did the command that writes it fail?')];
  }
  if (files.length === 0 || documents.length > 0) return [];
  const message = 'the input holds no object at all, so nothing is rendered and nothing removed';
  return [{ severity: 'error', reason: 'NoObjects', message }];
}

function duplicateHint(file: string): string {
  return besideKustomization(file)
    ? 'beside a kustomization.yaml, run kustomize build … | gari render -'
    : 'remove one';
}

function besideKustomization(file: string): boolean {
  return ['kustomization.yaml', 'kustomization.yml', 'Kustomization'].some((name) =>
    existsSync(join(dirname(file), name)),
  );
}
