// Only imported where there are parameters: their schema is large.
import type { NamespacedMeta } from '../gateway-api.ts';
import { isJsonObject, type JsonObject, type Path } from '../json.ts';
import { type Problem, problem } from '../validation/problem.ts';
import type { Schemas } from '../validation/schemas.ts';
import { validate } from '../validation/validate.ts';
import { checks } from './data-plane-checks.ts';
import { DATA_PLANE_KIND } from './data-plane-kind.ts';
import { DATA_PLANE, type DataPlaneSpec } from './data-plane-schema.ts';
import type { ParametersObject } from './parameters.ts';
import { PARAMETERS_KEY } from './parameters-key.ts';
import { DATA_PLANE_RULES } from './structural.ts';

const SCHEMAS: Schemas = {
  kinds: [DATA_PLANE_KIND],
  compiled: async () => ({
    checks,
    rules: Object.fromEntries(
      DATA_PLANE_RULES.map(({ rule, holds }) => [rule, (self) => holds(self as JsonObject)]),
    ),
  }),
};

/** Reads a DataPlane, judged as the API server would, and its unknown fields refused. */
export async function readDataPlane(object: JsonObject, metadata: NamespacedMeta): Promise<ParametersObject> {
  const { spec, problems } = await judge(object);
  return {
    kind: 'DataPlane',
    metadata,
    specPath: ['spec'],
    problems,
    ...(spec === undefined ? {} : { spec }),
  };
}

/**
 * Reads the spec of a DataPlane that stands in a ConfigMap.
 *
 * @param parse Parses YAML; throws an `Error` for what is none.
 */
export async function readParametersConfigMap(
  { data }: JsonObject,
  metadata: NamespacedMeta,
  parse: (text: string) => unknown,
): Promise<ParametersObject> {
  const specPath = ['data', PARAMETERS_KEY];
  const result = (problems: readonly Problem[], spec?: DataPlaneSpec): ParametersObject => ({
    kind: 'ConfigMap',
    metadata,
    specPath,
    problems,
    ...(spec === undefined ? {} : { spec }),
  });
  const text = isJsonObject(data) ? data[PARAMETERS_KEY] : undefined;
  if (typeof text !== 'string') return result([problem(specPath, 'Required', 'must be set')]);
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return result([problem(specPath, 'Invalid', `is not YAML: ${error.message}`)]);
  }
  if (!isJsonObject(parsed)) {
    return result([problem(specPath, 'TypeInvalid', 'must hold the fields of the spec of a DataPlane')]);
  }
  if (parsed.apiVersion !== undefined && parsed.kind !== undefined) {
    const message = 'holds a whole object: write only what stands below its spec';
    return result([problem(specPath, 'Invalid', message)]);
  }
  const { spec, problems } = await judge({
    apiVersion: `${DATA_PLANE.group}/${DATA_PLANE.version}`,
    kind: DATA_PLANE.kind,
    metadata: { name: 'in-a-configmap', namespace: 'any' },
    spec: parsed,
  });
  const moved = problems.map(({ path, reason, message }) =>
    problem(inConfigMap(path), reason, message.replaceAll(/\bspec\.(?=\w)/g, '')),
  );
  return result(moved, spec);
}

function inConfigMap(path: Path): Path {
  return ['data', PARAMETERS_KEY, ...path.slice(1)];
}

async function judge(
  object: JsonObject,
): Promise<{ readonly spec?: DataPlaneSpec; readonly problems: readonly Problem[] }> {
  const { problems, warnings, object: value } = await validate(object, SCHEMAS);
  // The server drops unknown fields without a word; in a file they are a mistake.
  const all = [...problems, ...warnings.filter(({ reason }) => reason === 'UnknownField')];
  if (all.length > 0 || !isJsonObject(value?.spec)) return { problems: all };
  // It has just been judged.
  return { spec: value.spec as DataPlaneSpec, problems: [] };
}
