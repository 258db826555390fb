import { isJsonObject } from '../json.ts';
import type { Field, FieldRule } from './schema-field.ts';

const count = { type: 'integer', format: 'int32', minimum: 0 } as const;

const strategyFits: FieldRule = {
  rule: "!has(self.type) || self.type != 'Recreate' || !has(self.rollingUpdate)",
  message: 'rollingUpdate must not be set where type is Recreate',
  holds: ({ type, rollingUpdate }) => type !== 'Recreate' || !isJsonObject(rollingUpdate),
};

const domainsFit: FieldRule = {
  rule: "!has(self.minDomains) || self.whenUnsatisfiable == 'DoNotSchedule'",
  message: 'minDomains needs whenUnsatisfiable DoNotSchedule',
  holds: ({ minDomains, whenUnsatisfiable }) =>
    minDomains === undefined || whenUnsatisfiable === 'DoNotSchedule',
};

// What the API server checks beyond its schema (ValidateTopologySpreadConstraints, ValidateTolerations), and
// would otherwise refuse in the Deployment.
const policy = { enum: ['Honor', 'Ignore'] } as const;
const SPREAD = {
  maxSkew: { minimum: 1 },
  minDomains: { minimum: 1 },
  topologyKey: { minLength: 1 },
  whenUnsatisfiable: { enum: ['DoNotSchedule', 'ScheduleAnyway'] },
  nodeAffinityPolicy: policy,
  nodeTaintsPolicy: policy,
} as const;
const TOLERATION = { effect: { enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] } } as const;

/** Labels of one kind of object. */
export const labels = {
  description: 'Labels of the object. Keys that gari or a deployment tool owns are dropped with a warning.',
  type: 'object',
  maxProperties: 200,
  additionalProperties: { type: 'string', maxLength: 63 },
} as const;

/** Annotations of one kind of object. */
export const annotations = {
  description:
    'Annotations of the object. Keys that gari or a deployment tool owns are dropped with a warning.',
  type: 'object',
  maxProperties: 200,
  additionalProperties: { type: 'string' },
} as const;

/** The data plane's pods. */
export const POD_FIELDS = {
  labels: { ...labels, gateway: 'allowed' },
  annotations: { ...annotations, gateway: 'allowed' },
  imagePullSecrets: {
    description: 'Secrets to pull the image with, in the namespace of the Gateway.',
    gateway: 'refused',
    type: 'array',
    maxItems: 50,
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: { description: 'Name of the Secret.', type: 'string', minLength: 1 } },
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  securityContext: {
    description: 'Security context of the pods.',
    byDefault: 'one that passes Pod Security restricted',
    gateway: 'refused',
    kubernetes: 'PodSecurityContext',
  },
  nodeSelector: {
    description: 'Labels that a node must have.',
    gateway: 'allowed',
    type: 'object',
    maxProperties: 100,
    additionalProperties: { type: 'string' },
    'x-kubernetes-map-type': 'atomic',
  },
  affinity: {
    description:
      'Which nodes and which neighbours are preferred or needed. A term about pods without a labelSelector is about the pods of the Gateway itself.',
    gateway: 'allowed',
    kubernetes: 'Affinity',
  },
  topologySpreadConstraints: {
    description:
      'How the pods are spread over zones and nodes. A constraint without a labelSelector is about the pods of the Gateway itself.',
    gateway: 'allowed',
    type: 'array',
    maxItems: 20,
    items: { kubernetes: 'TopologySpreadConstraint', properties: SPREAD, rules: [domainsFit] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['topologyKey', 'whenUnsatisfiable'],
  },
  tolerations: {
    // A taint is a fence around nodes: to pass it is no hint but a right.
    description: 'Taints of nodes that the pods tolerate.',
    gateway: 'refused',
    type: 'array',
    maxItems: 100,
    items: { kubernetes: 'Toleration', properties: TOLERATION },
    'x-kubernetes-list-type': 'atomic',
  },
  priorityClassName: {
    // A high priority evicts the pods of others.
    description: 'Name of the PriorityClass.',
    gateway: 'refused',
    type: 'string',
    minLength: 1,
    maxLength: 253,
  },
  terminationGracePeriodSeconds: {
    description: 'How long a pod may take to stop, in seconds.',
    gateway: 'allowed',
    type: 'integer',
    format: 'int64',
    minimum: 0,
  },
  volumes: {
    description: 'Volumes of the pods.',
    gateway: 'refused',
    never: ['hostPath'],
    type: 'array',
    maxItems: 100,
    items: { kubernetes: 'Volume' },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
} as const satisfies Readonly<Record<string, Field>>;

/** The Deployment, without its pods. */
export const DEPLOYMENT_FIELDS = {
  labels: { ...labels, gateway: 'refused' },
  annotations: { ...annotations, gateway: 'refused' },
  replicas: {
    description: 'Number of pods.',
    byDefault: 'not set: it belongs to whoever scales the Deployment, such as a HorizontalPodAutoscaler',
    gateway: 'allowed',
    ...count,
  },
  strategy: {
    description: 'How pods are replaced by new ones.',
    gateway: 'allowed',
    kubernetes: 'DeploymentStrategy',
    rules: [strategyFits],
  },
  minReadySeconds: {
    description: 'How long a new pod must be ready before it counts as available, in seconds.',
    gateway: 'allowed',
    ...count,
  },
  progressDeadlineSeconds: {
    description: 'How long a rollout may take before it counts as failed, in seconds.',
    gateway: 'allowed',
    ...count,
    minimum: 1,
  },
  revisionHistoryLimit: {
    description: 'How many old ReplicaSets are kept.',
    gateway: 'allowed',
    ...count,
  },
} as const satisfies Readonly<Record<string, Field>>;
