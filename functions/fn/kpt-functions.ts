import type { Configs, KubernetesObject } from 'kpt-functions';
import type { Json, JsonObject } from '../../render/json.ts';
import { DOC } from './help.ts';
import type { Item } from './resource-list.ts';
import { resultsOf } from './results.ts';
import { processItems } from './run-function.ts';

// What `kpt-functions` calls a result, without importing the library at run time.
type Result = Parameters<Configs['addResults']>[0];

/**
 * gari as a function of the `kpt-functions` SDK, for pipelines that are written with it:
 * `run(gariFunction)`. An error leaves the objects as they are and is a result.
 */
export async function gariFunction(configs: Configs): Promise<void> {
  const before = configs.getAll().map((object): Item => ({ object: object as unknown as JsonObject }));
  const config = configs.getFunctionConfig() as unknown as JsonObject | undefined;
  const { items, diagnostics } = await processItems({
    items: before,
    ...(config === undefined ? {} : { functionConfig: config }),
  });
  const results = resultsOf(diagnostics, before).map(asSdkResult);
  if (results.length > 0) configs.addResults(...results);
  if (diagnostics.some(({ severity }) => severity === 'error')) return;
  configs.deleteAll();
  configs.insert(...items.map(({ object }) => object as unknown as KubernetesObject));
}

// What the SDK prints for --help.
gariFunction.usage = `${DOC.short}\n\n${DOC.long}`;

// The SDK's severities are `error`, `warn` and `info`.
function asSdkResult(result: Json): Result {
  const { severity, ...rest } = result as JsonObject;
  return { ...rest, severity: severity === 'warning' ? 'warn' : severity } as unknown as Result;
}
