// Random bodies of built-in kinds, generated from the OpenAPI documents that the API server serves.
import type { Json, JsonObject } from '../render/json.ts';

/** A schema of an OpenAPI v3 document. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Properties;
  readonly additionalProperties?: OpenApiSchema;
  readonly items?: OpenApiSchema;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
}

type Properties = Readonly<Record<string, OpenApiSchema>>;

/** The schemas of some documents, by name. */
export type OpenApiSchemas = Readonly<Record<string, OpenApiSchema>>;

/** How server-side apply merges something. */
export type MergeType = 'map list' | 'atomic list' | 'set list' | 'granular map' | 'atomic map';

/** A list or map somewhere in a kind. Steps are names of fields; `[]` leads into the items of a list. */
export interface MergedPlace {
  readonly path: readonly string[];
  readonly type: MergeType;
  readonly schema: OpenApiSchema;
}

/** A number from 0 to below a limit. */
export type Random = (limit: number) => number;

/** A schema with what its reference says. */
function resolved(schema: OpenApiSchema, schemas: OpenApiSchemas): OpenApiSchema {
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref !== undefined)?.$ref;
  if (reference === undefined) return schema;
  return { ...schemas[reference.replace('#/components/schemas/', '')], ...schema };
}

/** The lists and maps of a kind that are not below an atomic one: there nothing merges. */
export function mergedPlaces(
  schema: OpenApiSchema,
  schemas: OpenApiSchemas,
  path: readonly string[] = [],
): readonly MergedPlace[] {
  const type = mergeType(resolved(schema, schemas));
  const { items, properties = {} } = resolved(schema, schemas);
  const own = type === undefined ? [] : [{ path, type, schema }];
  if (type === 'atomic list' || type === 'atomic map' || type === 'set list') return own;
  return [
    ...own,
    ...(items === undefined ? [] : mergedPlaces(items, schemas, [...path, '[]'])),
    ...Object.entries(properties).flatMap(([name, below]) => mergedPlaces(below, schemas, [...path, name])),
  ];
}

function mergeType(schema: OpenApiSchema): MergeType | undefined {
  if (schema.type === 'array') return `${schema['x-kubernetes-list-type'] ?? 'atomic'} list`;
  if (schema['x-kubernetes-map-type'] === 'atomic') return 'atomic map';
  return schema.additionalProperties === undefined ? undefined : 'granular map';
}

// What the server demands of texts and numbers, by the name of the field: anything else it would refuse.
const VALUES: Readonly<Record<string, readonly Json[]>> = {
  accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
  apiVersion: ['v1'],
  devicePath: ['/a', '/b', '/c'],
  divisor: ['1'],
  expirationSeconds: [600, 3600],
  externalIPs: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  fieldPath: ['metadata.name', 'metadata.namespace'],
  image: ['x:1', 'x:2', 'x:3'],
  ip: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  ipFamilies: ['IPv4'],
  kind: ['PersistentVolumeClaim'],
  loadBalancerSourceRanges: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  healthCheckNodePort: [30004, 30005],
  nodePort: [30001, 30002, 30003],
  mountPath: ['/a', '/b', '/c'],
  nameservers: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  operator: ['Exists', 'DoesNotExist'],
  sizeLimit: ['1', '2'],
  resource: ['limits.cpu', 'limits.memory'],
  resourceName: ['cpu', 'memory'],
};
// What the server demands beside a field that a schema has, or fills in where nobody owns it.
const ALSO_REQUIRED: Readonly<Record<string, readonly string[]>> = {
  divisor: ['divisor'],
  expirationSeconds: ['expirationSeconds'],
  fieldPath: ['apiVersion'],
  imagePullPolicy: ['image'],
  nodePort: ['name'],
  optional: ['name'],
  volumeMode: ['accessModes', 'resources'],
};
// Maps of quantities.
const QUANTITIES = new Set(['limits', 'requests', 'overhead']);
const RESOURCES = ['cpu', 'memory', 'storage'];
const NAMES = ['a', 'b', 'c'];

/** Returns what generates a body with a random value at a place, and with what cannot be missing above it. */
export function bodyGenerator(
  schemas: OpenApiSchemas,
  random: Random,
): (root: OpenApiSchema, place: MergedPlace) => JsonObject {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const some = <T>(values: readonly T[], count: number): readonly T[] => {
    const left = [...values];
    const taken = Math.min(count, left.length);
    return Array.from({ length: taken }, () => left.splice(random(left.length), 1)).flat();
  };

  function around(schema: OpenApiSchema, [step, ...rest]: readonly string[], name: string): Json {
    const { items = {}, properties = {} } = resolved(schema, schemas);
    if (step === undefined) return value(schema, name, 3);
    if (step === '[]') {
      const item = around(items, rest, name);
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      return [{ ...keysOf(items, keys), ...required(items), ...(item as JsonObject) }];
    }
    return { ...required(schema), [step]: around(properties[step] ?? {}, rest, step) };
  }

  /** A random value; `size` is how much there may be of what need not be there. */
  function value(schema: OpenApiSchema, name: string, size: number): Json {
    const { type, format, properties, items, additionalProperties, ...rest } = resolved(schema, schemas);
    if (items !== undefined) return list(items, rest, name, size);
    if (additionalProperties !== undefined) {
      const quantities = QUANTITIES.has(name);
      const keys = some(quantities ? RESOURCES : NAMES, 1 + random(3));
      return Object.fromEntries(keys.map((key) => [key, pick(quantities ? ['1', '2'] : NAMES)]));
    }
    if (properties !== undefined) return object(schema, properties, size);
    if (rest.enum !== undefined) return pick(rest.enum);
    const known = VALUES[name];
    if (known !== undefined) return pick(known);
    // The server does not keep what is false, where that is what nothing means too.
    if (type === 'boolean') return true;
    if (type === 'integer' || format === 'int-or-string') return 1 + random(3);
    return pick(NAMES);
  }

  function list(items: OpenApiSchema, about: OpenApiSchema, name: string, size: number): readonly Json[] {
    const values = Array.from({ length: 1 + random(3) }, () => value(items, name, size));
    const keys = about['x-kubernetes-list-map-keys'];
    if (keys === undefined) return about['x-kubernetes-list-type'] === 'set' ? [...new Set(values)] : values;
    const identified = values.map((item) => ({ ...keysOf(items, keys), ...(item as JsonObject) }));
    const identity = (item: JsonObject) => JSON.stringify(keys.map((key) => item[key]));
    const first = (item: JsonObject) => identified.findIndex((other) => identity(other) === identity(item));
    return identified.filter((item, index) => first(item) === index);
  }

  function object(schema: OpenApiSchema, properties: Properties, size: number): JsonObject {
    const optional = some(Object.keys(properties), random(size + 1));
    return {
      ...Object.fromEntries(optional.map((name) => [name, value(properties[name] ?? {}, name, size - 1)])),
      ...required(schema),
    };
  }

  function required(schema: OpenApiSchema): JsonObject {
    const { required: names = [], properties = {} } = resolved(schema, schemas);
    const fields = Object.keys(properties);
    const also = fields.length === 1 ? fields : fields.flatMap((name) => ALSO_REQUIRED[name] ?? []);
    return keysOf(schema, [...names, ...also.filter((name) => name in properties)]);
  }

  function keysOf(schema: OpenApiSchema, names: readonly string[]): JsonObject {
    const { properties = {} } = resolved(schema, schemas);
    return Object.fromEntries(names.map((name) => [name, value(properties[name] ?? {}, name, 1)]));
  }

  return (root, { path }) => around(root, path, '') as JsonObject;
}
