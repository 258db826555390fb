import type { GatewayClass, ListenerSet } from '../../render/gateway-api.ts';
import { GATEWAY_API_GROUP } from '../../render/gateway-api.ts';
import { parentKey } from '../../render/listener-sets.ts';
import { COMPONENT_LABEL } from '../../render/metadata.ts';
import { labelValue, renderedName } from '../../render/names.ts';
import { DATA_PLANE } from '../../render/parameters/data-plane-schema.ts';
import {
  classTarget,
  gatewayTarget,
  type ParametersTarget,
  parametersKey,
} from '../../render/parameters/resolve.ts';
import type { WatchedResource } from '../cache/cluster-cache.ts';
import type { ResourceType } from '../cache/resource-type.ts';
import { metadataOnly, withFieldRecordsOf, withoutFieldRecords } from '../cache/trim.ts';
import { FIELD_MANAGER } from '../field-manager.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedGateway } from '../status/observed.ts';
import { gatewayIndexKey, gatewayLabelOf } from './cluster-view.ts';
import type { ServiceEvent } from './service-warning.ts';

/** The type of a kind whose objects are followed one by one. */
export function resourceType(kind: string): ResourceType {
  const found = watchedResources('').find(({ type }) => type.kind === kind);
  // The only kind that is followed in no other way.
  return found?.type ?? core(kind, 'configmaps', true).type;
}

/** All that the controller follows. The binding's name is that of this install. */
export function watchedResources(bindingName: string): readonly WatchedResource[] {
  return [
    {
      ...gatewayApi('Gateway', 'gateways', true),
      indexes: {
        class: index<ObservedGateway>(({ spec }) => [spec.gatewayClassName]),
        renderedName: index<ObservedGateway>(({ metadata: { namespace, name } }) => [
          `${namespace}/${renderedName(name)}`,
        ]),
        parameters: index<ObservedGateway>((gateway) => keysOf(gatewayTarget(gateway))),
        label: index<ObservedGateway>(({ metadata: { namespace, name } }) => [
          gatewayIndexKey(namespace, labelValue(name)),
        ]),
      },
    },
    {
      ...gatewayApi('GatewayClass', 'gatewayclasses', false),
      indexes: { parameters: index<GatewayClass>((each) => keysOf(classTarget(each))) },
    },
    {
      type: {
        group: DATA_PLANE.group,
        version: DATA_PLANE.version,
        kind: DATA_PLANE.kind,
        plural: DATA_PLANE.plural,
        namespaced: true,
      },
      // Parameters can be ConfigMaps as well.
      optional: true,
      trim: withoutFieldRecords,
    },
    {
      ...gatewayApi('ListenerSet', 'listenersets', true),
      // Clusters before Gateway API 1.5 have none.
      otherVersions: [],
      optional: true,
      indexes: {
        parent: index<ListenerSet>((set) => [parentKey(set)].filter((key) => key !== undefined)),
        namespace: index<ListenerSet>(({ metadata }) => [metadata.namespace]),
      },
    },
    {
      ...core('Namespace', 'namespaces', false),
      trim: metadataOnly,
    },
    child('', 'v1', 'ServiceAccount', 'serviceaccounts'),
    child('rbac.authorization.k8s.io', 'v1', 'RoleBinding', 'rolebindings'),
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
      type: {
        group: 'rbac.authorization.k8s.io',
        version: 'v1',
        kind: 'ClusterRoleBinding',
        plural: 'clusterrolebindings',
        namespaced: false,
      },
      fieldSelector: `metadata.name=${bindingName}`,
      trim: withFieldRecordsOf(FIELD_MANAGER),
    },
  ];
}

function keysOf(target: ParametersTarget | undefined): readonly string[] {
  return target === undefined ? [] : [parametersKey(target)];
}

function gatewayApi(kind: string, plural: string, namespaced: boolean) {
  const type = { group: GATEWAY_API_GROUP, version: 'v1', kind, plural, namespaced };
  return { type, otherVersions: ['v1beta1'], trim: withoutFieldRecords };
}

function core(kind: string, plural: string, namespaced: boolean) {
  return { type: { group: '', version: 'v1', kind, plural, namespaced }, trim: withoutFieldRecords };
}

/** A kind that is made for Gateways: only what has gari's label, which no layer can take away. */
function child(group: string, version: string, kind: string, plural: string): WatchedResource {
  return {
    type: { group, version, kind, plural, namespaced: true },
    labelSelector: `${COMPONENT_LABEL}=dataplane`,
    indexes: {
      gateway: index<LiveObject>((object) => {
        const label = gatewayLabelOf(object);
        return label === undefined ? [] : [gatewayIndexKey(object.metadata.namespace ?? '', label)];
      }),
    },
    trim: withFieldRecordsOf(FIELD_MANAGER),
  };
}

// What is followed has the shape that the API server has checked.
function index<T>(valuesOf: (object: T) => readonly string[]): (object: unknown) => readonly string[] {
  return (object) => valuesOf(object as T);
}
