import { DATA_PLANE } from '../render/parameters/data-plane-schema.ts';
import { DATA_PLANE_SCHEMA, type DescribedSchema } from '../render/parameters/structural.ts';
import { type JsonSchema, toJsonSchema } from '../render/validation/json-schema.ts';

/**
 * The JSON Schema of DataPlane for editors, with the descriptions. Unlike the API server it refuses
 * unknown fields, as gari does. `definitions.spec` is that of a ConfigMap's `dataplane.yaml`.
 */
export function dataPlaneJsonSchema(): JsonSchema {
  const { group, version, kind } = DATA_PLANE;
  const { spec } = DATA_PLANE_SCHEMA.properties ?? {};
  const { enforced, ...properties } = spec?.properties ?? {};
  if (spec === undefined || enforced === undefined) throw new TypeError('the schema has no spec.enforced');
  // The same fields once more.
  const again = Object.keys(enforced.properties ?? {}).map((name) => [
    name,
    { $ref: `#/definitions/spec/properties/${name}` },
  ]);
  const own = forEditors({ ...spec, properties });
  const ofEnforced = {
    ...forEditors({ ...enforced, properties: {} }),
    properties: Object.fromEntries(again),
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `${kind} (${group}/${version})`,
    description: DATA_PLANE_SCHEMA.description,
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    additionalProperties: false,
    properties: {
      apiVersion: { const: `${group}/${version}` },
      kind: { const: kind },
      metadata: { type: 'object' },
      spec: { $ref: '#/definitions/spec' },
    },
    definitions: { spec: { ...own, properties: { ...(own.properties ?? {}), enforced: ofEnforced } } },
  };
}

function forEditors(schema: DescribedSchema): JsonSchema {
  const { description, properties, items, additionalProperties, ...own } = schema;
  const rules = (schema['x-kubernetes-validations'] ?? []).map(({ message }) => `Rule: ${message}.`);
  const about = [description, ...rules].filter((text) => text !== undefined).join(' ');
  const result = toJsonSchema(own);
  if (about !== '') result.description = about;
  if (schema.default !== undefined) result.default = schema.default;
  if (items !== undefined) result.items = forEditors(items);
  if (typeof additionalProperties === 'object')
    result.additionalProperties = forEditors(additionalProperties);
  if (properties !== undefined) {
    result.additionalProperties = false;
    result.properties = Object.fromEntries(
      Object.entries(properties).map(([name, below]) => [name, forEditors(below)]),
    );
  }
  return result;
}
