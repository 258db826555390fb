import type { Field } from './schema-field.ts';

function overlay<const K extends string>(kind: K) {
  return {
    description: `What is laid over the ${kind}. Nothing in it may change the ${kind}'s identity.`,
    gateway: 'refused',
    type: 'object',
    properties: {
      merge: {
        description: `A partial ${kind}. Maps and keyed lists are merged as server-side apply merges them, everything else is replaced.`,
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
      },
      remove: {
        description:
          'Fields and list entries that lower layers have set, to be removed first: spec.template.spec.containers[name=dataplane].livenessProbe, spec.ports[port=9090,protocol=UDP], metadata.annotations["example.com/key"].',
        type: 'array',
        maxItems: 100,
        items: { type: 'string', minLength: 1, maxLength: 500 },
        'x-kubernetes-list-type': 'set',
      },
    },
  } as const;
}

/** Whatever the other fields cannot say. */
export const OVERLAY_FIELDS = {
  serviceAccount: overlay('ServiceAccount'),
  roleBinding: overlay('RoleBinding'),
  deployment: overlay('Deployment'),
  service: overlay('Service'),
} as const satisfies Readonly<Record<string, Field>>;
