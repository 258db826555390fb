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
];

describe('ownershipOf', () => {
  it.each(ROWS)('%s', (_, metadata, expected) => {
    expect(ownershipOf({ metadata: { name: 'web-gari', namespace: 'prod', ...metadata } }, gateway)).toBe(
      expected,
    );
  });
});
