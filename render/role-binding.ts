import { type KindRenderer, reaching } from './gateway-context.ts';
import { objectIdentity } from './metadata.ts';
import { DATA_PLANE_ROLE } from './subjects.ts';

/**
 * The binding of a data plane that may read its own namespace only. To the same ClusterRole as the shared
 * binding, so that its maker needs no right but `bind` on that one; to a Role where there is none.
 */
export const roleBinding: KindRenderer = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  defaults: () => ({}),
  infrastructure: (metadata, context) => reaching('RoleBinding', metadata, context),
  identity: ({ gateway, name, roleKind }) => ({
    metadata: objectIdentity(gateway, name),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: DATA_PLANE_ROLE },
    subjects: [{ kind: 'ServiceAccount', name, namespace: gateway.metadata.namespace }],
  }),
};
