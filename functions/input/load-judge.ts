import type { Diagnostic } from '../../render/diagnostic.ts';
import { YamlError } from '../yaml.ts';
import { parseDocuments } from './documents.ts';
import { fileError, readFiles } from './files.ts';
import type { Judge } from './judge.ts';

/** Who judges the input, as the flags say; nobody with `--no-validate`, so that nothing is loaded for it. */
export async function loadJudge({
  validate,
  gatewayApiCrds,
}: {
  readonly validate: boolean;
  readonly gatewayApiCrds?: string;
}): Promise<{ judge?: Judge; diagnostics: readonly Diagnostic[] }> {
  if (!validate) return { diagnostics: [] };
  if (gatewayApiCrds !== undefined) return judgeFromDirectory(gatewayApiCrds);
  const { judgePinned } = await import('./judge.ts');
  return { judge: judgePinned, diagnostics: [] };
}

async function judgeFromDirectory(
  path: string,
): Promise<{ judge?: Judge; diagnostics: readonly Diagnostic[] }> {
  const { files, diagnostics: unreadable } = await readFiles([path]);
  const diagnostics = [...unreadable];
  const crds = files.flatMap(({ name, text }) => {
    try {
      return parseDocuments(text, name).map(({ object }) => object);
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      diagnostics.push(fileError(name, 'NotYaml', error.message, error.line));
      return [];
    }
  });
  const unusable = (message: string) => ({
    diagnostics: [...diagnostics, fileError(path, 'UnusableCrds', message)],
  });
  const { judgeFromCrds, UnusableCrds } = await import('./judge.ts');
  try {
    const judge = await judgeFromCrds(crds);
    if (judge !== undefined) return { judge, diagnostics };
    return unusable(
      "holds no CustomResourceDefinition of Gateways; give the directory of the Gateway API's CRDs",
    );
  } catch (error) {
    if (!(error instanceof UnusableCrds)) throw error;
    return unusable(error.message);
  }
}
