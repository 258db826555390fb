import type { Gateway, GatewayClass, ListenerSet, Namespace, ReferenceGrant } from './gateway-api.ts';
import { GATEWAY_API_GROUP } from './gateway-api.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';
import type { ExistingObject, RenderedObject } from './objects.ts';
import {
  anyText,
  fields,
  integer,
  listOf,
  mapOf,
  optional,
  type Problem,
  type Shape,
  text,
  textLike,
  uniqueBy,
} from './shape.ts';
import { suggest } from './validation/suggest.ts';

/** The objects that gari reads, by kind. */
export interface ReadKinds {
  readonly Gateway: Gateway;
  readonly GatewayClass: GatewayClass;
  readonly ListenerSet: ListenerSet;
  readonly ReferenceGrant: ReferenceGrant;
  readonly Namespace: Namespace;
  readonly ServiceAccount: ExistingObject;
  readonly RoleBinding: ExistingObject;
  readonly ClusterRoleBinding: RenderedObject;
  readonly Deployment: ExistingObject;
  readonly Service: ExistingObject;
}

/** A kind that gari reads. */
export type ReadKind = keyof ReadKinds;

/** An object that was read, told apart by its kind. */
export type ReadObject = { [K in ReadKind]: { readonly kind: K; readonly object: ReadKinds[K] } }[ReadKind];

const SUBDOMAIN = textLike(
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  253,
  'lower-case letters, digits, "-" and "." (a DNS subdomain)',
);
const LABEL = textLike(
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  63,
  'lower-case letters, digits and "-" (a DNS label)',
);
const stringMap = optional(mapOf(anyText));
const clusterMeta = { name: SUBDOMAIN, labels: stringMap, annotations: stringMap };
const owner = fields({ apiVersion: text, kind: text, name: text, uid: text });
const metadata = fields({ ...clusterMeta, namespace: LABEL, ownerReferences: optional(listOf(owner)) });
const listeners = uniqueBy(
  'name',
  listOf(fields({ name: text, port: integer(1, 65535), protocol: text, hostname: optional(anyText) })),
);
const selector = fields({
  matchLabels: stringMap,
  matchExpressions: optional(
    listOf(fields({ key: text, operator: text, values: optional(listOf(anyText)) })),
  ),
});
const reference = fields({ group: anyText, kind: text, name: text, namespace: optional(text) });

// What must be right for rendering; the schemas of the Gateway API say the rest.
const SHAPES: Readonly<Record<ReadKind, Shape>> = {
  Gateway: fields({
    metadata,
    spec: fields({
      gatewayClassName: text,
      listeners,
      addresses: optional(listOf(fields({ type: optional(text), value: optional(anyText) }))),
      infrastructure: optional(
        fields({ labels: stringMap, annotations: stringMap, parametersRef: optional(reference) }),
      ),
      allowedListeners: optional(
        fields({ namespaces: optional(fields({ from: optional(text), selector: optional(selector) })) }),
      ),
    }),
  }),
  GatewayClass: fields({
    metadata: fields(clusterMeta),
    spec: fields({ controllerName: text, parametersRef: optional(reference) }),
  }),
  ListenerSet: fields({
    metadata,
    spec: fields({
      parentRef: fields({
        group: optional(anyText),
        kind: optional(text),
        namespace: optional(text),
        name: text,
      }),
      listeners,
    }),
  }),
  ReferenceGrant: fields({
    metadata,
    spec: fields({
      from: listOf(fields({ group: anyText, kind: text, namespace: text })),
      to: listOf(fields({ group: anyText, kind: text, name: optional(text) })),
    }),
  }),
  Namespace: fields({ metadata: fields(clusterMeta) }),
  ServiceAccount: fields({ metadata }),
  RoleBinding: fields({ metadata }),
  ClusterRoleBinding: fields({
    metadata: fields({ name: text, labels: stringMap, annotations: stringMap }),
    subjects: optional(listOf(fields({ kind: text, name: text, namespace: optional(anyText) }))),
  }),
  Deployment: fields({ metadata }),
  Service: fields({ metadata }),
};

const CLUSTER_SCOPED: ReadonlySet<ReadKind> = new Set(['GatewayClass', 'Namespace', 'ClusterRoleBinding']);

const VERSIONS: Readonly<Record<ReadKind, readonly string[]>> = {
  Gateway: [`${GATEWAY_API_GROUP}/v1`, `${GATEWAY_API_GROUP}/v1beta1`],
  GatewayClass: [`${GATEWAY_API_GROUP}/v1`, `${GATEWAY_API_GROUP}/v1beta1`],
  ListenerSet: [`${GATEWAY_API_GROUP}/v1`],
  ReferenceGrant: [`${GATEWAY_API_GROUP}/v1`, `${GATEWAY_API_GROUP}/v1beta1`],
  Namespace: ['v1'],
  ServiceAccount: ['v1'],
  RoleBinding: ['rbac.authorization.k8s.io/v1'],
  ClusterRoleBinding: ['rbac.authorization.k8s.io/v1'],
  Deployment: ['apps/v1'],
  Service: ['v1'],
};

