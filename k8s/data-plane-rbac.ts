import { GATEWAY_API_GROUP } from '../render/gateway-api.ts';
import { OWN_LABELS } from '../render/metadata.ts';
import type { RenderedObject } from '../render/objects.ts';
import { DATA_PLANE_ROLE } from '../render/subjects.ts';

const READ = ['get', 'list', 'watch'];

/**
 * The ClusterRole that data planes read the cluster with, and its binding. The binding has no
 * `subjects` key: applying it again must not wipe the list that gari keeps in it.
 */
export function dataPlaneRbac(bindingName: string): readonly RenderedObject[] {
  return [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: DATA_PLANE_ROLE, labels: OWN_LABELS },
      rules: [
        {
          apiGroups: [GATEWAY_API_GROUP],
          resources: [
            'backendtlspolicies',
            'gatewayclasses',
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
        },
        { apiGroups: [''], resources: ['configmaps', 'namespaces', 'secrets', 'services'], verbs: READ },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: READ },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: {
        name: bindingName,
        labels: OWN_LABELS,
        annotations: { 'gari.dev/installed': 'true' },
      },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: DATA_PLANE_ROLE },
    },
  ];
}
