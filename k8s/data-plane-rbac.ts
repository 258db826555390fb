import { GATEWAY_API_GROUP } from '../render/gateway-api.ts';
import { OWN_LABELS } from '../render/metadata.ts';
import type { RenderedObject } from '../render/objects.ts';
import { DATA_PLANE_ROLE } from '../render/subjects.ts';
import type { Rule } from './apply-rules.ts';
import { type Manifest, objectOf } from './install/manifest.ts';

const READ = ['get', 'list', 'watch'];
const RBAC_GROUP = 'rbac.authorization.k8s.io';

const ABOUT_THE_ROLE = [
  'What data planes read the cluster with. All of it, the Secrets of every namespace included, is needed only',
  'because each data plane compiles its own configuration. With central configuration (one process compiles,',
  'and gives each data plane no more than its own) this role and its binding would go, and a data plane would',
  'read one Secret. Until then a DataPlane with `access: Namespaced` or `access: None` grants less.',
];

const ABOUT_THE_BINDING = [
  'Without subjects: gari keeps the list, and applying this again must not wipe it.',
];

/**
 * The ClusterRole that data planes read the cluster with, and its binding. The binding has no
 * `subjects` key: applying it again must not wipe the list that gari keeps in it.
 */
export function dataPlaneManifests(bindingName: string): readonly Manifest[] {
  return [
    {
      about: ABOUT_THE_ROLE,
      object: {
        apiVersion: `${RBAC_GROUP}/v1`,
        kind: 'ClusterRole',
        metadata: { name: DATA_PLANE_ROLE, labels: OWN_LABELS },
      },
      rules: readRules('cluster'),
    },
    {
      about: ABOUT_THE_BINDING,
      object: {
        apiVersion: `${RBAC_GROUP}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: {
          name: bindingName,
          labels: OWN_LABELS,
          annotations: { 'gari.dev/installed': 'true' },
        },
        roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: DATA_PLANE_ROLE },
      },
    },
  ];
}

/** The same as plain objects. */
export function dataPlaneRbac(bindingName: string): readonly RenderedObject[] {
  return dataPlaneManifests(bindingName).map(objectOf);
}

/** The Role of data planes that read no more than one namespace. */
export function dataPlaneRole(namespace: string): Manifest {
  return {
    about: [`What data planes in ${namespace} read; each has a binding of its own to it.`],
    object: {
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: 'Role',
      metadata: { name: DATA_PLANE_ROLE, namespace, labels: OWN_LABELS },
    },
    rules: readRules('namespace'),
  };
}

function readRules(scope: 'cluster' | 'namespace'): readonly Rule[] {
  const ofCluster = (...resources: string[]) => (scope === 'cluster' ? resources : []);
  return [
    {
      apiGroups: [GATEWAY_API_GROUP],
      resources: [
        'backendtlspolicies',
        ...ofCluster('gatewayclasses'),
        'gateways',
        'grpcroutes',
        'httproutes',
        'listenersets',
        'referencegrants',
        'tcproutes',
        'tlsroutes',
        'udproutes',
      ],
      verbs: READ,
      purpose: 'what is routed where',
    },
    {
      apiGroups: [''],
      resources: ['configmaps', ...ofCluster('namespaces'), 'secrets', 'services'],
      verbs: READ,
      purpose:
        scope === 'cluster'
          ? 'certificates and keys, CA bundles, ports of backends, labels of namespaces'
          : 'certificates and keys, CA bundles, ports of backends',
    },
    {
      apiGroups: ['discovery.k8s.io'],
      resources: ['endpointslices'],
      verbs: READ,
      purpose: 'addresses of backends',
    },
  ];
}