/** The kind of an object, if it is one that gari reads. */
export function readKindOf(object: JsonObject): ReadKind | undefined {
  const { apiVersion, kind } = object;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || !Object.hasOwn(VERSIONS, kind))
    return undefined;
  return VERSIONS[kind as ReadKind].includes(apiVersion) ? (kind as ReadKind) : undefined;
}

/**
 * The versions that gari reads, of a Gateway API object that has another; undefined for all others.
 * Nothing rendered depends on a ReferenceGrant, and old versions of it are still about.
 */
export function otherVersionsOf({ apiVersion, kind }: JsonObject): readonly string[] | undefined {
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || !Object.hasOwn(VERSIONS, kind))
    return undefined;
  const versions = VERSIONS[kind as ReadKind];
  const sameGroup =
    apiVersion.startsWith(`${GATEWAY_API_GROUP}/`) && versions[0]?.startsWith(`${GATEWAY_API_GROUP}/`);
  const matters = sameGroup === true && kind !== 'ReferenceGrant';
  return matters && !versions.includes(apiVersion) ? versions : undefined;
}

// The Gateway API's other kinds of the group, which are passed over.
const OTHER_KINDS = ['BackendTLSPolicy', 'GRPCRoute', 'HTTPRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute'];

/** The kind that was probably meant by one that the Gateway API's group does not have. */
export function misspelledKind({ apiVersion, kind }: JsonObject): string | undefined {
  const isOfGroup = typeof apiVersion === 'string' && apiVersion.startsWith(`${GATEWAY_API_GROUP}/`);
  if (!isOfGroup || typeof kind !== 'string') return undefined;
  const read = Object.keys(VERSIONS).filter((name) =>
    VERSIONS[name as ReadKind].some((version) => version.startsWith(`${GATEWAY_API_GROUP}/`)),
  );
  if ([...read, ...OTHER_KINDS].includes(kind)) return undefined;
  const meant = suggest(kind, [...read, ...OTHER_KINDS]);
  return meant !== undefined && read.includes(meant) ? meant : undefined;
}

/** The field without which an object that looks like one of the Gateway API's is none, and what belongs there. */
export function missingType({
  apiVersion,
  kind,
}: JsonObject): { readonly field: 'apiVersion' | 'kind'; readonly meant: string } | undefined {
  if (apiVersion === undefined && typeof kind === 'string' && Object.hasOwn(VERSIONS, kind)) {
    const [version] = VERSIONS[kind as ReadKind];
    const isOfGroup = version?.startsWith(`${GATEWAY_API_GROUP}/`);
    return isOfGroup ? { field: 'apiVersion', meant: version ?? '' } : undefined;
  }
  const isOfGroup = typeof apiVersion === 'string' && apiVersion.startsWith(`${GATEWAY_API_GROUP}/`);
  return isOfGroup && kind === undefined ? { field: 'kind', meant: 'for example Gateway' } : undefined;
}

/** Whether objects of a kind live in a namespace. */
export function isNamespaced(kind: ReadKind): boolean {
  return !CLUSTER_SCOPED.has(kind);
}

/**
 * Reads an object of a kind: gives it the namespace if it needs one and has none, drops nulls as the
 * API server does, and checks what rendering depends on.
 */
export function readObject(
  kind: ReadKind,
  raw: JsonObject,
  namespace: string,
): { object: ReadObject; problems: readonly [] } | { object?: undefined; problems: readonly Problem[] } {
  const object = withNamespace(withoutNulls(raw), isNamespaced(kind) ? namespace : undefined);
  const problems = SHAPES[kind](object, []);
  if (problems.length > 0) return { problems };
  // The shape has just been checked.
  return { object: { kind, object } as unknown as ReadObject, problems: [] };
}

function withNamespace(object: JsonObject, namespace: string | undefined): JsonObject {
  const { metadata } = object;
  if (namespace === undefined || !isJsonObject(metadata)) return object;
  if (metadata.namespace !== undefined && metadata.namespace !== '') return object;
  return { ...object, metadata: { ...metadata, namespace } };
}

function withoutNulls(object: JsonObject): JsonObject {
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(object)) {
    if (value !== null) result[key] = isJsonObject(value) ? withoutNulls(value) : withoutNullsInList(value);
  }
  return result;
}

function withoutNullsInList(value: Json): Json {
  if (!isJsonList(value)) return value;
  return value.map((item) => (isJsonObject(item) ? withoutNulls(item) : item));
}
