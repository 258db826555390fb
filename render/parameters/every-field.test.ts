// Each field of a DataPlane: where it ends up, and that of class, Gateway and enforced values the highest wins.
import { describe, expect, it } from 'vitest';
import { type GivenParameters, withParameters } from '../../test/with-parameters.ts';
import type { Gateway } from '../gateway-api.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject, type Path } from '../json.ts';
import type { RenderedObject } from '../objects.ts';
import { type RenderResult, render } from '../render.ts';
import { DATA_PLANE_SPEC, type DataPlaneValues } from './data-plane-schema.ts';
import type { Field } from './schema-field.ts';
import { TARGETS } from './value-layers.ts';

const GATEWAY: Gateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: {
    gatewayClassName: 'gari',
    listeners: [
      { name: 'http', port: 80, protocol: 'HTTP' },
      { name: 'https', port: 443, protocol: 'HTTPS' },
      { name: 'tls', port: 8883, protocol: 'TLS' },
    ],
    addresses: [{ value: '192.0.2.1' }],
    infrastructure: { labels: { team: 'a' } },
  },
};

interface Sample {
  /** Three values, told apart by what they render to. */
  readonly values: readonly [Json, Json, Json];
  /** What is looked at, such as `Deployment spec.replicas`. */
  readonly at: string;
  /** What the values become there, where that is not the values. */
  readonly rendered?: readonly [Json | undefined, Json | undefined, Json | undefined];
}

const CONTAINER = 'Deployment spec.template.spec.containers.0';
const POD = 'Deployment spec.template.spec';
const text = (at: string): Sample => ({ at, values: ['a', 'b', 'c'] });
const count = (at: string): Sample => ({ at, values: [1, 2, 3] });
const map = (at: string): Sample => ({
  at: `${at}.k`,
  values: [{ k: 'a' }, { k: 'b' }, { k: 'c' }],
  rendered: ['a', 'b', 'c'],
});
const probe = (at: string): Sample => ({
  at,
  values: [{ tcpSocket: { port: 1 } }, { grpc: { port: 2 } }, { exec: { command: ['c'] } }],
});
const named = (at: string, of: (value: number) => JsonObject): Sample => ({
  at: `${at}.0`,
  values: [[of(1)], [of(2)], [of(3)]],
  rendered: [of(1), of(2), of(3)],
});
const port = (index: number) => `${CONTAINER}.ports.${index}.containerPort`;
const overlay = (at: string): Sample => ({
  at: `${at}.metadata.annotations.k`,
  values: ['a', 'b', 'c'].map((k) => ({
    merge: { metadata: { annotations: { k } } },
  })) as unknown as Sample['values'],
  rendered: ['a', 'b', 'c'],
});

