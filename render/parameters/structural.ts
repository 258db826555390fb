import type { CelRule, StructuralSchema } from '../validation/structural-schema.ts';
import { DATA_PLANE, DATA_PLANE_SPEC } from './data-plane-schema.ts';
import file from './kubernetes-types.json' with { type: 'json' };
import type { Field, FieldLeaf, FieldRule, SchemaNode } from './schema-field.ts';

/** A CRD's schema with descriptions. */
export interface DescribedSchema extends StructuralSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
}

const TYPES = file.types as unknown as Readonly<Record<string, SchemaNode>>;

/** The schema of a DataPlane as its CRD has it. */
export const DATA_PLANE_SCHEMA: DescribedSchema = {
  type: 'object',
  description: `${DATA_PLANE.kind} says how data planes are made: those of a GatewayClass (spec.parametersRef) or of one Gateway (spec.infrastructure.parametersRef).`,
  required: ['spec'],
  properties: {
    apiVersion: {
      type: 'string',
      description: `Version of this form of the object: ${DATA_PLANE.group}/${DATA_PLANE.version}.`,
    },
    kind: { type: 'string', description: `Kind of the object: ${DATA_PLANE.kind}.` },
    metadata: { type: 'object' },
    spec: fieldSchema(DATA_PLANE_SPEC),
  },
};

/** Every rule, with what stands for it in TypeScript. */
export const DATA_PLANE_RULES: readonly FieldRule[] = rulesOfField(DATA_PLANE_SPEC);

function fieldSchema(field: Field): DescribedSchema {
  if (!('fields' in field)) return nodeSchema(field);
  const properties = Object.entries(field.fields).map(([name, below]) => [name, fieldSchema(below)] as const);
  return {
    description: field.description,
    type: 'object',
    ...celRules(field.rules),
    properties: Object.fromEntries(properties),
  };
}

function nodeSchema(
  node: SchemaNode & Partial<Pick<FieldLeaf, 'gateway' | 'never' | 'byDefault'>>,
): DescribedSchema {
  const { kubernetes, rules, properties, items, additionalProperties, ...others } = node;
  const { gateway: _, never: __, byDefault, description, ...rest } = others;
  const type: DescribedSchema = kubernetes === undefined ? {} : nodeSchema(typeNamed(kubernetes));
  // Of one of Kubernetes' types, they narrow what it has.
  const below = Object.entries(properties ?? {}).map(
    ([name, value]) => [name, { ...type.properties?.[name], ...nodeSchema(value) }] as const,
  );
  return {
    ...type,
    ...rest,
    ...(description === undefined ? {} : { description: withDefault(description, byDefault) }),
    ...celRules(rules),
    ...(properties === undefined ? {} : { properties: { ...type.properties, ...Object.fromEntries(below) } }),
    ...(items === undefined ? {} : { items: nodeSchema(items) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: nodeSchema(additionalProperties) }),
  };
}

function withDefault(description: string, byDefault: string | undefined): string {
  return byDefault === undefined ? description : `${description} By default: ${byDefault}.`;
}

function typeNamed(name: string): SchemaNode {
  const type = TYPES[name];
  if (type === undefined) throw new TypeError(`kubernetes-types.json has no ${name}`);
  return type;
}

function celRules(rules: readonly FieldRule[] | undefined): {
  readonly 'x-kubernetes-validations'?: readonly CelRule[];
} {
  if (rules === undefined) return {};
  return { 'x-kubernetes-validations': rules.map(({ rule, message }) => ({ rule, message })) };
}

function rulesOfField(field: Field): readonly FieldRule[] {
  if (!('fields' in field)) return rulesOfNode(field);
  return [...(field.rules ?? []), ...Object.values(field.fields).flatMap(rulesOfField)];
}

function rulesOfNode({ rules = [], items, properties = {} }: SchemaNode): readonly FieldRule[] {
  const below = [...(items === undefined ? [] : [items]), ...Object.values(properties)];
  return [...rules, ...below.flatMap(rulesOfNode)];
}
