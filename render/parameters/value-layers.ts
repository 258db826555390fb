import { DATA_PLANE_CONTAINER } from '../data-plane.ts';
import type { GatewayContext } from '../gateway-context.ts';
import type { WrittenLayer } from '../identity-guard.ts';
import type { Json, JsonObject, Path } from '../json.ts';
import { itemKey } from '../merge.ts';
import type { LayeredKind } from '../merge-schema.ts';
import type { RemovalPath } from '../removal.ts';
import { overlayLayer } from './overlay-layer.ts';
import { aboutOwnPods } from './own-pods.ts';
import type { ParameterLayer } from './parameters.ts';
import { fromRegistry } from './registry.ts';

/** Where a field goes: an object's kind and the path in it, through the data plane's container where it is in one. */
interface Target {
  readonly kind: LayeredKind;
  readonly path: Path;
  /** What becomes of the value there; undefined for nothing. */
  readonly convert?: (value: Json, context: GatewayContext) => Json | undefined;
  /** What a value takes the place of, beside what merging replaces. */
  readonly replaces?: (value: JsonObject) => readonly RemovalPath[];
  /** Whether it is laid under what gari says of listeners, on purpose. */
  readonly underIdentity?: true;
}

const POD = ['spec', 'template', 'spec'];
const CONTAINER = [...POD, 'containers', 0];
const inContainer = (...path: string[]): Target => ({ kind: 'Deployment', path: [...CONTAINER, ...path] });
const inPod = (...path: string[]): Target => ({ kind: 'Deployment', path: [...POD, ...path] });
const inService = (...path: string[]): Target => ({ kind: 'Service', path: ['spec', ...path] });
const inMetadata = (kind: LayeredKind, field: string): Target => ({ kind, path: ['metadata', field] });

/** Where each field that is a field of an object goes. The others are settings. */
export const TARGETS: Readonly<Record<string, Target>> = {
  'container.image': {
    ...inContainer('image'),
    convert: (value, { settings }) => fromRegistry(String(value), settings.imageRegistry),
  },
  'container.imagePullPolicy': inContainer('imagePullPolicy'),
  'container.command': inContainer('command'),
  'container.args': inContainer('args'),
  'container.env': inContainer('env'),
  'container.envFrom': inContainer('envFrom'),
  'container.readinessProbe': probe('readinessProbe'),
  'container.livenessProbe': probe('livenessProbe'),
  'container.startupProbe': probe('startupProbe'),
  'container.preStop': inContainer('lifecycle', 'preStop'),
  'container.resources': inContainer('resources'),
  'container.securityContext': inContainer('securityContext'),
  'container.volumeMounts': inContainer('volumeMounts'),
  'pod.labels': { kind: 'Deployment', path: ['spec', 'template', 'metadata', 'labels'] },
  'pod.annotations': { kind: 'Deployment', path: ['spec', 'template', 'metadata', 'annotations'] },
  'pod.imagePullSecrets': inPod('imagePullSecrets'),
  'pod.securityContext': inPod('securityContext'),
  'pod.nodeSelector': inPod('nodeSelector'),
  'pod.affinity': { ...inPod('affinity'), convert: aboutOwnPods },
  'pod.topologySpreadConstraints': { ...inPod('topologySpreadConstraints'), convert: aboutOwnPods },
  'pod.tolerations': inPod('tolerations'),
  'pod.priorityClassName': inPod('priorityClassName'),
  'pod.terminationGracePeriodSeconds': inPod('terminationGracePeriodSeconds'),
  'pod.volumes': inPod('volumes'),
  'deployment.labels': inMetadata('Deployment', 'labels'),
  'deployment.annotations': inMetadata('Deployment', 'annotations'),
  'deployment.replicas': { kind: 'Deployment', path: ['spec', 'replicas'] },
  'deployment.strategy': {
    kind: 'Deployment',
    path: ['spec', 'strategy'],
    // With Recreate, the API server refuses what a lower layer said of rolling updates.
    replaces: ({ type }) => (type === 'Recreate' ? [['spec', 'strategy', 'rollingUpdate']] : []),
  },
  'deployment.minReadySeconds': { kind: 'Deployment', path: ['spec', 'minReadySeconds'] },
  'deployment.progressDeadlineSeconds': { kind: 'Deployment', path: ['spec', 'progressDeadlineSeconds'] },
  'deployment.revisionHistoryLimit': { kind: 'Deployment', path: ['spec', 'revisionHistoryLimit'] },
  'service.labels': inMetadata('Service', 'labels'),
  'service.annotations': inMetadata('Service', 'annotations'),
  'service.type': inService('type'),
  'service.loadBalancerClass': inService('loadBalancerClass'),
  'service.allocateLoadBalancerNodePorts': inService('allocateLoadBalancerNodePorts'),
  'service.externalTrafficPolicy': inService('externalTrafficPolicy'),
  'service.internalTrafficPolicy': inService('internalTrafficPolicy'),
  'service.healthCheckNodePort': inService('healthCheckNodePort'),
  'service.sessionAffinity': inService('sessionAffinity'),
  'service.sessionAffinityTimeoutSeconds': inService('sessionAffinityConfig', 'clientIP', 'timeoutSeconds'),
  'service.ipFamilyPolicy': inService('ipFamilyPolicy'),
  'service.ipFamilies': inService('ipFamilies'),
  'service.loadBalancerSourceRanges': inService('loadBalancerSourceRanges'),
  'service.extraPorts': inService('ports'),
  'service.nodePorts': {
    ...inService('ports'),
    convert: (value, { ports }) => ofListeners(value as readonly JsonObject[], ports),
    underIdentity: true,
  },
  'serviceAccount.labels': inMetadata('ServiceAccount', 'labels'),
  'serviceAccount.annotations': inMetadata('ServiceAccount', 'annotations'),
};

