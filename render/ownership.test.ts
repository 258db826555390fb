import { describe, expect, it } from 'vitest';
import type { Gateway, ObjectMeta } from './gateway-api.ts';
import { ownershipOf } from './ownership.ts';

const gateway: Gateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod', uid: 'u1' },
  spec: { gatewayClassName: 'gari', listeners: [] },
};
const named = { 'gateway.networking.k8s.io/gateway-name': 'web' };
const managed = { 'app.kubernetes.io/managed-by': 'gari' };
const annotated = { 'gari.dev/gateway': 'prod/web' };
const owner = (
  kind: string,
  name: string,
  uid: string,
  controller = true,
  apiVersion = gateway.apiVersion,
) => ({
  ownerReferences: [{ apiVersion, kind, name, uid, controller }],
});

const ROWS: [string, Partial<ObjectMeta>, string][] = [
  ['controlled by this Gateway', owner('Gateway', 'web', 'u1'), 'owned'],
  ['controlled by this Gateway, labels gone', { labels: {}, ...owner('Gateway', 'web', 'u1') }, 'owned'],
  [
    'controlled by an earlier Gateway of the name, with our marks',
    { labels: { ...named, ...managed }, ...owner('Gateway', 'web', 'u0') },
    'adoptable',
  ],
  [
    'controlled by an earlier Gateway of the name, without our marks',
    owner('Gateway', 'web', 'u0'),
    'foreign',
  ],
  [
    'controlled by another Gateway',
    { labels: { ...named, ...managed }, ...owner('Gateway', 'shop', 'u2') },
    'foreign',
  ],
  [
    'controlled by a Gateway of another group',
    { labels: { ...named, ...managed }, ...owner('Gateway', 'web', 'u2', true, 'networking.istio.io/v1') },
    'foreign',
  ],
  [
    'controlled by something else',
    { labels: { ...named, ...managed }, ...owner('Application', 'web', 'u2') },
    'foreign',
  ],
  [
    'owned, not controlled, by something else',
    { labels: { ...named, ...managed }, ...owner('Application', 'web', 'u2', false) },
    'adoptable',
  ],
  ['labelled by gari', { labels: { ...named, ...managed } }, 'adoptable'],
  [
    'labelled, managed-by overwritten, annotated',
    { labels: { ...named, 'app.kubernetes.io/managed-by': 'kustomize' }, annotations: annotated },
    'adoptable',
  ],
  ['labelled, neither managed nor annotated', { labels: named }, 'foreign'],
  [
    'managed by gari, of another Gateway',
    { labels: { 'gateway.networking.k8s.io/gateway-name': 'shop', ...managed } },
    'foreign',
  ],
  ['managed by gari, of no Gateway', { labels: managed, annotations: annotated }, 'foreign'],
  [
    'annotated for a namesake elsewhere',
    { labels: named, annotations: { 'gari.dev/gateway': 'test/web' } },
    'foreign',
  ],
  ['without any mark', {}, 'foreign'],
  [
    'owned, not controlled, by this Gateway, without our marks',
    owner('Gateway', 'web', 'u1', false),
    'foreign',
  ],
  [
    'controlled by this Gateway, with another owner before',
    {
      ownerReferences: [
        ...owner('Application', 'x', 'u2', false).ownerReferences,
        ...owner('Gateway', 'web', 'u1').ownerReferences,
      ],
    },
    'owned',
  ],
  [
    'controlled by something else, with this Gateway as an owner before',
    {
      labels: { ...named, ...managed },
      ownerReferences: [
        ...owner('Gateway', 'web', 'u1', false).ownerReferences,
        ...owner('Application', 'x', 'u2').ownerReferences,
      ],
    },
    'foreign',
  ],
  [
    'controlled by an earlier Gateway of the name and of v1beta1, with our marks',
    {
      labels: { ...named, ...managed },
      ...owner('Gateway', 'web', 'u0', true, 'gateway.networking.k8s.io/v1beta1'),
    },
    'adoptable',
  ],
  [
    'controlled by a Gateway of a group that begins alike',
    {
      labels: { ...named, ...managed },
      ...owner('Gateway', 'web', 'u0', true, 'gateway.networking.k8s.io.example.com/v1'),
    },
    'foreign',
  ],
  [
    'without an owner, in an empty list',
    { labels: { ...named, ...managed }, ownerReferences: [] },
    'adoptable',
  ],
];

describe('ownershipOf', () => {
  it.each(ROWS)('%s', (_, metadata, expected) => {
    expect(ownershipOf({ metadata: { name: 'web-gari', namespace: 'prod', ...metadata } }, gateway)).toBe(
      expected,
    );
  });

  it('of a Gateway in a file, which has no uid, is never owned', () => {
    const { uid: _, ...metadata } = gateway.metadata;
    const inFile = { ...gateway, metadata };
    const ownershipIn = (object: Partial<ObjectMeta>) =>
      ownershipOf({ metadata: { name: 'web-gari', namespace: 'prod', ...object } }, inFile);
    const marks = { labels: { ...named, ...managed } };
    expect(ownershipIn({ ...marks, ...owner('Gateway', 'web', 'u1') })).toBe('adoptable');
    expect(ownershipIn(owner('Gateway', 'web', 'u1'))).toBe('foreign');
    expect(ownershipIn({ ...marks, ...owner('Application', 'web', 'u1') })).toBe('foreign');
    expect(ownershipIn(marks)).toBe('adoptable');
  });

  it('goes by the label value of a long name, and by the whole name in the annotation', () => {
    const name = 'a'.repeat(64);
    const long = { ...gateway, metadata: { ...gateway.metadata, name } };
    // 54 characters and the first 8 hex digits of the SHA-256 of 64 times a.
    const labels = { 'gateway.networking.k8s.io/gateway-name': `${'a'.repeat(54)}-ffe054fe` };
    const annotations = { 'gari.dev/gateway': `prod/${name}` };
    const ownershipIn = (metadata: Partial<ObjectMeta>) =>
      ownershipOf({ metadata: { name: 'x', namespace: 'prod', ...metadata } }, long);
    expect(ownershipIn({ labels, annotations })).toBe('adoptable');
    expect(ownershipIn({ labels: { ...labels, ...managed } })).toBe('adoptable');
    expect(ownershipIn({ labels: { 'gateway.networking.k8s.io/gateway-name': name, ...managed } })).toBe(
      'foreign',
    );
  });
});
