import { annotations, labels } from './pod-fields.ts';
import type { Field, FieldRule } from './schema-field.ts';

const port = { type: 'integer', format: 'int32', minimum: 1, maximum: 65535 } as const;
const protocol = {
  description: 'TCP, UDP or SCTP.',
  type: 'string',
  enum: ['TCP', 'UDP', 'SCTP'],
  default: 'TCP',
} as const;
const nodePort = { description: 'Port on every node.', ...port } as const;

/** Rules about a Service; they hold for what is merged from class and Gateway, too. */
export const SERVICE_RULES: readonly FieldRule[] = [
  {
    rule: "!has(self.type) || self.type == 'LoadBalancer' || !(has(self.loadBalancerClass) || has(self.allocateLoadBalancerNodePorts) || has(self.loadBalancerSourceRanges) || has(self.healthCheckNodePort))",
    message:
      'loadBalancerClass, allocateLoadBalancerNodePorts, loadBalancerSourceRanges and healthCheckNodePort need the type LoadBalancer',
    holds: (self) =>
      self.type === undefined ||
      self.type === 'LoadBalancer' ||
      (self.loadBalancerClass === undefined &&
        self.allocateLoadBalancerNodePorts === undefined &&
        self.loadBalancerSourceRanges === undefined &&
        self.healthCheckNodePort === undefined),
  },
  {
    rule: "!has(self.type) || self.type != 'ClusterIP' || !(has(self.externalTrafficPolicy) || has(self.nodePorts))",
    message: 'externalTrafficPolicy and nodePorts need the type LoadBalancer or NodePort',
    holds: (self) =>
      self.type !== 'ClusterIP' || (self.externalTrafficPolicy === undefined && self.nodePorts === undefined),
  },
  {
    rule: "!has(self.healthCheckNodePort) || !has(self.externalTrafficPolicy) || self.externalTrafficPolicy == 'Local'",
    message: 'healthCheckNodePort needs the externalTrafficPolicy Local',
    holds: (self) =>
      self.healthCheckNodePort === undefined ||
      self.externalTrafficPolicy === undefined ||
      self.externalTrafficPolicy === 'Local',
  },
  {
    rule: "!has(self.sessionAffinityTimeoutSeconds) || !has(self.sessionAffinity) || self.sessionAffinity == 'ClientIP'",
    message: 'sessionAffinityTimeoutSeconds needs the sessionAffinity ClientIP',
    holds: (self) =>
      self.sessionAffinityTimeoutSeconds === undefined ||
      self.sessionAffinity === undefined ||
      self.sessionAffinity === 'ClientIP',
  },
  {
    rule: "!has(self.ipFamilies) || self.ipFamilies.size() < 2 || !has(self.ipFamilyPolicy) || self.ipFamilyPolicy != 'SingleStack'",
    message: 'two ipFamilies need another ipFamilyPolicy than SingleStack',
    holds: (self) =>
      !Array.isArray(self.ipFamilies) || self.ipFamilies.length < 2 || self.ipFamilyPolicy !== 'SingleStack',
  },
];

const annotationNamed: FieldRule = {
  rule: "(self.via == 'Annotation') == has(self.annotation)",
  message: 'annotation must be set if, and only if, via is Annotation',
  holds: (self) => (self.via === 'Annotation') === (self.annotation !== undefined),
};

