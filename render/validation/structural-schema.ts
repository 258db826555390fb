import type { Json, Path } from '../json.ts';

/** A CEL rule of a CRD (`x-kubernetes-validations`). */
export interface CelRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly fieldPath?: string;
  readonly reason?: string;
  readonly optionalOldSelf?: boolean;
}

/** A CRD's schema: the part of OpenAPI 3.0 that Kubernetes lets a CRD use, without descriptions. */
export interface StructuralSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly nullable?: boolean;
  readonly default?: Json;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  /** `true` allows any value, as does a schema without constraints. */
  readonly additionalProperties?: StructuralSchema | boolean;
  readonly items?: StructuralSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly Json[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly CelRule[];
}

/** The schema of a field: of a property, else of the other keys of a map; undefined for an unknown field. */
export function childSchema(schema: StructuralSchema, key: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  if (additionalProperties === undefined || additionalProperties === false) return undefined;
  // `true` lets any key be, but nothing is known of what is below it.
  return additionalProperties === true ? {} : additionalProperties;
}

/** The schema at a path; undefined where the path leads out of the schema. */
export function schemaAt(schema: StructuralSchema, path: Path): StructuralSchema | undefined {
  let found: StructuralSchema | undefined = schema;
  for (const step of path) {
    if (found === undefined) return undefined;
    found = typeof step === 'number' ? found.items : childSchema(found, step);
  }
  return found;
}

/** All CEL rules of a schema and of what is below it. */
export function rulesOf(schema: StructuralSchema): CelRule[] {
  const { properties, additionalProperties, items, allOf } = schema;
  const below = [
    ...Object.values(properties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(items === undefined ? [] : [items]),
    ...(allOf ?? []),
  ];
  return [...(schema['x-kubernetes-validations'] ?? []), ...below.flatMap(rulesOf)];
}
