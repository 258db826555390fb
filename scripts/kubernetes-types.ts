// Writes render/parameters/kubernetes-types.json from the OpenAPI documents of the pinned Kubernetes module:
//   npx tsx scripts/kubernetes-types.ts
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../render/json.ts';

const MODULE = 'k8s.io/kubernetes';
/** The version of Kubernetes that the types are of. */
export const VERSION = 'v1.36.3';
const DOCUMENTS = ['api__v1_openapi.json', 'apis__apps__v1_openapi.json'];
const OUTPUT = fileURLToPath(new URL('../render/parameters/kubernetes-types.json', import.meta.url));

// What parameters say in Kubernetes' own words. What is left out is said with an overlay.
const TYPES: Readonly<Record<string, { readonly schema: string; readonly without?: readonly string[] }>> = {
  Affinity: { schema: 'io.k8s.api.core.v1.Affinity' },
  DeploymentStrategy: { schema: 'io.k8s.api.apps.v1.DeploymentStrategy' },
  EnvFromSource: { schema: 'io.k8s.api.core.v1.EnvFromSource' },
  EnvVar: { schema: 'io.k8s.api.core.v1.EnvVar' },
  LifecycleHandler: { schema: 'io.k8s.api.core.v1.LifecycleHandler', without: ['tcpSocket'] },
  LocalObjectReference: { schema: 'io.k8s.api.core.v1.LocalObjectReference' },
  PodSecurityContext: { schema: 'io.k8s.api.core.v1.PodSecurityContext' },
  Probe: { schema: 'io.k8s.api.core.v1.Probe' },
  // Claims need resourceClaims of the pod.
  ResourceRequirements: { schema: 'io.k8s.api.core.v1.ResourceRequirements', without: ['claims'] },
  SecurityContext: { schema: 'io.k8s.api.core.v1.SecurityContext' },
  Toleration: { schema: 'io.k8s.api.core.v1.Toleration' },
  TopologySpreadConstraint: { schema: 'io.k8s.api.core.v1.TopologySpreadConstraint' },
  Volume: {
    schema: 'io.k8s.api.core.v1.Volume',
    // Those that Kubernetes itself has given up, and those that need a page of fields.
    without: [
      ...[
        'awsElasticBlockStore',
        'azureDisk',
        'azureFile',
        'cephfs',
        'cinder',
        'ephemeral',
        'fc',
        'flexVolume',
      ],
      ...['flocker', 'gcePersistentDisk', 'gitRepo', 'glusterfs', 'iscsi', 'photonPersistentDisk'],
      ...['portworxVolume', 'quobyte', 'rbd', 'scaleIO', 'storageos', 'vsphereVolume'],
    ],
  },
  VolumeMount: { schema: 'io.k8s.api.core.v1.VolumeMount' },
};

const QUANTITY_PATTERN =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';
const SPECIAL: Readonly<Record<string, JsonObject>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    'x-kubernetes-int-or-string': true,
    pattern: QUANTITY_PATTERN,
  },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { 'x-kubernetes-int-or-string': true },
};
const KEPT = [
  'type',
  'format',
  'enum',
  'required',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
];

/** The types as the data file holds them: CRD schemas, with the first sentence of each description. */
export function kubernetesTypes(directory: string): JsonObject {
  const schemas = Object.assign(
    {},
    ...DOCUMENTS.map((name) => {
      const document: unknown = JSON.parse(
        readFileSync(join(directory, 'api/openapi-spec/v3', name), 'utf8'),
      );
      return at(document, 'components', 'schemas');
    }),
  ) as JsonObject;
  const types = Object.entries(TYPES).map(([name, { schema, without = [] }]) => {
    const converted = convert({ $ref: `#/components/schemas/${schema}` }, schemas);
    const { description: _, ...rest } = converted;
    const properties = Object.entries(isJsonObject(rest.properties) ? rest.properties : {});
    return [
      name,
      { ...rest, properties: Object.fromEntries(properties.filter(([key]) => !without.includes(key))) },
    ];
  });
  return { module: MODULE, version: VERSION, types: Object.fromEntries(types) };
}

function convert(schema: JsonObject, schemas: JsonObject): JsonObject {
  const parts = isJsonList(schema.allOf) ? schema.allOf.filter(isJsonObject) : [];
  const reference = schema.$ref ?? parts.find((part) => part.$ref !== undefined)?.$ref;
  const own =
    typeof schema.description === 'string' ? { description: firstSentence(schema.description) } : {};
  if (typeof reference === 'string') {
    const name = reference.replace('#/components/schemas/', '');
    const special = SPECIAL[name];
    return { ...(special ?? convert(at(schemas, name), schemas)), ...own };
  }
  const result: Record<string, Json> = { ...own };
  for (const key of KEPT) if (schema[key] !== undefined) result[key] = schema[key];
  if (isJsonObject(schema.properties)) {
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [
        key,
        convert(isJsonObject(value) ? value : {}, schemas),
      ]),
    );
  }
  for (const key of ['items', 'additionalProperties'] as const) {
    const below = schema[key];
    if (isJsonObject(below)) {
      const { description: _, ...rest } = convert(below, schemas);
      result[key] = rest;
    }
  }
  return result;
}

function firstSentence(text: string): string {
  const plain = text.replace(/\s*\bMore info:.*$/is, '').trim();
  return (/^.*?[.:](?=\s|$)/s.exec(plain)?.[0] ?? plain).replaceAll(/\s+/g, ' ').replace(/:$/, '.');
}

function at(value: unknown, ...steps: readonly string[]): JsonObject {
  const found = steps.reduce<unknown>(
    (below, step) => (isJsonObject(below) ? below[step] : undefined),
    value,
  );
  if (!isJsonObject(found)) throw new TypeError(`the OpenAPI document has no ${steps.join('.')}`);
  return found;
}

/** The directory of the pinned Kubernetes module; needs `go`, and the network the first time. */
export function kubernetesModule(): string {
  const output = execFileSync('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`], {
    encoding: 'utf8',
  });
  return (JSON.parse(output) as { Dir: string }).Dir;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(OUTPUT, JSON.stringify(kubernetesTypes(kubernetesModule())));
  execFileSync('npx', ['biome', 'format', '--write', OUTPUT], { stdio: 'inherit' });
}
