import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Gateway } from './gateway-api.ts';
import { gatewayAnnotations, gatewayKey, gatewayLabels, objectIdentity, podSelector } from './metadata.ts';

const gateway = (name: string, gatewayClassName = 'public'): Gateway => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  // None of its own metadata is copied.
  metadata: { name, namespace: 'prod', labels: { team: 'x' }, annotations: { note: 'x' }, uid: 'u' },
  spec: { gatewayClassName, listeners: [], infrastructure: { labels: { tier: 'x' } } },
});
const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
const LABELS = {
  'app.kubernetes.io/managed-by': 'gari',
  'app.kubernetes.io/name': 'gari-dataplane',
  'gari.dev/component': 'dataplane',
  'gateway.networking.k8s.io/gateway-class-name': 'public',
  'gateway.networking.k8s.io/gateway-name': 'web',
};

describe('what gari puts on everything that it makes for a Gateway', () => {
  const web = gateway('web');

  it('labels: these and no others', () => expect(gatewayLabels(web)).toEqual(LABELS));

  it('annotations', () => expect(gatewayAnnotations(web)).toEqual({ 'gari.dev/gateway': 'prod/web' }));

  // A running Deployment cannot follow a change of it: this must never be edited.
  it('the selector, in every version', () =>
    expect(podSelector(web)).toEqual({
      'gari.dev/component': 'dataplane',
      'gateway.networking.k8s.io/gateway-name': 'web',
    }));

  it('all of it, under the name of the object', () =>
    expect(objectIdentity(web, 'web-gari')).toEqual({
      name: 'web-gari',
      namespace: 'prod',
      labels: LABELS,
      annotations: { 'gari.dev/gateway': 'prod/web' },
    }));

  it('the key is the whole name', () => {
    const long = 'a'.repeat(253);
    expect(gatewayKey(gateway(long))).toBe(`prod/${long}`);
    expect(gatewayAnnotations(gateway(long))).toEqual({ 'gari.dev/gateway': `prod/${long}` });
  });
});

describe('names as label values', () => {
  const long = `${'a'.repeat(60)}-${'b'.repeat(10)}`;
  const shortened = `${'a'.repeat(54)}-${hash(long)}`;

  it('of the Gateway: shortened where they do not fit, in the labels and in the selector alike', () => {
    const name = 'gateway.networking.k8s.io/gateway-name';
    expect(gatewayLabels(gateway(long))[name]).toBe(shortened);
    expect(podSelector(gateway(long))[name]).toBe(shortened);
  });

  it('of the class: shortened as well, and no part of the selector', () => {
    const labels = gatewayLabels(gateway('web', long));
    expect(labels).toEqual({ ...LABELS, 'gateway.networking.k8s.io/gateway-class-name': shortened });
    expect(podSelector(gateway('web', long))).toEqual(podSelector(gateway('web', 'other')));
  });
});