function probe(field: string): Target {
  const place = [...POD, 'containers', { name: DATA_PLANE_CONTAINER }, field];
  const handlers = ['exec', 'grpc', 'httpGet', 'tcpSocket'];
  // A handler is one whole: it inherits nothing from another one.
  const replaces = (value: JsonObject) =>
    handlers.some((each) => value[each] !== undefined) ? handlers.map((each) => [...place, each]) : [];
  return { ...inContainer(field), replaces };
}

// The rest of a class's list is for other Gateways.
function ofListeners(items: readonly JsonObject[], ports: readonly JsonObject[]): Json | undefined {
  const key = (port: JsonObject) => itemKey(port, ['port', 'protocol']);
  const known = new Set(ports.map(key));
  const found = items.filter((item) => known.has(key(item)));
  return found.length === 0 ? undefined : found;
}

/** What one object of parameters says of one kind, field by field and then in its overlay. */
export function valueLayers(
  kind: LayeredKind,
  parameters: ParameterLayer,
  context: GatewayContext,
): readonly WrittenLayer[] {
  const fields = Object.entries(TARGETS).flatMap(([name, target]) =>
    target.kind === kind ? fieldLayer(name.split('.'), target, parameters, context) : [],
  );
  return [...fields, ...overlayLayer(kind, parameters)];
}

function fieldLayer(
  field: readonly string[],
  { path, convert, replaces, underIdentity }: Target,
  { name, values, from, source, path: base, of }: ParameterLayer,
  context: GatewayContext,
): readonly WrittenLayer[] {
  const given = field.reduce<Json | undefined>(
    (value, step) => (value as JsonObject | undefined)?.[step],
    values as JsonObject,
  );
  const value = given === undefined || convert === undefined ? given : convert(given, context);
  if (value === undefined) return [];
  const fieldOf = (place: Path): Path => [
    ...base,
    ...field,
    ...(convert === undefined ? place.slice(path.length) : []),
  ];
  return [
    {
      name,
      value: nested(path, value),
      ...(replaces === undefined ? {} : { remove: { paths: replaces(value as JsonObject) } }),
      ...(underIdentity === undefined ? {} : { underIdentity }),
      from: { object: from, of, ...(source === undefined ? {} : { source }), fieldOf },
    },
  ];
}

function nested([step, ...rest]: Path, value: Json): JsonObject {
  const below = rest[0] === 0 ? [{ name: DATA_PLANE_CONTAINER, ...nested(rest.slice(1), value) }] : undefined;
  return { [String(step)]: below ?? (rest.length === 0 ? value : nested(rest, value)) };
}
