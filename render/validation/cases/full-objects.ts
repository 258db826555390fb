import type { JsonObject } from '../../json.ts';

const GROUP = 'gateway.networking.k8s.io';

const selector = {
  matchExpressions: [{ key: 'team', operator: 'In', values: ['web', 'shop'] }],
  matchLabels: { stage: 'production' },
};

const listener = {
  name: 'https',
  hostname: 'www.example.com',
  port: 443,
  protocol: 'HTTPS',
  allowedRoutes: {
    kinds: [{ group: GROUP, kind: 'HTTPRoute' }],
    namespaces: { from: 'Selector', selector },
  },
  tls: {
    mode: 'Terminate',
    certificateRefs: [{ group: '', kind: 'Secret', name: 'certificate', namespace: 'certificates' }],
    options: { 'example.com/minimum-version': '1.2' },
  },
};

const frontend = {
  validation: {
    mode: 'AllowValidOnly',
    caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'authorities', namespace: 'certificates' }],
  },
};

/** For each kind, an object that the server accepts and that has every field of the schema, by kind. */
export const FULL_OBJECTS: Readonly<Record<string, JsonObject>> = {
  GatewayClass: {
    apiVersion: `${GROUP}/v1`,
    kind: 'GatewayClass',
    metadata: { name: 'case' },
    spec: {
      controllerName: 'gari.dev/gateway',
      description: 'A class',
      parametersRef: { group: 'example.com', kind: 'Parameters', name: 'parameters', namespace: 'default' },
    },
  },
  Gateway: {
    apiVersion: `${GROUP}/v1`,
    kind: 'Gateway',
    metadata: { name: 'case', namespace: 'default' },
    spec: {
      gatewayClassName: 'gari',
      addresses: [{ type: 'IPAddress', value: '192.0.2.1' }],
      allowedListeners: { namespaces: { from: 'Selector', selector } },
      infrastructure: {
        annotations: { 'example.com/owner': 'web' },
        labels: { team: 'web' },
        parametersRef: { group: 'example.com', kind: 'Parameters', name: 'parameters' },
      },
      listeners: [listener],
      tls: {
        backend: {
          clientCertificateRef: { group: '', kind: 'Secret', name: 'client', namespace: 'certificates' },
        },
        frontend: { default: frontend, perPort: [{ port: 443, tls: frontend }] },
      },
    },
  },
  ListenerSet: {
    apiVersion: `${GROUP}/v1`,
    kind: 'ListenerSet',
    metadata: { name: 'case', namespace: 'default' },
    spec: {
      parentRef: { group: GROUP, kind: 'Gateway', name: 'gateway', namespace: 'default' },
      listeners: [listener],
    },
  },
  ReferenceGrant: {
    apiVersion: `${GROUP}/v1`,
    kind: 'ReferenceGrant',
    metadata: { name: 'case', namespace: 'default' },
    spec: {
      from: [{ group: GROUP, kind: 'Gateway', namespace: 'default' }],
      to: [{ group: '', kind: 'Secret', name: 'certificate' }],
    },
  },
};
