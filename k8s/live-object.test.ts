import { expect, it } from 'vitest';
import { contentOf } from './live-object.ts';

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web-gari',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    annotations: { a: 'b' },
    managedFields: [{ manager: 'gari' }],
  },
  spec: { replicas: 1 },
  status: { replicas: 1 },
};
const { metadata } = deployment;

it('is the same whatever the server and its controllers write', () => {
  const { apiVersion: _, kind: __, status: ___, ...item } = deployment;
  const later = {
    ...metadata,
    resourceVersion: '2',
    generation: 2,
    annotations: { 'deployment.kubernetes.io/revision': '1', a: 'b' },
    managedFields: [],
  };
  expect(contentOf({ ...item, metadata: later })).toBe(contentOf(deployment));
  expect(contentOf({ metadata: {} })).toBe(contentOf({}));
});

it.each([
  ['a spec', { ...deployment, spec: { replicas: 2 } }],
  ['an annotation', { ...deployment, metadata: { ...metadata, annotations: { a: 'c' } } }],
  ['a label', { ...deployment, metadata: { ...metadata, labels: { a: 'b' } } }],
  ['an owner', { ...deployment, metadata: { ...metadata, ownerReferences: [{ uid: 'g' }] } }],
  ['another object', { ...deployment, metadata: { ...metadata, uid: 'v' } }],
])('is another with %s', (_, changed) => {
  expect(contentOf(changed)).not.toBe(contentOf(deployment));
});
