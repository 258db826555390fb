import { CONTAINER_FIELDS } from './container-fields.ts';
import { OVERLAY_FIELDS } from './overlay-fields.ts';
import { annotations, DEPLOYMENT_FIELDS, labels, POD_FIELDS } from './pod-fields.ts';
import { policyPaths } from './policy-paths.ts';
import type { Field, FieldGroup, ValueOf } from './schema-field.ts';
import { SERVICE_FIELDS, SERVICE_RULES } from './service-fields.ts';

/** What a DataPlane is called in the API. */
export const DATA_PLANE = {
  group: 'gari.dev',
  version: 'v1alpha1',
  kind: 'DataPlane',
  plural: 'dataplanes',
  singular: 'dataplane',
} as const;

const ACCESS = ['Shared', 'Namespaced', 'None'] as const;

// What may stand at the top and below `enforced`.
const VALUES = {
  access: {
    description:
      "What the data plane may read of the cluster. Shared: Gateway API resources, Services, Secrets, ConfigMaps, Namespaces and EndpointSlices of all namespaces; Namespaced: those of the Gateway's namespace; None: nothing.",
    byDefault: "Shared for GARI's image, None for an image of your own",
    gateway: 'refused',
    type: 'string',
    enum: ACCESS,
  },
  http3: {
    description: 'Whether HTTPS listeners are served over HTTP/3 (UDP) as well.',
    byDefault: 'true',
    gateway: 'refused',
    type: 'boolean',
  },
  infrastructureMetadata: {
    description: "Which objects get the labels and annotations of a Gateway's spec.infrastructure.",
    byDefault: 'all of them',
    gateway: 'refused',
    type: 'array',
    maxItems: 5,
    items: { type: 'string', enum: ['ServiceAccount', 'RoleBinding', 'Deployment', 'Pod', 'Service'] },
    'x-kubernetes-list-type': 'set',
  },
  container: {
    description: "The data plane's container: image, arguments, ports, probes, resources.",
    fields: CONTAINER_FIELDS,
  },
  pod: {
    description: "The data plane's pods: metadata, scheduling, volumes, security context.",
    fields: POD_FIELDS,
  },
  deployment: { description: 'The Deployment: replicas, rollout, metadata.', fields: DEPLOYMENT_FIELDS },
  service: {
    description: 'The Service in front of the pods: type, traffic, addresses, ports, metadata.',
    fields: SERVICE_FIELDS,
    rules: SERVICE_RULES,
  },
  serviceAccount: {
    description: 'The ServiceAccount that the pods run as: metadata.',
    fields: {
      labels: { ...labels, gateway: 'refused' },
      // Clouds give rights by it.
      annotations: { ...annotations, gateway: 'refused' },
    },
  },
  overlays: {
    description: 'Whatever the other fields cannot say, for each object.',
    fields: OVERLAY_FIELDS,
  },
} as const satisfies Readonly<Record<string, Field>>;

const pathList = {
  type: 'array',
  maxItems: 100,
  items: { type: 'string', enum: policyPaths(VALUES) },
  'x-kubernetes-list-type': 'set',
} as const;

/**
 * `spec` of a DataPlane: the one source of the TypeScript type, of the checks, of the CRD, of the JSON
 * Schema for editors and of the reference. Every leaf says whether a Gateway may set it.
 */
export const DATA_PLANE_SPEC = {
  description:
    'How the data planes of a GatewayClass, or of one Gateway, are made. What is left out is as gari makes it without parameters.',
  fields: {
    ...VALUES,
    policy: {
      description: 'What the parameters of Gateways of the class may say. In the parameters of a class only.',
      gateway: 'never',
      type: 'object',
      properties: {
        allow: {
          description: 'Fields that a Gateway may set beside those that it may set by default.',
          ...pathList,
        },
        deny: { description: 'Fields that a Gateway may not set; stronger than allow.', ...pathList },
        maxAccess: {
          description: 'The most that a Gateway may ask for in access, where it is allowed to.',
          type: 'string',
          enum: ACCESS,
        },
      },
    },
    enforced: {
      description:
        'Values that win over those of a Gateway, over its spec.infrastructure too. In the parameters of a class only.',
      gateway: 'never',
      fields: VALUES,
    },
  },
} as const satisfies FieldGroup;

/** What can be said at the top of `spec` and below `enforced`. */
export type DataPlaneValues = ValueOf<{ readonly fields: typeof VALUES }>;

/** `spec` of a DataPlane. */
export type DataPlaneSpec = ValueOf<typeof DATA_PLANE_SPEC>;
