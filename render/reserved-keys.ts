import { GATEWAY_API_GROUP } from './gateway-api.ts';

/**
 * Label and annotation keys that gari never copies to a child, and why. A key matches an entry that
 * it equals, or that it starts with where the entry ends in `/` or `.`. The tools' keys are how they
 * track what they own: copied to a child, they make Argo CD, Flux, kubectl or kpt delete it
 * (maistra/istio#849, l7mp/stunner-gateway-operator#70, rancher/fleet#1201).
 */
const RESERVED: readonly (readonly [entry: string, reason: string])[] = [
  [`${GATEWAY_API_GROUP}/`, `${GATEWAY_API_GROUP}/ is reserved`],
  ['gari.dev/', "gari.dev/ is gari's own"],
  ['app.kubernetes.io/managed-by', 'gari sets it itself'],
  ['app.kubernetes.io/name', 'gari sets it itself'],
  ...tracking('Argo CD', 'app.kubernetes.io/instance', 'argocd.argoproj.io/'),
  ...tracking('Flux', 'kustomize.toolkit.fluxcd.io/', 'helm.toolkit.fluxcd.io/', 'fluxcd.io/'),
  ...tracking('Helm', 'meta.helm.sh/', 'helm.sh/'),
  ...tracking(
    'kubectl',
    'kubectl.kubernetes.io/last-applied-configuration',
    'applyset.kubernetes.io/',
    'applyset.k8s.io/',
  ),
  ['kubectl.kubernetes.io/restartedAt', 'kubectl rollout restart sets it on the Deployment alone'],
  ...tracking(
    'kpt or kustomize',
    'config.kubernetes.io/',
    'internal.config.kubernetes.io/',
    'kustomize.config.k8s.io/',
    'config.k8s.io/',
    'cli-utils.sigs.k8s.io/',
    'client.lifecycle.config.k8s.io/',
    'kpt.dev/',
    'internal.kpt.dev/',
  ),
  ...tracking('Config Sync', 'configmanagement.gke.io/', 'configsync.gke.io/'),
  ...tracking('kapp', 'kapp.k14s.io/'),
  ...tracking('Rancher Fleet', 'objectset.rio.cattle.io/', 'fleet.cattle.io/'),
  ...tracking('Tanka', 'tanka.dev/'),
  ...tracking('kro', 'kro.run/'),
  ...tracking('Crossplane', 'crossplane.io/'),
  ...tracking('Pulumi', 'pulumi.com/'),
  ...tracking('Skaffold', 'skaffold.dev/'),
  ...tracking('OLM', 'olm.', 'operators.coreos.com/'),
  ...tracking('Velero', 'velero.io/backup-name', 'velero.io/restore-name'),
  // The API server takes them for fields of the securityContext, which is for the class to say.
  ...confining(
    'container.apparmor.security.beta.kubernetes.io/',
    'seccomp.security.alpha.kubernetes.io/',
    'container.seccomp.security.alpha.kubernetes.io/',
  ),
  ['deployment.kubernetes.io/', 'the Deployment controller sets it'],
  ['pod-template-hash', 'the Deployment controller sets it'],
  ['controller-revision-hash', "the workload's controller sets it"],
  ['autoscaling.alpha.kubernetes.io/', 'the HorizontalPodAutoscaler controller sets it'],
];

function tracking(tool: string, ...entries: string[]): [string, string][] {
  return entries.map((entry) => [entry, `${entry} is how ${tool} tracks what it owns`]);
}

function confining(...entries: string[]): [string, string][] {
  return entries.map((entry) => [entry, 'how a pod is confined is said in its securityContext']);
}

/** Why a label or annotation key must not reach a child, or undefined if it may. */
export function reservedReason(key: string): string | undefined {
  return RESERVED.find(([entry]) => key === entry || (/[/.]$/.test(entry) && key.startsWith(entry)))?.[1];
}
