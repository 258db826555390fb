import { isJsonObject } from '../json.ts';
import type { Field, FieldRule } from './schema-field.ts';

const count = { type: 'integer', format: 'int32', minimum: 0 } as const;

const strategyFits: FieldRule = {
  rule: "!has(self.type) || self.type != 'Recreate' || !has(self.rollingUpdate)",
  message: 'rollingUpdate must not be set where type is Recreate',
  holds: ({ type, rollingUpdate }) => type !== 'Recreate' || !isJsonObject(rollingUpdate),
};

// As the API server has it (ValidateTopologySpreadConstraints), which would otherwise refuse the whole Deployment.
const spreadFits: FieldRule = {
  rule: "self.maxSkew >= 1 && self.topologyKey != '' && self.whenUnsatisfiable in ['DoNotSchedule', 'ScheduleAnyway']",
  message:
    'maxSkew must be at least 1, topologyKey not empty, and whenUnsatisfiable DoNotSchedule or ScheduleAnyway',
  holds: ({ maxSkew, topologyKey, whenUnsatisfiable }) =>
    Number(maxSkew) >= 1 &&
    topologyKey !== '' &&
    (whenUnsatisfiable === 'DoNotSchedule' || whenUnsatisfiable === 'ScheduleAnyway'),
};

const domainsFit: FieldRule = {
  rule: "!has(self.minDomains) || (self.minDomains >= 1 && self.whenUnsatisfiable == 'DoNotSchedule')",
  message: 'minDomains must be at least 1, and needs whenUnsatisfiable DoNotSchedule',
  holds: ({ minDomains, whenUnsatisfiable }) =>
    minDomains === undefined || (Number(minDomains) >= 1 && whenUnsatisfiable === 'DoNotSchedule'),
};

const POLICIES: readonly unknown[] = [undefined, 'Honor', 'Ignore'];

const policiesFit: FieldRule = {
  rule: "(!has(self.nodeAffinityPolicy) || self.nodeAffinityPolicy in ['Honor', 'Ignore']) && (!has(self.nodeTaintsPolicy) || self.nodeTaintsPolicy in ['Honor', 'Ignore'])",
  message: 'nodeAffinityPolicy and nodeTaintsPolicy must be Honor or Ignore',
  holds: ({ nodeAffinityPolicy, nodeTaintsPolicy }) =>
    POLICIES.includes(nodeAffinityPolicy) && POLICIES.includes(nodeTaintsPolicy),
};

const EFFECTS: readonly unknown[] = [undefined, '', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'];

// ValidateTolerations of the API server.
const tolerationFits: FieldRule = {
  rule: "!has(self.effect) || self.effect in ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute']",
  message: 'effect must be NoSchedule, PreferNoSchedule or NoExecute',
  holds: ({ effect }) => EFFECTS.includes(effect),
};

const keyFits: FieldRule = {
  rule: "(has(self.key) && self.key != '') || (has(self.operator) && self.operator == 'Exists')",
  message: 'operator must be Exists where there is no key',
  holds: ({ key, operator }) => (key !== undefined && key !== '') || operator === 'Exists',
};

const valueFits: FieldRule = {
  rule: "!has(self.operator) || self.operator != 'Exists' || !has(self.value) || self.value == ''",
  message: 'value must not be set where operator is Exists',
  holds: ({ operator, value }) => operator !== 'Exists' || value === undefined || value === '',
};

const secondsFit: FieldRule = {
  rule: "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
  message: 'tolerationSeconds needs the effect NoExecute',
  holds: ({ tolerationSeconds, effect }) => tolerationSeconds === undefined || effect === 'NoExecute',
};

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
    items: { kubernetes: 'TopologySpreadConstraint', rules: [spreadFits, domainsFit, policiesFit] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['topologyKey', 'whenUnsatisfiable'],
  },
  tolerations: {
    // A taint is a fence around nodes: to pass it is no hint but a right.
    description: 'Taints of nodes that the pods tolerate.',
    gateway: 'refused',
    type: 'array',
    maxItems: 100,
    items: { kubernetes: 'Toleration', rules: [tolerationFits, keyFits, valueFits, secondsFit] },
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
