import { GATEWAY_API_GROUP } from '../render/gateway-api.ts';
import { DATA_PLANE_ROLE } from '../render/subjects.ts';

/** A rule of a Role or ClusterRole, and what it is for. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
  readonly purpose: string;
}

const CHILD_VERBS = ['get', 'list', 'create', 'patch', 'delete'];

/** What `gari apply` and `gari delete` need in each namespace with Gateways. */
export const NAMESPACE_RULES: readonly Rule[] = [
  {
    apiGroups: [GATEWAY_API_GROUP],
    resources: ['gateways'],
    verbs: ['get'],
    purpose: 'the uid that the objects belong to',
  },
  { apiGroups: [''], resources: ['serviceaccounts'], verbs: CHILD_VERBS, purpose: 'the objects of Gateways' },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: CHILD_VERBS, purpose: 'the objects of Gateways' },
  { apiGroups: [''], resources: ['services'], verbs: CHILD_VERBS, purpose: 'the objects of Gateways' },
];

/** What `gari apply --with-gateways` needs there besides. */
export const WITH_GATEWAYS_RULES: readonly Rule[] = [
  {
    apiGroups: [GATEWAY_API_GROUP],
    resources: ['gateways'],
    verbs: ['create', 'patch'],
    purpose: 'the Gateways themselves, with `--with-gateways`',
  },
];

/** What they need in the whole cluster. */
export function clusterRules(bindingName: string): readonly Rule[] {
  return [
    {
      apiGroups: [GATEWAY_API_GROUP],
      resources: ['gatewayclasses'],
      verbs: ['get'],
      purpose: 'the parameters of a class that is not in the files',
    },
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['clusterrolebindings'],
      resourceNames: [bindingName],
      verbs: ['get', 'patch'],
      purpose: 'the subjects of the shared binding',
    },
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['clusterroles'],
      resourceNames: [DATA_PLANE_ROLE],
      verbs: ['bind'],
      purpose: 'the API server asks for it at each change of subjects',
    },
  ];
}
