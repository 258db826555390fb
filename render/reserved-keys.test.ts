import { describe, expect, it } from 'vitest';
import { reservedReason } from './reserved-keys.ts';

// One key of each entry of research/ssa.md 3.3, as the tools write them.
const RESERVED = [
  'gateway.networking.k8s.io/gateway-name',
  'gari.dev/gateway',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
  'argocd.argoproj.io/tracking-id',
  'kustomize.toolkit.fluxcd.io/name',
  'helm.toolkit.fluxcd.io/name',
  'fluxcd.io/sync-checksum',
  'meta.helm.sh/release-name',
  'helm.sh/chart',
  'kubectl.kubernetes.io/last-applied-configuration',
  'kubectl.kubernetes.io/restartedAt',
  'applyset.kubernetes.io/part-of',
  'applyset.k8s.io/part-of',
  'config.kubernetes.io/local-config',
  'internal.config.kubernetes.io/path',
  'kustomize.config.k8s.io/id',
  'config.k8s.io/owning-inventory',
  'cli-utils.sigs.k8s.io/inventory-id',
  'client.lifecycle.config.k8s.io/deletion',
  'kpt.dev/resource-merge',
  'internal.kpt.dev/upstream-identifier',
  'configmanagement.gke.io/token',
  'configsync.gke.io/resource-id',
  'kapp.k14s.io/app',
  'objectset.rio.cattle.io/hash',
  'fleet.cattle.io/bundle-id',
  'tanka.dev/environment',
  'kro.run/instance-name',
  'crossplane.io/external-name',
  'pulumi.com/autonamed',
  'skaffold.dev/run-id',
  'olm.owner',
  'operators.coreos.com/x',
  'velero.io/backup-name',
  'velero.io/restore-name',
  // What would confine a pod less.
  'container.apparmor.security.beta.kubernetes.io/dataplane',
  'seccomp.security.alpha.kubernetes.io/pod',
  'container.seccomp.security.alpha.kubernetes.io/dataplane',
  'deployment.kubernetes.io/revision',
  'pod-template-hash',
  'controller-revision-hash',
  'autoscaling.alpha.kubernetes.io/conditions',
];

const FREE = [
  'team',
  'app',
  'app.kubernetes.io/part-of',
  'app.kubernetes.io/instances',
  'argocd.argoproj.iox/x',
  'example.com/argocd.argoproj.io',
  'kubectl.kubernetes.io/default-container',
  'velero.io/exclude-from-backup',
  'olmo',
  'pod-template-hash-2',
  'service.beta.kubernetes.io/aws-load-balancer-type',
  'external-dns.alpha.kubernetes.io/hostname',
  'gateway.networking.k8s.iox/y',
];

describe('reservedReason', () => {
  it.each(RESERVED)('%s is reserved', (key) => expect(reservedReason(key)).toMatch(/\w/));
  it.each(FREE)('%s is free', (key) => expect(reservedReason(key)).toBeUndefined());
  it('names the tool', () => {
    expect(reservedReason('helm.sh/chart')).toBe('helm.sh/ is how Helm tracks what it owns');
  });
});
