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
