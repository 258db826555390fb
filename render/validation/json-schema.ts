import { translatePattern } from './re2.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** A schema for ajv: JSON Schema draft 7. */
export type JsonSchema = Record<string, unknown>;

const SAME = [
  'enum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minItems',
  'minLength',
  'minProperties',
  'multipleOf',
  'nullable',
  'required',
  'type',
  'uniqueItems',
] as const;

// The formats that gari checks; the server ignores those that it does not know, such as `uint`.
const STRING_FORMATS = new Set(['date-time', 'ipv4', 'ipv6', 'rfc3339']);
// k8s.io/kube-openapi pkg/validation/validate/values.go, IsValueValidAgainstRange: int64 without a format.
const INT32 = [-(2 ** 31), 2 ** 31 - 1] as const;
const INT64 = [-(2 ** 63), 2 ** 63] as const;

/** What a CRD's schema demands of values, as JSON Schema; defaults, CEL rules and list keys are left out. */
export function toJsonSchema(schema: StructuralSchema): JsonSchema {
  const result: JsonSchema = {};
  for (const keyword of SAME) if (schema[keyword] !== undefined) result[keyword] = schema[keyword];
  if (schema['x-kubernetes-int-or-string']) result.type = ['integer', 'string'];
  if (schema.pattern !== undefined) result.pattern = translatePattern(schema.pattern);
  if (schema.format !== undefined && STRING_FORMATS.has(schema.format)) result.format = schema.format;
  addLimits(schema, result);
  if (schema.properties !== undefined) {
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, property]) => [key, toJsonSchema(property)]),
    );
  }
  const { additionalProperties: others } = schema;
  if (typeof others === 'object') result.additionalProperties = toJsonSchema(others);
  if (schema.items !== undefined) result.items = toJsonSchema(schema.items);
  if (schema.not !== undefined) result.not = toJsonSchema(schema.not);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const branches = schema[keyword];
    if (branches !== undefined) result[keyword] = branches.map(toJsonSchema);
  }
  return result;
}

/** The smallest and the largest number allowed; an integer has limits even where the CRD gives none. */
export function numberLimits(schema: StructuralSchema): { minimum?: number; maximum?: number } {
  const { minimum, maximum, type, format } = schema;
  if (type !== 'integer') {
    return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  }
  const [least, most] = format === 'int32' ? INT32 : INT64;
  return { minimum: Math.max(minimum ?? least, least), maximum: Math.min(maximum ?? most, most) };
}

// OpenAPI 3.0 says `exclusive…: true`, JSON Schema gives the number.
function addLimits(schema: StructuralSchema, result: JsonSchema): void {
  const { minimum, maximum } = numberLimits(schema);
  if (minimum !== undefined) result[schema.exclusiveMinimum ? 'exclusiveMinimum' : 'minimum'] = minimum;
  if (maximum !== undefined) result[schema.exclusiveMaximum ? 'exclusiveMaximum' : 'maximum'] = maximum;
}
