import type { JsonObject } from '../../json.ts';
import type { ValidationCase } from '../../validation/cases/case.ts';
import { dataPlaneCase } from './schema-cases.ts';

/** What a CEL rule accepts and refuses. */
interface RuleSamples {
  readonly accepted: readonly JsonObject[];
  readonly refused: readonly JsonObject[];
}

const env = (more: JsonObject): JsonObject => ({ container: { env: [{ name: 'A', ...more }] } });
const ports = (values: JsonObject): JsonObject => ({ container: { ports: values } });
const service = (values: JsonObject): JsonObject => ({ service: values });
const address = (values: JsonObject): JsonObject => service({ requestedAddress: values });
const strategy = (values: JsonObject): JsonObject => ({ deployment: { strategy: values } });
const spread = (more: JsonObject): JsonObject => ({
  pod: {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', ...more },
    ],
  },
});
const valueFrom = { fieldRef: { fieldPath: 'status.podIP' } };
const httpGet = { port: 1 };
const sleep = { seconds: 1 };

const SAMPLES: Readonly<Record<string, RuleSamples>> = {
  'only one of exec, grpc, httpGet and tcpSocket may be set': {
    accepted: ['readinessProbe', 'livenessProbe', 'startupProbe'].flatMap((probe) => [
      { container: { [probe]: { periodSeconds: 1 } } },
      { container: { [probe]: { httpGet } } },
    ]),
    refused: ['readinessProbe', 'livenessProbe', 'startupProbe'].flatMap((probe) => [
      { container: { [probe]: { httpGet, exec: {} } } },
      { container: { [probe]: { grpc: { port: 1 }, tcpSocket: { port: 1 } } } },
    ]),
  },
  'only one of value and valueFrom may be set': {
    accepted: [env({}), env({ value: '' }), env({ valueFrom })],
    refused: [env({ value: '', valueFrom }), env({ value: 'a', valueFrom: {} })],
  },
  'exactly one of exec, httpGet and sleep must be set': {
    accepted: [{ container: { preStop: { exec: {} } } }, { container: { preStop: { httpGet } } }],
    refused: [{ container: { preStop: {} } }, { container: { preStop: { httpGet, sleep } } }],
  },
  'http, ready and the port of https and tls must be different ports': {
    accepted: [
      ports({}),
      ports({ http: 1, https: 2, tls: 2, ready: 3 }),
      ports({ http: 1, tls: 2, ready: 3 }),
    ],
    refused: [
      ...[ports({ http: 1, https: 1 }), ports({ http: 1, tls: 1 }), ports({ http: 1, ready: 1 })],
      ...[ports({ ready: 1, https: 1 }), ports({ ready: 1, tls: 1 })],
    ],
  },
  'minDomains needs whenUnsatisfiable DoNotSchedule': {
    accepted: [spread({}), spread({ minDomains: 2 })],
    refused: [spread({ minDomains: 2, whenUnsatisfiable: 'ScheduleAnyway' })],
  },
  'rollingUpdate must not be set where type is Recreate': {
    accepted: [
      strategy({ type: 'Recreate' }),
      strategy({ rollingUpdate: { maxSurge: '10%' } }),
      strategy({ type: 'RollingUpdate', rollingUpdate: {} }),
    ],
    refused: [strategy({ type: 'Recreate', rollingUpdate: { maxUnavailable: 0 } })],
  },
  'loadBalancerClass, allocateLoadBalancerNodePorts, loadBalancerSourceRanges and healthCheckNodePort need the type LoadBalancer':
    {
      accepted: [
        service({ loadBalancerClass: 'a', loadBalancerSourceRanges: ['10.0.0.0/8'] }),
        service({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, healthCheckNodePort: 30000 }),
      ],
      refused: [
        service({ type: 'ClusterIP', loadBalancerClass: 'a' }),
        service({ type: 'NodePort', allocateLoadBalancerNodePorts: true }),
        service({ type: 'NodePort', loadBalancerSourceRanges: ['10.0.0.0/8'] }),
        service({ type: 'ClusterIP', healthCheckNodePort: 30000 }),
      ],
    },
  'externalTrafficPolicy and nodePorts need the type LoadBalancer or NodePort': {
    accepted: [
      service({ externalTrafficPolicy: 'Local' }),
      service({
        type: 'NodePort',
        externalTrafficPolicy: 'Local',
        nodePorts: [{ port: 80, nodePort: 30080 }],
      }),
    ],
    refused: [
      service({ type: 'ClusterIP', externalTrafficPolicy: 'Cluster' }),
      service({ type: 'ClusterIP', nodePorts: [{ port: 80, nodePort: 30080 }] }),
    ],
  },
  'healthCheckNodePort needs the externalTrafficPolicy Local': {
    accepted: [service({ healthCheckNodePort: 30000, externalTrafficPolicy: 'Local' })],
    refused: [service({ healthCheckNodePort: 30000, externalTrafficPolicy: 'Cluster' })],
  },
  'sessionAffinityTimeoutSeconds needs the sessionAffinity ClientIP': {
    accepted: [service({ sessionAffinity: 'ClientIP', sessionAffinityTimeoutSeconds: 1 })],
    refused: [service({ sessionAffinity: 'None', sessionAffinityTimeoutSeconds: 1 })],
  },
  'two ipFamilies need another ipFamilyPolicy than SingleStack': {
    accepted: [
      service({ ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv6'] }),
      service({ ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6', 'IPv4'] }),
      service({ ipFamilies: ['IPv4', 'IPv6'] }),
    ],
    refused: [service({ ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] })],
  },
  'annotation must be set if, and only if, via is Annotation': {
    accepted: [
      address({ via: 'Annotation', annotation: 'metallb.io/loadBalancerIPs' }),
      address({ via: 'ExternalIPs' }),
    ],
    refused: [address({ via: 'Annotation' }), address({ via: 'LoadBalancerIP', annotation: 'a' })],
  },
};

/** The constraint that cases about a rule have. */
export function ruleConstraint(message: string): string {
  return `rule ${message}`;
}

/** Cases for each rule, at the top and below `enforced`. */
export function ruleCases(): readonly ValidationCase[] {
  return Object.entries(SAMPLES).flatMap(([message, { accepted, refused }]) =>
    (
      [
        ['accepted', accepted],
        ['refused', refused],
      ] as const
    ).flatMap(([expected, specs]) =>
      specs.flatMap((spec) => [
        dataPlaneCase(ruleConstraint(message), JSON.stringify(spec), spec, expected),
        dataPlaneCase(
          ruleConstraint(message),
          JSON.stringify({ enforced: spec }),
          { enforced: spec },
          expected,
        ),
      ]),
    ),
  );
}
