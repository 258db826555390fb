import type { ListenerSet } from '../../render/gateway-api.ts';
import { GATEWAY_API_GROUP } from '../../render/gateway-api.ts';
import type { Json, JsonObject } from '../../render/json.ts';
import { isJsonList, isJsonObject } from '../../render/json.ts';
import { parentKey } from '../../render/listener-sets.ts';
import { COMPONENT_LABEL } from '../../render/metadata.ts';
import { labelValue, renderedName } from '../../render/names.ts';
import type { WatchedResource } from '../cache/cluster-cache.ts';
import type { ResourceType } from '../cache/resource-type.ts';
import { FIELD_MANAGER } from '../field-manager.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedGateway } from '../status/observed.ts';
import { gatewayIndexKey, gatewayLabelOf } from './cluster-view.ts';
import type { ServiceEvent } from './service-warning.ts';

/** A kind that the controller follows. */
export interface Watched {
  readonly group: string;
  /** In order of preference. */
  readonly versions: readonly string[];
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Only what it selects is followed. */
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** The values under which an object is found, by index. */
  readonly indexes: Readonly<Record<string, (object: unknown) => readonly string[]>>;
  /** An object without what nobody reads. */
  readonly trim: (object: JsonObject) => JsonObject;
}

/** As {@link watchedKinds}, in the words of the cache. */
export function watchedResources(bindingName: string): readonly WatchedResource[] {
  return watchedKinds(bindingName).map(({ group, versions, kind, plural, namespaced, ...rest }) => ({
    type: { group, version: versions[0] ?? 'v1', kind, plural, namespaced },
    ...rest,
  })) as unknown as readonly WatchedResource[];
}

/** The type of a child's kind. */
export function resourceType(kind: string): ResourceType {
  const found = watchedResources('').find(({ type }) => type.kind === kind);
  if (found === undefined) throw new Error(`${kind} is not followed`);
  return found.type;
}

/** All that the controller follows. The binding's name is that of this install. */
export function watchedKinds(bindingName: string): readonly Watched[] {
  return [
    {
      ...gatewayApi('Gateway', 'gateways', true),
      indexes: {
        class: index<ObservedGateway>(({ spec }) => [spec.gatewayClassName]),
        renderedName: index<ObservedGateway>(({ metadata: { namespace, name } }) => [
          `${namespace}/${renderedName(name)}`,
        ]),
        label: index<ObservedGateway>(({ metadata: { namespace, name } }) => [
          gatewayIndexKey(namespace, labelValue(name)),
        ]),
      },
    },
    { ...gatewayApi('GatewayClass', 'gatewayclasses', false), indexes: {} },
    {
      ...gatewayApi('ListenerSet', 'listenersets', true),
      versions: ['v1'],
      indexes: {
        parent: index<ListenerSet>((set) => [parentKey(set)].filter((key) => key !== undefined)),
        namespace: index<ListenerSet>(({ metadata }) => [metadata.namespace]),
      },
    },
    {
      ...core('Namespace', 'namespaces', false),
      indexes: {},
      trim: ({ apiVersion = 'v1', kind = 'Namespace', metadata = {} }) => ({
        apiVersion,
        kind,
        metadata: withoutManagedFields(metadata),
      }),
    },
    child('', 'v1', 'ServiceAccount', 'serviceaccounts'),
    child('apps', 'v1', 'Deployment', 'deployments'),
    child('', 'v1', 'Service', 'services'),
    {
      ...core('Event', 'events', true),
      fieldSelector: 'involvedObject.kind=Service,type=Warning',
      indexes: {
        service: index<ServiceEvent>(({ metadata, involvedObject }) => [
          `${metadata.namespace ?? ''}/${involvedObject.name}`,
        ]),
      },
    },
    {
      group: 'rbac.authorization.k8s.io',
      versions: ['v1'],
      kind: 'ClusterRoleBinding',
      plural: 'clusterrolebindings',
      namespaced: false,
      fieldSelector: `metadata.name=${bindingName}`,
      indexes: {},
      trim: withoutOthersFields,
    },
  ];
}

function gatewayApi(kind: string, plural: string, namespaced: boolean) {
  const versions = ['v1', 'v1beta1'];
  return { group: GATEWAY_API_GROUP, versions, kind, plural, namespaced, trim: withoutFieldRecord };
}

function core(kind: string, plural: string, namespaced: boolean) {
  return { group: '', versions: ['v1'], kind, plural, namespaced, trim: withoutFieldRecord };
}

/** A kind that is made for Gateways: only what has gari's label, which no layer can take away. */
function child(group: string, version: string, kind: string, plural: string): Watched {
  return {
    group,
    versions: [version],
    kind,
    plural,
    namespaced: true,
    labelSelector: `${COMPONENT_LABEL}=dataplane`,
    indexes: {
      gateway: index<LiveObject>((object) => {
        const label = gatewayLabelOf(object);
        return label === undefined ? [] : [gatewayIndexKey(object.metadata.namespace ?? '', label)];
      }),
    },
    trim: withoutOthersFields,
  };
}

// What is followed has the shape that the API server has checked.
function index<T>(valuesOf: (object: T) => readonly string[]): (object: unknown) => readonly string[] {
  return (object) => valuesOf(object as T);
}

function withoutFieldRecord(object: JsonObject): JsonObject {
  return { ...object, metadata: withoutManagedFields(object.metadata ?? {}) };
}

function withoutManagedFields(metadata: Json): Json {
  if (!isJsonObject(metadata)) return metadata;
  const { managedFields: _, ...rest } = metadata;
  return rest;
}

/** Without the record of others' fields: only our own says whether an apply would change anything. */
function withoutOthersFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || !isJsonList(metadata.managedFields)) return object;
  const own = metadata.managedFields.filter(isJsonObject).filter(({ manager }) => manager === FIELD_MANAGER);
  return { ...object, metadata: { ...metadata, managedFields: own } };
}
