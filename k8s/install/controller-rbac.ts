import { GATEWAY_API_GROUP } from '../../render/gateway-api.ts';
import { DATA_PLANE_ROLE } from '../../render/subjects.ts';
import type { Rule } from '../apply-rules.ts';

/** The Lease by which the replicas of a controller agree on which one of them works. */
export const LEASE_NAME = 'gari-controller';

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const FOLLOW = ['list', 'watch'];
// Read from the cache; `get` where it was behind; `delete` to prune, and because the admission plugin
// OwnerReferencesPermissionEnforcement (OpenShift) asks for it where an owner is set on an object that is adopted.
const CHILD_VERBS = ['get', 'list', 'watch', 'create', 'patch', 'delete'];

/** What the controller needs wherever it looks after Gateways: in the whole cluster, or in each of its namespaces. */
const GATEWAY_RULES: readonly Rule[] = [
  rule(GATEWAY_API_GROUP, ['gateways'], ['get', ...FOLLOW], 'which Gateways there are'),
  rule(GATEWAY_API_GROUP, ['gateways/status'], ['patch'], 'their status; never their spec'),
  rule(GATEWAY_API_GROUP, ['listenersets'], FOLLOW, 'listeners that others add to Gateways'),
  rule('gari.dev', ['dataplanes'], FOLLOW, 'parameters of classes and Gateways'),
  rule(
    '',
    ['configmaps'],
    FOLLOW,
    'parameters in ConfigMaps; only those that are referred to are read, but RBAC cannot say so',
  ),
  rule('', ['serviceaccounts'], CHILD_VERBS, 'what a Gateway needs: an identity'),
  rule('apps', ['deployments'], CHILD_VERBS, 'what a Gateway needs: its data plane'),
  rule('', ['services'], CHILD_VERBS, 'what a Gateway needs: an address'),
  rule('', ['events'], FOLLOW, 'why a load balancer has no address: the last warning about a Service'),
  rule('events.k8s.io', ['events'], ['create', 'patch'], 'to tell users of what happens to their Gateways'),
];

/** Data planes with `access: Namespaced`; `role` is the kind of what they are bound to. */
function namespacedAccess(role: 'clusterroles' | 'roles'): readonly Rule[] {
  return [
    rule(RBAC_GROUP, ['rolebindings'], CHILD_VERBS, 'data planes that read no more than their own namespace'),
    { ...bindRule(role), purpose: 'the API server asks for it where such a binding is made' },
  ];
}

/** The rules of the controller's ClusterRole, where it looks after the whole cluster. */
export function clusterRules(bindingName: string): readonly Rule[] {
  return [
    rule(GATEWAY_API_GROUP, ['gatewayclasses'], FOLLOW, "which classes are gari's"),
    rule(GATEWAY_API_GROUP, ['gatewayclasses/status'], ['patch'], 'to accept them'),
    rule('', ['namespaces'], FOLLOW, 'labels, where listeners choose namespaces by them'),
    ...GATEWAY_RULES,
    {
      ...rule(
        RBAC_GROUP,
        ['clusterrolebindings'],
        ['get', ...FOLLOW, 'patch'],
        'the subjects of the shared binding, and of no other',
      ),
      resourceNames: [bindingName],
    },
    {
      ...bindRule('clusterroles'),
      purpose: 'the API server asks for it at each change of subjects; it allows nothing but this one role',
    },
    ...namespacedAccess('clusterroles').filter(({ verbs }) => !verbs.includes('bind')),
  ];
}

/** The rules of the controller's Role in each of its namespaces, where it looks after no others. */
export function namespaceRules(): readonly Rule[] {
  return [...GATEWAY_RULES, ...namespacedAccess('roles')];
}

/** What it needs in its own namespace, to choose the replica that works. */
export function leaseRules(): readonly Rule[] {
  return [
    {
      ...rule(
        'coordination.k8s.io',
        ['leases'],
        ['get', 'create', 'update'],
        'which of the replicas is the one that works',
      ),
      resourceNames: [LEASE_NAME],
    },
  ];
}

function bindRule(role: 'clusterroles' | 'roles'): Omit<Rule, 'purpose'> {
  return { apiGroups: [RBAC_GROUP], resources: [role], resourceNames: [DATA_PLANE_ROLE], verbs: ['bind'] };
}

function rule(
  apiGroup: string,
  resources: readonly string[],
  verbs: readonly string[],
  purpose: string,
): Rule {
  return { apiGroups: [apiGroup], resources, verbs, purpose };
}