const SAMPLES: Readonly<Record<string, Sample>> = {
  access: {
    at: `${POD}.automountServiceAccountToken`,
    values: ['None', 'Shared', 'None'],
    rendered: [false, undefined, false],
  },
  http3: {
    at: 'Service spec.ports.2.name',
    values: [false, true, false],
    rendered: ['tls-8883', 'https-443-udp', 'tls-8883'],
  },
  infrastructureMetadata: {
    at: 'Service metadata.labels.team',
    values: [['Pod'], ['Service'], []],
    rendered: [undefined, 'a', undefined],
  },
  'container.image': text(`${CONTAINER}.image`),
  'container.imageRegistry': {
    at: `${CONTAINER}.image`,
    values: ['a.example', 'b.example', 'c.example'],
    rendered: [
      'a.example/gari-dataplane:v0.1.0',
      'b.example/gari-dataplane:v0.1.0',
      'c.example/gari-dataplane:v0.1.0',
    ],
  },
  'container.imagePullPolicy': {
    at: `${CONTAINER}.imagePullPolicy`,
    values: ['Always', 'Never', 'IfNotPresent'],
  },
  'container.command': { at: `${CONTAINER}.command`, values: [['a'], ['b'], ['c']] },
  'container.args': {
    at: `${CONTAINER}.args`,
    values: [['a'], ['b'], []],
    rendered: [['a'], ['b'], undefined],
  },
  'container.env': {
    at: `${CONTAINER}.env.0`,
    values: [
      [{ name: 'A', value: '1' }],
      [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      [{ name: 'A', value: '3' }],
    ],
    rendered: [
      { name: 'A', value: '1' },
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'A', value: '3' },
    ],
  },
  'container.envFrom': named(`${CONTAINER}.envFrom`, (n) => ({ configMapRef: { name: `c${n}` } })),
  'container.ports.http': { at: port(0), values: [1001, 1002, 1003] },
  'container.ports.https': { at: port(1), values: [1001, 1002, 1003] },
  'container.ports.tls': { at: port(2), values: [1001, 1002, 1003] },
  'container.ports.ready': { at: port(3), values: [1001, 1002, 1003] },
  'container.readyPath': { at: `${CONTAINER}.readinessProbe.httpGet.path`, values: ['/a', '/b', '/c'] },
  'container.readinessProbe': probe(`${CONTAINER}.readinessProbe`),
  'container.livenessProbe': probe(`${CONTAINER}.livenessProbe`),
  'container.startupProbe': probe(`${CONTAINER}.startupProbe`),
  'container.preStop': {
    at: `${CONTAINER}.lifecycle.preStop`,
    values: [{ sleep: { seconds: 1 } }, { exec: { command: ['b'] } }, { httpGet: { port: 3 } }],
  },
  'container.resources': {
    at: `${CONTAINER}.resources.limits.cpu`,
    values: [{ limits: { cpu: 1 } }, { limits: { cpu: 2 } }, { limits: { cpu: 3 } }],
    rendered: [1, 2, 3],
  },
  'container.securityContext': {
    at: `${CONTAINER}.securityContext.runAsUser`,
    values: [{ runAsUser: 1 }, { runAsUser: 2 }, { runAsUser: 3 }],
    rendered: [1, 2, 3],
  },
  'container.volumeMounts': named(`${CONTAINER}.volumeMounts`, (n) => ({ name: `v${n}`, mountPath: '/m' })),
  'pod.labels': map('Deployment spec.template.metadata.labels'),
  'pod.annotations': map('Deployment spec.template.metadata.annotations'),
  'pod.imagePullSecrets': {
    at: `${POD}.imagePullSecrets.length`,
    values: [[{ name: 'a' }], [{ name: 'b' }], [{ name: 'c' }]],
    rendered: [1, 2, 3],
  },
  'pod.securityContext': {
    at: `${POD}.securityContext.fsGroup`,
    values: [{ fsGroup: 1 }, { fsGroup: 2 }, { fsGroup: 3 }],
    rendered: [1, 2, 3],
  },
  'pod.nodeSelector': { at: `${POD}.nodeSelector`, values: [{ a: 'a' }, { b: 'b' }, { c: 'c' }] },
  'pod.affinity': {
    at: `${POD}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.0.matchExpressions.0.key`,
    values: ['a', 'b', 'c'].map((key) => ({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }],
        },
      },
    })) as unknown as Sample['values'],
    rendered: ['a', 'b', 'c'],
  },
  'pod.topologySpreadConstraints': {
    at: `${POD}.topologySpreadConstraints.0.maxSkew`,
    values: [1, 2, 3].map((maxSkew) => [
      { topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', maxSkew },
    ]) as unknown as Sample['values'],
    rendered: [1, 2, 3],
  },
  'pod.tolerations': named(`${POD}.tolerations`, (n) => ({ key: `k${n}` })),
  'pod.priorityClassName': text(`${POD}.priorityClassName`),
  'pod.terminationGracePeriodSeconds': count(`${POD}.terminationGracePeriodSeconds`),
  'pod.volumes': {
    at: `${POD}.volumes.0`,
    values: [
      [{ name: 'v', emptyDir: {} }],
      [{ name: 'v', configMap: { name: 'c' } }],
      [{ name: 'v', secret: { secretName: 's' } }],
    ],
    rendered: [
      { name: 'v', emptyDir: {} },
      { name: 'v', configMap: { name: 'c' } },
      { name: 'v', secret: { secretName: 's' } },
    ],
  },
  'deployment.labels': map('Deployment metadata.labels'),
  'deployment.annotations': map('Deployment metadata.annotations'),
  'deployment.replicas': count('Deployment spec.replicas'),
  'deployment.strategy': {
    at: 'Deployment spec.strategy',
    values: [
      { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
      { type: 'Recreate' },
      { type: 'RollingUpdate' },
    ],
  },
  'deployment.minReadySeconds': count('Deployment spec.minReadySeconds'),
  'deployment.progressDeadlineSeconds': count('Deployment spec.progressDeadlineSeconds'),
  'deployment.revisionHistoryLimit': count('Deployment spec.revisionHistoryLimit'),
  'service.labels': map('Service metadata.labels'),
  'service.annotations': map('Service metadata.annotations'),
  'service.type': { at: 'Service spec.type', values: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
  'service.loadBalancerClass': text('Service spec.loadBalancerClass'),
  'service.allocateLoadBalancerNodePorts': {
    at: 'Service spec.allocateLoadBalancerNodePorts',
    values: [false, true, false],
  },
  'service.externalTrafficPolicy': {
    at: 'Service spec.externalTrafficPolicy',
    values: ['Local', 'Cluster', 'Local'],
  },
  'service.internalTrafficPolicy': {
    at: 'Service spec.internalTrafficPolicy',
    values: ['Local', 'Cluster', 'Local'],
  },
  'service.healthCheckNodePort': count('Service spec.healthCheckNodePort'),
  'service.sessionAffinity': { at: 'Service spec.sessionAffinity', values: ['ClientIP', 'None', 'ClientIP'] },
  'service.sessionAffinityTimeoutSeconds': count(
    'Service spec.sessionAffinityConfig.clientIP.timeoutSeconds',
  ),
  'service.ipFamilyPolicy': {
    at: 'Service spec.ipFamilyPolicy',
    values: ['SingleStack', 'PreferDualStack', 'RequireDualStack'],
  },
  'service.ipFamilies': { at: 'Service spec.ipFamilies', values: [['IPv4'], ['IPv6'], ['IPv6', 'IPv4']] },
  'service.loadBalancerSourceRanges': {
    at: 'Service spec.loadBalancerSourceRanges',
    values: [['10.0.0.0/8'], ['::/0'], ['1.0.0.0/8']],
  },
  'service.extraPorts': {
    at: 'Service spec.ports.4.targetPort',
    values: [1, 2, 3].map((targetPort) => [
      { name: 'metrics', port: 9090, protocol: 'TCP', targetPort },
    ]) as unknown as Sample['values'],
    rendered: [1, 2, 3],
  },
  'service.nodePorts': {
    at: 'Service spec.ports.0.nodePort',
    values: [1, 2, 3].map((nodePort) => [
      { port: 80, protocol: 'TCP', nodePort },
    ]) as unknown as Sample['values'],
    rendered: [1, 2, 3],
  },
  'service.requestedAddress': {
    at: 'Service spec.externalIPs',
    values: [{ via: 'ExternalIPs' }, { via: 'Annotation', annotation: 'k' }, { via: 'ExternalIPs' }],
    rendered: [['192.0.2.1'], undefined, ['192.0.2.1']],
  },
  'serviceAccount.labels': map('ServiceAccount metadata.labels'),
  'serviceAccount.annotations': map('ServiceAccount metadata.annotations'),
  'overlays.serviceAccount': overlay('ServiceAccount'),
  'overlays.roleBinding': overlay('RoleBinding'),
  'overlays.deployment': overlay('Deployment'),
  'overlays.service': overlay('Service'),
};

const leaves = (fields: Readonly<Record<string, Field>>, parent = ''): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    'fields' in field ? leaves(field.fields, `${parent}${name}.`) : [`${parent}${name}`],
  );
const { policy: _, enforced: __, ...VALUES } = DATA_PLANE_SPEC.fields;

/** Parameters that say one thing, and what that thing needs. */
function saying(field: string, value: Json): DataPlaneValues {
  const nested = field
    .split('.')
    .reduceRight<Json>((below, step) => ({ [step]: below }), value) as JsonObject;
  return field === 'overlays.roleBinding' ? { access: 'Namespaced', ...nested } : nested;
}

function resultOf(field: string, values: readonly [Json?, Json?, Json?]): RenderResult {
  const [ofClass, ofGateway, enforced] = values.map((value) =>
    value === undefined ? undefined : saying(field, value),
  );
  return renderWith({
    class: ofClass ?? {},
    ...(ofGateway === undefined ? {} : { gateway: ofGateway }),
    ...(enforced === undefined ? {} : { enforced }),
  });
}

function renderWith(parameters: GivenParameters): RenderResult {
  const { gateway, ...more } = withParameters(GATEWAY, parameters);
  return render({
    gateways: [{ object: gateway }],
    listenerSets: [],
    referenceGrants: [],
    namespaces: [],
    existing: [],
    clusterRoleBindings: [],
    ...more,
  });
}

function found(
  result: RenderResult,
  at: string,
): { object: RenderedObject; path: Path; value: Json | undefined } {
  const [kind, field = ''] = at.split(' ');
  const [name, rest] = field === '' ? (kind?.split(/\.(.*)/) ?? []) : [kind, field];
  const path = (rest ?? '').split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const object = result.objects.get('prod/web')?.find((each) => each.kind === name);
  if (object === undefined) throw new Error(JSON.stringify(result.diagnostics));
  const value = path.reduce<Json | undefined>(
    (below, step) =>
      isJsonList(below)
        ? step === 'length'
          ? below.length
          : below[step as number]
        : isJsonObject(below)
          ? below[step]
          : undefined,
    object,
  );
  return { object, path, value };
}

describe('every field of parameters', () => {
  it('has a sample here: a field that nobody shows does nothing', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(leaves(VALUES).sort());
    // What is no field of an object is one of the settings.
    expect(leaves(VALUES).filter((field) => !(field in TARGETS) && !field.startsWith('overlays.'))).toEqual([
      'access',
      'http3',
      'infrastructureMetadata',
      'container.imageRegistry',
      'container.ports.http',
      'container.ports.https',
      'container.ports.tls',
      'container.ports.ready',
      'container.readyPath',
      'service.requestedAddress',
    ]);
  });

  it.each(Object.entries(SAMPLES))(
    '%s: of class, Gateway and enforced values the highest wins',
    (field, sample) => {
      const { values, at, rendered = values } = sample;
      const [ofClass, ofGateway] = values;
      const cases: [readonly [Json?, Json?, Json?], Json | undefined][] = [
        [[ofClass], rendered[0]],
        [[ofClass, ofGateway], rendered[1]],
        [values, rendered[2]],
      ];
      for (const [given, expected] of cases) {
        const result = resultOf(field, given);
        expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(found(result, at).value).toEqual(expected);
      }
      // And a default that is not that value; without access to its namespace there is no RoleBinding.
      const silent = field === 'overlays.roleBinding' ? saying(field, {}) : {};
      expect(found(renderWith({ class: silent }), at).value).not.toEqual(rendered[0]);
    },
  );

  it.each(Object.keys(TARGETS).filter((field) => field !== 'container.args'))(
    '%s: where a leaf was written',
    (field) => {
      const sample = SAMPLES[field]!;
      const result = resultOf(field, [sample.values[0], sample.values[1]]);
      const { object, path, value } = found(result, sample.at.replace('.length', '.1'));
      const leafOf = (at: Json | undefined, here: Path): Path | undefined => {
        if (result.provenanceOf(object, here)?.layer === 'gateway') return here;
        if (isJsonList(at))
          return at.map((item, index) => leafOf(item, [...here, index])).find((each) => each);
        if (!isJsonObject(at)) return undefined;
        return Object.entries(at)
          .map(([key, below]) => leafOf(below, [...here, key]))
          .find((each) => each);
      };
      // An atomic list is one leaf, above what the sample looks at.
      const above = path.map((_, index) => path.slice(0, index + 1));
      const leaf =
        above.find((each) => result.provenanceOf(object, each)?.layer === 'gateway') ?? leafOf(value, path);
      expect(leaf, 'a leaf of the Gateway’s').toBeDefined();
      expect(result.provenanceOf(object, leaf!)).toMatchObject({
        object: { kind: 'DataPlane', namespace: 'prod', name: 'gateway' },
        field: expect.stringContaining(`spec.${field}`),
        file: 'gateway.yaml',
      });
    },
  );
});
