import { describe, expect, it } from 'vitest';
import type { Gateway } from '../../render/gateway-api.ts';
import type { Condition, Verdict } from './conditions.ts';
import type { ObservedDeployment, ObservedService } from './observed.ts';
import { type Infrastructure, programmedVerdict } from './programmed.ts';

const gateway = (addresses?: Gateway['spec']['addresses']): Gateway => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: {
    gatewayClassName: 'gari',
    listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
    ...(addresses === undefined ? {} : { addresses }),
  },
});

const meta = { name: 'web-gari', namespace: 'prod', uid: 'u', resourceVersion: '5' };
const complete = { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' };
const available = { type: 'Available', status: 'True' };
const unavailable = { type: 'Available', status: 'False' };

function deployment(
  status: ObservedDeployment['status'],
  { generation = 1, replicas = 1 } = {},
): ObservedDeployment {
  return {
    metadata: { ...meta, generation },
    spec: { replicas },
    ...(status === undefined ? {} : { status }),
  };
}

const serving = deployment({
  observedGeneration: 1,
  availableReplicas: 1,
  conditions: [available, complete],
});

const balancer = (...ips: string[]): ObservedService => ({
  metadata: meta,
  spec: { type: 'LoadBalancer' },
  status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
});

const fine: Infrastructure = {
  accepted: { status: 'True', reason: 'Accepted', message: 'claimed' },
  blockedBy: [],
  refused: [],
  failed: [],
  deployment: serving,
  service: balancer('198.51.100.1'),
  serviceWarning: undefined,
  rights: 'given',
  rolloutPending: undefined,
};

const recorded = (status: Condition['status'], reason: string): Condition => ({
  type: 'Programmed',
  status,
  reason,
  message: `was ${reason}`,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

const said = ({ status, reason, message }: Verdict): string => `${status} ${reason}: ${message}`;

const PENDING = 'False Pending: the Deployment and what it needs are being set up';
const PROGRAMMED = 'True Programmed: the data plane is available and has its addresses';

describe('Programmed', () => {
  const lagging = deployment(serving.status, { generation: 2 });
  const cases: readonly [
    string,
    Partial<Infrastructure> & {
      readonly addresses?: Gateway['spec']['addresses'];
      readonly previous?: Condition;
    },
    string,
  ][] = [
    ['is true when all holds', {}, PROGRAMMED],
    [
      'is false for a Gateway that is not accepted',
      { accepted: { status: 'False', reason: 'InvalidParameters', message: 'DataPlane a is not there' } },
      'False Invalid: the Gateway is not accepted: DataPlane a is not there',
    ],
    [
      'names what is in the way',
      { blockedBy: [{ kind: 'Service', namespace: 'prod', name: 'web-gari' }] },
      "False ResourceConflict: Service prod/web-gari is there and is not gari's; rename or remove it, or rename the Gateway",
    ],
    [
      'says what the server refused',
      { refused: ['Service web-gari: spec.clusterIP is immutable'] },
      'False Invalid: Service web-gari: spec.clusterIP is immutable',
    ],
    ['is false without a Deployment', { deployment: undefined }, PENDING],
    ['is false for a Deployment that nobody has looked at', { deployment: deployment(undefined) }, PENDING],
    [
      'is false for a new Deployment, whatever was before',
      { deployment: deployment(undefined), previous: recorded('True', 'Programmed') },
      PENDING,
    ],
    [
      'is false while the first pods start',
      {
        deployment: deployment({
          observedGeneration: 1,
          conditions: [unavailable, { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }],
        }),
      },
      PENDING,
    ],
    [
      'is false for one that is Available without any replica (maxUnavailable 1)',
      { deployment: deployment({ observedGeneration: 1, conditions: [available] }) },
      PENDING,
    ],
    [
      'says so where there are to be no replicas',
      {
        deployment: deployment({ observedGeneration: 1, conditions: [available, complete] }, { replicas: 0 }),
      },
      'False NoResources: Deployment web-gari is scaled to 0 replicas',
    ],
    [
      'says why pods cannot be made',
      {
        deployment: deployment({
          observedGeneration: 1,
          conditions: [
            unavailable,
            { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' },
          ],
        }),
      },
      'False NoResources: Deployment web-gari: exceeded quota',
    ],
    [
      'says that a rollout is stuck',
      {
        deployment: deployment({
          observedGeneration: 1,
          conditions: [
            unavailable,
            {
              type: 'Progressing',
              status: 'False',
              reason: 'ProgressDeadlineExceeded',
              message: 'timed out',
            },
          ],
        }),
      },
      'False NoResources: Deployment web-gari: timed out',
    ],
    [
      'says that pods went',
      {
        deployment: deployment({ observedGeneration: 1, conditions: [unavailable, complete] }),
        previous: recorded('True', 'Programmed'),
      },
      'False NoResources: Deployment web-gari has too few available replicas',
    ],
    [
      'stays true while a rollout that keeps a replica is not observed yet',
      { deployment: lagging, previous: recorded('True', 'Programmed') },
      'True Programmed: was Programmed',
    ],
    [
      'stays false while a change is not observed yet',
      { deployment: lagging, previous: recorded('False', 'AddressNotAssigned') },
      'False AddressNotAssigned: was AddressNotAssigned',
    ],
    [
      'counts as false where only the default of the CRD was recorded',
      { deployment: lagging, previous: recorded('Unknown', 'Pending') },
      PENDING,
    ],
    [
      'stays true while some replicas are replaced',
      {
        deployment: deployment(
          {
            observedGeneration: 2,
            availableReplicas: 1,
            conditions: [available, { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }],
          },
          { generation: 2, replicas: 2 },
        ),
      },
      PROGRAMMED,
    ],
    ['is false at first, although all is there', { previous: recorded('Unknown', 'Pending') }, PENDING],
    [
      'says why it waits in vain',
      { deployment: undefined, failed: ['Deployment web-gari: no right to create deployments.apps'] },
      'False Pending: tried again: Deployment web-gari: no right to create deployments.apps',
    ],
    ['is false until its ServiceAccount is a subject', { rights: 'pending' }, PENDING],
    [
      'says why it cannot be a subject',
      { rights: { problem: 'ClusterRoleBinding gari-dataplane is not there' } },
      'False BindingNotUsable: ClusterRoleBinding gari-dataplane is not there',
    ],
    [
      'needs an address',
      { service: balancer() },
      'False AddressNotAssigned: no address is assigned to Service web-gari yet; it comes from the load balancer of the cluster, if it has one',
    ],
    [
      'says why there is no address',
      { service: balancer(), serviceWarning: 'no available IPs' },
      'False AddressNotAssigned: no address is assigned to Service web-gari yet: no available IPs',
    ],
    [
      'needs a Service',
      { service: undefined },
      'False AddressNotAssigned: no address is assigned to the Service yet',
    ],
    [
      'takes any address where one without a value is asked for',
      { addresses: [{ type: 'IPAddress' }] },
      PROGRAMMED,
    ],
    ['takes the address that is asked for', { addresses: [{ value: '198.51.100.1' }] }, PROGRAMMED],
    [
      'waits for the address that is asked for',
      { addresses: [{ value: '203.0.113.1' }], service: balancer() },
      'False AddressNotAssigned: 203.0.113.1 is not assigned to Service web-gari yet; it comes from the load balancer of the cluster, if it has one',
    ],
    [
      'says that the address cannot be had',
      { addresses: [{ value: '203.0.113.1' }], service: balancer(), serviceWarning: 'not in any pool' },
      'False AddressNotUsable: 203.0.113.1 cannot be assigned to Service web-gari: not in any pool',
    ],
    [
      'names the one of two addresses that is not assigned',
      { addresses: [{ value: '198.51.100.1' }, { type: 'IPAddress', value: '203.0.113.1' }] },
      'False AddressNotUsable: 203.0.113.1 in spec.addresses is not assigned to Service web-gari, which has 198.51.100.1',
    ],
    [
      'knows both spellings of an IPv6 address',
      { addresses: [{ value: '2001:DB8:0:0::1' }], service: balancer('2001:db8::1') },
      PROGRAMMED,
    ],
    [
      'takes the address of a ClusterIP Service',
      { service: { metadata: meta, spec: { type: 'ClusterIP', clusterIPs: ['10.0.0.1'] } } },
      PROGRAMMED,
    ],
    [
      'finds no address on a headless Service',
      { service: { metadata: meta, spec: { clusterIP: 'None', clusterIPs: ['None'] } } },
      'False AddressNotAssigned: no address is assigned to Service web-gari yet',
    ],
    [
      'takes no address of a NodePort Service',
      { service: { metadata: meta, spec: { type: 'NodePort', clusterIPs: ['10.0.0.1'] } } },
      'False AddressNotAssigned: no address is assigned to Service web-gari yet: a NodePort Service has no address of its own',
    ],
    [
      'stays true while the pods wait to be replaced',
      { rolloutPending: 'the pods are not replaced yet' },
      'True RolloutPending: the pods are not replaced yet',
    ],
  ];
  const pending = recorded('False', 'Pending');
  it.each(cases)('%s', (_, { addresses, previous = pending, ...part }, expected) => {
    const verdict = programmedVerdict(gateway(addresses), { ...fine, ...part }, previous);
    expect(said(verdict)).toBe(expected);
  });

  it('counts as false where it was never recorded', () => {
    expect(said(programmedVerdict(gateway(), fine, undefined))).toBe(PENDING);
    expect(said(programmedVerdict(gateway(), { ...fine, deployment: lagging }, undefined))).toBe(PENDING);
  });
});
