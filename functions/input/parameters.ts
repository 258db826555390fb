import type { NamespacedMeta } from '../../render/gateway-api.ts';
import { isJsonObject, type JsonObject } from '../../render/json.ts';
import { DATA_PLANE } from '../../render/parameters/data-plane-schema.ts';
import type { ParametersObject } from '../../render/parameters/parameters.ts';
import { PARAMETERS_KEY } from '../../render/parameters/parameters-key.ts';
import { parseYaml } from '../yaml.ts';

/** The kind of an object that may hold parameters. */
export function parametersKindOf({ apiVersion, kind }: JsonObject): ParametersObject['kind'] | undefined {
  if (kind === DATA_PLANE.kind && String(apiVersion).startsWith(`${DATA_PLANE.group}/`)) return kind;
  return kind === 'ConfigMap' && apiVersion === 'v1' ? kind : undefined;
}

/**
 * Reads a DataPlane or a ConfigMap; undefined for one without a name, which nobody can refer to. What is
 * wrong with it is told where it matters: most ConfigMaps are none of gari's business.
 */
export async function readParametersObject(
  object: JsonObject,
  namespace: string,
): Promise<ParametersObject | undefined> {
  const kind = parametersKindOf(object);
  const metadata = metadataOf(object, namespace);
  if (kind === undefined || metadata === undefined) return undefined;
  if (kind === 'ConfigMap' && !(isJsonObject(object.data) && PARAMETERS_KEY in object.data)) {
    const path = ['data', PARAMETERS_KEY];
    const missing = {
      path,
      field: `data[${JSON.stringify(PARAMETERS_KEY)}]`,
      reason: 'Required',
      message: 'must be set',
    } as const;
    return { kind, metadata, specPath: path, problems: [missing] };
  }
  // Its schema is large, and most input has no parameters.
  const { readDataPlane, readParametersConfigMap } = await import(
    '../../render/parameters/read-parameters.ts'
  );
  return kind === 'DataPlane'
    ? readDataPlane(object, metadata)
    : readParametersConfigMap(object, metadata, parseYaml);
}

function metadataOf({ metadata }: JsonObject, fallback: string): NamespacedMeta | undefined {
  if (!isJsonObject(metadata) || typeof metadata.name !== 'string' || metadata.name === '') return undefined;
  const { name, namespace } = metadata;
  return { name, namespace: typeof namespace === 'string' && namespace !== '' ? namespace : fallback };
}
