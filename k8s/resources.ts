import { GATEWAY_API_GROUP } from '../render/gateway-api.ts';
import { DATA_PLANE } from '../render/parameters/data-plane-schema.ts';

interface Resource {
  /** The path of the group and version. */
  readonly group: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** As kubectl prints the kind. */
  readonly printed: string;
}

/** The kinds that gari reads and writes in a cluster. */
const RESOURCES = {
  Gateway: {
    group: `/apis/${GATEWAY_API_GROUP}/v1`,
    plural: 'gateways',
    namespaced: true,
    printed: `gateway.${GATEWAY_API_GROUP}`,
  },
  GatewayClass: {
    group: `/apis/${GATEWAY_API_GROUP}/v1`,
    plural: 'gatewayclasses',
    namespaced: false,
    printed: `gatewayclass.${GATEWAY_API_GROUP}`,
  },
  DataPlane: {
    group: `/apis/${DATA_PLANE.group}/${DATA_PLANE.version}`,
    plural: DATA_PLANE.plural,
    namespaced: true,
    printed: `${DATA_PLANE.singular}.${DATA_PLANE.group}`,
  },
  ConfigMap: { group: '/api/v1', plural: 'configmaps', namespaced: true, printed: 'configmap' },
  ServiceAccount: {
    group: '/api/v1',
    plural: 'serviceaccounts',
    namespaced: true,
    printed: 'serviceaccount',
  },
  ClusterRoleBinding: {
    group: '/apis/rbac.authorization.k8s.io/v1',
    plural: 'clusterrolebindings',
    namespaced: false,
    printed: 'clusterrolebinding.rbac.authorization.k8s.io',
  },
  RoleBinding: {
    group: '/apis/rbac.authorization.k8s.io/v1',
    plural: 'rolebindings',
    namespaced: true,
    printed: 'rolebinding.rbac.authorization.k8s.io',
  },
  Deployment: { group: '/apis/apps/v1', plural: 'deployments', namespaced: true, printed: 'deployment.apps' },
  Service: { group: '/api/v1', plural: 'services', namespaced: true, printed: 'service' },
} as const satisfies Record<string, Resource>;

/** A kind that gari reads or writes in a cluster. */
export type ClusterKind = keyof typeof RESOURCES;

/** An object of a cluster by name. */
export interface ClusterObject {
  readonly kind: ClusterKind;
  readonly namespace?: string;
  readonly name: string;
}

/** The path of an object, or of the collection that it is in. */
export function pathOf(
  { kind, namespace, name }: ClusterObject,
  what: 'object' | 'collection' = 'object',
): string {
  const { group, plural, namespaced } = RESOURCES[kind];
  const scope = namespaced ? `/namespaces/${namespace ?? ''}` : '';
  return `${group}${scope}/${plural}${what === 'object' ? `/${name}` : ''}`;
}

/** An object as kubectl prints it: `deployment.apps/web-gari`; without a name, its kind. */
export function printed({ kind, name }: ClusterObject): string {
  const { printed: kindName } = RESOURCES[kind];
  return name === '' ? kindName : `${kindName}/${name}`;
}

/** A resource as RBAC names it: `deployments.apps`. */
export function rbacName(kind: ClusterKind): string {
  const { group, plural } = RESOURCES[kind];
  const [, apis, name] = group.split('/');
  return apis === 'apis' ? `${plural}.${name}` : plural;
}
