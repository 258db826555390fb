import type { Diagnostic } from '../../render/diagnostic.ts';
import { PINNED_SCHEMAS } from '../../render/validation/pinned-schemas.ts';
import type { Schemas } from '../../render/validation/schemas.ts';
import { YamlError } from '../yaml.ts';
import { parseDocuments } from './documents.ts';
import { fileError, readFiles } from './files.ts';

/** The schemas that the flags ask for; undefined: none. */
export async function schemasFor({
  validate,
  gatewayApiCrds,
}: {
  readonly validate: boolean;
  readonly gatewayApiCrds?: string;
}): Promise<{ schemas: Schemas | undefined; diagnostics: readonly Diagnostic[] }> {
  if (!validate) return { schemas: undefined, diagnostics: [] };
  if (gatewayApiCrds === undefined) return { schemas: PINNED_SCHEMAS, diagnostics: [] };
  return crdSchemas(gatewayApiCrds);
}

async function crdSchemas(
  path: string,
): Promise<{ schemas: Schemas | undefined; diagnostics: readonly Diagnostic[] }> {
  const { files, diagnostics: unreadable } = readFiles([path]);
  const diagnostics = [...unreadable];
  const crds = files.flatMap(({ name, text }) => {
    try {
      return parseDocuments(text, name).map(({ object }) => object);
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      diagnostics.push(fileError(name, 'NotYaml', `not YAML: ${error.message}`, error.line));
      return [];
    }
  });
  const { compileSchemas, UnusableCrds } = await import('../../render/validation/compile-schemas.ts');
  const unusable = (message: string) => ({
    schemas: undefined,
    diagnostics: [...diagnostics, fileError(path, 'UnusableCrds', message)],
  });
  try {
    const schemas = await compileSchemas(crds);
    if (schemas.kinds.some(({ kind }) => kind === 'Gateway')) return { schemas, diagnostics };
    return unusable(
      "holds no CustomResourceDefinition of Gateways; give the directory of the Gateway API's CRDs",
    );
  } catch (error) {
    if (!(error instanceof UnusableCrds)) throw error;
    return unusable(error.message);
  }
}
