import { DEFAULT_CONTROLLER_NAME } from '../../render/claim.ts';
import { GATEWAY_API_GROUP } from '../../render/gateway-api.ts';
import type { RenderedObject } from '../../render/objects.ts';
import { DATA_PLANE_ROLE } from '../../render/subjects.ts';
import { dataPlaneManifests, dataPlaneRole } from '../data-plane-rbac.ts';
import {
  CONTROLLER_LABELS,
  CONTROLLER_NAME,
  controllerDeployment,
  controllerDisruptionBudget,
} from './controller-deployment.ts';
import { clusterRules, leaseRules, namespaceRules } from './controller-rbac.ts';
import type { Manifest } from './manifest.ts';

/** What is installed, and how it differs from the default. */
export interface InstallOptions {
  /** Where the controller runs. */
  readonly namespace: string;
  /** Its image. */
  readonly controllerImage: string;
  readonly bindingName: string;
  readonly controllerName: string;
  readonly className: string;
  /** The data plane's image, where it is not the built-in one. */
  readonly image?: string;
}

const RBAC_VERSION = 'rbac.authorization.k8s.io/v1';

/** All that a controller for the whole cluster needs. */
export function clusterInstall(options: InstallOptions): readonly Manifest[] {
  const { namespace, bindingName, className, controllerName } = options;
  // Two installs have two namespaces, and so two of each.
  const name = `${namespace}-controller`;
  return [
    {
      object: {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: namespace,
          labels: { ...CONTROLLER_LABELS, 'pod-security.kubernetes.io/enforce': 'restricted' },
        },
      },
    },
    ...ownIdentity(namespace),
    {
      object: {
        apiVersion: RBAC_VERSION,
        kind: 'ClusterRole',
        metadata: { name, labels: CONTROLLER_LABELS },
      },
      about: ['What the controller may do: no more than this. A test runs it with these rights alone.'],
      rules: clusterRules(bindingName),
    },
    {
      object: {
        apiVersion: RBAC_VERSION,
        kind: 'ClusterRoleBinding',
        metadata: { name, labels: CONTROLLER_LABELS },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [controllerSubject(namespace)],
      },
    },
    ...dataPlaneManifests(bindingName),
    {
      object: {
        apiVersion: `${GATEWAY_API_GROUP}/v1`,
        kind: 'GatewayClass',
        metadata: { name: className, labels: CONTROLLER_LABELS },
        spec: { controllerName },
      },
    },
    ...workload(options, [
      ...changed('--controller-name', controllerName, DEFAULT_CONTROLLER_NAME),
      ...changed('--binding-name', bindingName, DATA_PLANE_ROLE),
    ]),
  ];
}

/** All that a controller for some namespaces needs: nothing that is outside of them and of its own. */
export function namespacedInstall(
  options: InstallOptions,
  namespaces: readonly string[],
): readonly Manifest[] {
  const { namespace, className } = options;
  const perNamespace = namespaces.flatMap((each): Manifest[] => [
    {
      object: roleIn(each, CONTROLLER_NAME),
      about: [`What the controller may do in ${each}.`],
      rules: namespaceRules(),
    },
    { object: bindingIn(each, namespace, CONTROLLER_NAME) },
    dataPlaneRole(each),
  ]);
  return [
    ...ownIdentity(namespace),
    ...perNamespace,
    ...workload(options, [`--namespaces=${namespaces.join(',')}`, `--class-name=${className}`]),
  ];
}

/** The controller's account, and what it may do in its own namespace. */
function ownIdentity(namespace: string): readonly Manifest[] {
  const name = `${CONTROLLER_NAME}-lease`;
  return [
    {
      object: {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: CONTROLLER_NAME, namespace, labels: CONTROLLER_LABELS },
      },
    },
    { object: roleIn(namespace, name), rules: leaseRules() },
    { object: bindingIn(namespace, namespace, name) },
  ];
}

function workload(
  { namespace, controllerImage, image }: InstallOptions,
  args: readonly string[],
): readonly Manifest[] {
  const all = [...args, ...(image === undefined ? [] : [`--image=${image}`])];
  return [
    { object: controllerDeployment(namespace, controllerImage, all) },
    { object: controllerDisruptionBudget(namespace) },
  ];
}

function changed(flag: string, value: string, usual: string): readonly string[] {
  return value === usual ? [] : [`${flag}=${value}`];
}

function roleIn(namespace: string, name: string): RenderedObject {
  return {
    apiVersion: RBAC_VERSION,
    kind: 'Role',
    metadata: { name, namespace, labels: CONTROLLER_LABELS },
  };
}

function bindingIn(namespace: string, controllerNamespace: string, role: string): RenderedObject {
  return {
    apiVersion: RBAC_VERSION,
    kind: 'RoleBinding',
    metadata: { name: role, namespace, labels: CONTROLLER_LABELS },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role },
    subjects: [controllerSubject(controllerNamespace)],
  };
}

function controllerSubject(namespace: string): { kind: string; name: string; namespace: string } {
  return { kind: 'ServiceAccount', name: CONTROLLER_NAME, namespace };
}