/** The Service. */
export const SERVICE_FIELDS = {
  labels: { ...labels, gateway: 'allowed' },
  annotations: { ...annotations, gateway: 'allowed' },
  type: {
    description: 'Type of the Service.',
    byDefault: 'LoadBalancer',
    gateway: 'refused',
    type: 'string',
    enum: ['LoadBalancer', 'NodePort', 'ClusterIP'],
  },
  loadBalancerClass: {
    description:
      'Which load balancer implementation serves the Service. It cannot be changed once the Service is there.',
    gateway: 'refused',
    type: 'string',
    minLength: 1,
    maxLength: 317,
  },
  allocateLoadBalancerNodePorts: {
    description: 'Whether the load balancer needs node ports.',
    gateway: 'refused',
    type: 'boolean',
  },
  externalTrafficPolicy: {
    description: 'Local keeps the address of clients and sends traffic only to nodes with a pod.',
    gateway: 'refused',
    type: 'string',
    enum: ['Cluster', 'Local'],
  },
  internalTrafficPolicy: {
    description: 'Whether traffic from inside the cluster stays on its node.',
    gateway: 'refused',
    type: 'string',
    enum: ['Cluster', 'Local'],
  },
  healthCheckNodePort: {
    description:
      "Port on which nodes answer the load balancer's health check, with externalTrafficPolicy Local.",
    gateway: 'refused',
    ...port,
  },
  sessionAffinity: {
    description: 'ClientIP sends a client to the same pod again.',
    gateway: 'refused',
    type: 'string',
    enum: ['None', 'ClientIP'],
  },
  sessionAffinityTimeoutSeconds: {
    description: 'How long a client is sent to the same pod, in seconds.',
    gateway: 'refused',
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 86400,
  },
  ipFamilyPolicy: {
    description: 'Whether the Service has addresses of one IP family or of both.',
    gateway: 'refused',
    type: 'string',
    enum: ['SingleStack', 'PreferDualStack', 'RequireDualStack'],
  },
  ipFamilies: {
    description: 'IP families of the Service, the first one first.',
    gateway: 'refused',
    type: 'array',
    minItems: 1,
    maxItems: 2,
    items: { type: 'string', enum: ['IPv4', 'IPv6'] },
    'x-kubernetes-list-type': 'set',
  },
  loadBalancerSourceRanges: {
    description: 'Networks that the load balancer takes traffic from, such as 10.0.0.0/8.',
    byDefault: 'all',
    gateway: 'refused',
    type: 'array',
    minItems: 1,
    maxItems: 500,
    items: { type: 'string', minLength: 1, maxLength: 100 },
    'x-kubernetes-list-type': 'atomic',
  },
  extraPorts: {
    description: 'Further ports, beside those of the listeners.',
    gateway: 'refused',
    type: 'array',
    maxItems: 100,
    items: {
      type: 'object',
      required: ['name', 'port'],
      properties: {
        name: {
          description: 'Name of the port.',
          type: 'string',
          maxLength: 63,
          pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
        },
        port: { description: 'Port of the Service.', ...port },
        protocol,
        targetPort: {
          description: 'Port of the container, by number or by name; that of the Service by default.',
          'x-kubernetes-int-or-string': true,
        },
        nodePort,
        appProtocol: {
          description: 'Protocol of the application, such as kubernetes.io/h2c.',
          type: 'string',
          minLength: 1,
          maxLength: 317,
        },
      },
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
  },
  nodePorts: {
    description:
      'Fixed node ports for ports of listeners. An entry for a port that no listener has does nothing.',
    gateway: 'refused',
    type: 'array',
    maxItems: 100,
    items: {
      type: 'object',
      required: ['port', 'nodePort'],
      properties: {
        port: { description: 'Port of the listener.', ...port },
        protocol,
        nodePort,
      },
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
  },
  requestedAddress: {
    description: "How the Gateway's spec.addresses are passed on.",
    byDefault: 'LoadBalancerIP',
    gateway: 'refused',
    type: 'object',
    required: ['via'],
    properties: {
      via: {
        description: 'LoadBalancerIP and Annotation ask the load balancer, ExternalIPs needs none.',
        type: 'string',
        enum: ['LoadBalancerIP', 'ExternalIPs', 'Annotation'],
      },
      annotation: {
        description: 'Key of the annotation, such as metallb.io/loadBalancerIPs.',
        type: 'string',
        minLength: 1,
        maxLength: 317,
      },
    },
    rules: [annotationNamed],
  },
} as const satisfies Readonly<Record<string, Field>>;
