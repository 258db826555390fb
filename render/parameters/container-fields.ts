import { isJsonObject, type JsonObject } from '../json.ts';
import type { Field, FieldRule } from './schema-field.ts';

const portNumber = { type: 'integer', format: 'int32', minimum: 1, maximum: 65535 } as const;

const HANDLERS = ['exec', 'grpc', 'httpGet', 'tcpSocket'];
const oneHandler: FieldRule = {
  rule: '[has(self.exec), has(self.grpc), has(self.httpGet), has(self.tcpSocket)].filter(x, x).size() <= 1',
  message: 'only one of exec, grpc, httpGet and tcpSocket may be set',
  holds: (self) => HANDLERS.filter((handler) => self[handler] !== undefined).length <= 1,
};

const differentPorts: FieldRule = {
  rule: [
    '(!has(self.http) || !has(self.https) || self.http != self.https)',
    '(!has(self.http) || !has(self.tls) || self.http != self.tls)',
    '(!has(self.ready) || !has(self.http) || self.ready != self.http)',
    '(!has(self.ready) || !has(self.https) || self.ready != self.https)',
    '(!has(self.ready) || !has(self.tls) || self.ready != self.tls)',
  ].join(' && '),
  message: 'http, ready and the port of https and tls must be different ports',
  holds: ({ http, https, tls, ready }) => {
    const differ = (a: unknown, b: unknown) => a === undefined || b === undefined || a !== b;
    return (
      differ(http, https) &&
      differ(http, tls) &&
      differ(ready, http) &&
      differ(ready, https) &&
      differ(ready, tls)
    );
  },
};

const valueOrSource: FieldRule = {
  rule: '!(has(self.value) && has(self.valueFrom))',
  message: 'only one of value and valueFrom may be set',
  holds: (self) => self.value === undefined || self.valueFrom === undefined,
};

const onePreStop: FieldRule = {
  rule: '[has(self.exec), has(self.httpGet), has(self.sleep)].filter(x, x).size() == 1',
  message: 'exactly one of exec, httpGet and sleep must be set',
  holds: (self: JsonObject) =>
    [self.exec, self.httpGet, self.sleep].filter((handler) => isJsonObject(handler)).length === 1,
};

/** The data plane's container. */
export const CONTAINER_FIELDS = {
  image: {
    description:
      'Image of the data plane. An image of your own gets no access to the cluster unless access says so.',
    byDefault: "that of --image or GARI_IMAGE, else GARI's",
    gateway: 'refused',
    type: 'string',
    maxLength: 1000,
    pattern: '^\\S+$',
  },
  imageRegistry: {
    description:
      'Registry, with or without a path, that the image is taken from in place of its own, such as a mirror: registry.example.com:5000/mirror.',
    gateway: 'refused',
    type: 'string',
    maxLength: 300,
    pattern: '^[a-zA-Z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)*$',
  },
  imagePullPolicy: {
    description: 'When the image is pulled.',
    gateway: 'refused',
    type: 'string',
    enum: ['Always', 'IfNotPresent', 'Never'],
  },
  command: {
    description:
      'Entry point of the container. $(GATEWAY_NAME), $(GATEWAY_NAMESPACE) and $(GATEWAY_CLASS_NAME) are replaced.',
    gateway: 'refused',
    type: 'array',
    maxItems: 500,
    items: { type: 'string' },
    'x-kubernetes-list-type': 'atomic',
  },
  args: {
    description:
      'Arguments of the container, in place of the default ones; an empty list for none. $(GATEWAY_NAME), $(GATEWAY_NAMESPACE) and $(GATEWAY_CLASS_NAME) are replaced.',
    byDefault: '--dataplane-mode and the names of the Gateway, as GARI takes them',
    gateway: 'refused',
    type: 'array',
    maxItems: 500,
    items: { type: 'string' },
    'x-kubernetes-list-type': 'atomic',
  },
  env: {
    description:
      'Environment variables. In their values, $(GATEWAY_NAME), $(GATEWAY_NAMESPACE) and $(GATEWAY_CLASS_NAME) are replaced.',
    gateway: 'refused',
    type: 'array',
    maxItems: 200,
    items: { kubernetes: 'EnvVar', rules: [valueOrSource] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
  },
  envFrom: {
    description: 'ConfigMaps and Secrets whose keys become environment variables.',
    gateway: 'refused',
    type: 'array',
    maxItems: 100,
    items: { kubernetes: 'EnvFromSource' },
    'x-kubernetes-list-type': 'atomic',
  },
  ports: {
    description: 'Ports that the data plane listens on in its container.',
    rules: [differentPorts],
    fields: {
      http: {
        description: 'Port for HTTP listeners.',
        byDefault: '8000',
        gateway: 'refused',
        ...portNumber,
      },
      https: {
        description: 'Port for HTTPS listeners, over TCP and, for HTTP/3, UDP.',
        byDefault: '8443',
        gateway: 'refused',
        ...portNumber,
      },
      tls: {
        description: 'Port for TLS listeners.',
        byDefault: 'that of https',
        gateway: 'refused',
        ...portNumber,
      },
      ready: {
        description: 'Port of the readiness probe, named ready.',
        byDefault: '8081',
        gateway: 'refused',
        ...portNumber,
      },
    },
  },
  readyPath: {
    description: 'Path of the readiness probe on the port ready.',
    byDefault: '/readyz',
    gateway: 'refused',
    type: 'string',
    maxLength: 1000,
    pattern: '^/\\S*$',
  },
  readinessProbe: {
    description:
      'Readiness probe. With a handler of its own it takes the place of the default one, without it only its times and thresholds are changed.',
    byDefault: 'HTTP GET of readyPath on the port ready',
    gateway: 'refused',
    kubernetes: 'Probe',
    rules: [oneHandler],
  },
  livenessProbe: {
    description: 'Liveness probe.',
    byDefault: 'none',
    gateway: 'refused',
    kubernetes: 'Probe',
    rules: [oneHandler],
  },
  startupProbe: {
    description: 'Startup probe.',
    byDefault: 'none',
    gateway: 'refused',
    kubernetes: 'Probe',
    rules: [oneHandler],
  },
  preStop: {
    description: 'What is done before the container is stopped, such as to wait until load balancers know.',
    gateway: 'refused',
    kubernetes: 'LifecycleHandler',
    rules: [onePreStop],
  },
  resources: {
    description: 'CPU, memory and other resources that the container asks for, and its limits.',
    gateway: 'allowed',
    kubernetes: 'ResourceRequirements',
  },
  securityContext: {
    description: 'Security context of the container.',
    byDefault: 'one that passes Pod Security restricted',
    gateway: 'refused',
    never: ['privileged', 'procMount'],
    kubernetes: 'SecurityContext',
  },
  volumeMounts: {
    description: "Where the pod's volumes are mounted.",
    gateway: 'refused',
    type: 'array',
    maxItems: 200,
    items: { kubernetes: 'VolumeMount' },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['mountPath'],
  },
} as const satisfies Readonly<Record<string, Field>>;
