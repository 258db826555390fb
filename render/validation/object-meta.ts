import type { StructuralSchema } from './structural-schema.ts';

const TEXT: StructuralSchema = { type: 'string' };
const INTEGER: StructuralSchema = { type: 'integer', format: 'int64' };
const BOOLEAN: StructuralSchema = { type: 'boolean' };
const TIME: StructuralSchema = { type: 'string', format: 'rfc3339' };
// Go decodes null into the zero value: "" in a map or list of strings.
const TEXT_OR_NULL: StructuralSchema = { type: 'string', default: '' };

/**
 * `metadata` as the server decodes it into Go's ObjectMeta (k8s.io/apimachinery v0.36.3
 * pkg/apis/meta/v1/types.go), written as a schema so that one algorithm serves the whole object. A
 * field of the wrong type is refused, an unknown one dropped with a warning.
 */
export const OBJECT_META: StructuralSchema = {
  type: 'object',
  properties: {
    name: TEXT,
    generateName: TEXT,
    namespace: TEXT,
    selfLink: TEXT,
    uid: TEXT,
    resourceVersion: TEXT,
    generation: INTEGER,
    creationTimestamp: TIME,
    deletionTimestamp: TIME,
    deletionGracePeriodSeconds: INTEGER,
    labels: { type: 'object', additionalProperties: TEXT_OR_NULL },
    annotations: { type: 'object', additionalProperties: TEXT_OR_NULL },
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        default: {},
        properties: {
          apiVersion: TEXT,
          kind: TEXT,
          name: TEXT,
          uid: TEXT,
          controller: BOOLEAN,
          blockOwnerDeletion: BOOLEAN,
        },
      },
    },
    finalizers: { type: 'array', items: TEXT_OR_NULL },
    managedFields: {
      type: 'array',
      items: {
        type: 'object',
        default: {},
        properties: {
          manager: TEXT,
          operation: TEXT,
          apiVersion: TEXT,
          time: TIME,
          fieldsType: TEXT,
          fieldsV1: { 'x-kubernetes-preserve-unknown-fields': true },
          subresource: TEXT,
        },
      },
    },
  },
};
