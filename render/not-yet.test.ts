import { describe, expect, it } from 'vitest';
import type { Gateway, GatewayAddress, GatewayClass } from './gateway-api.ts';
import { isServiceHostname, unsupported } from './not-yet.ts';

const ref = { group: 'gari.dev', kind: 'Parameters', name: 'p' };
const gateway = (spec: Partial<Gateway['spec']>, annotations = {}): { object: Gateway } => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace: 'prod', annotations },
    spec: { gatewayClassName: 'public', listeners: [], ...spec },
  },
});
const gatewayClass = (spec: Partial<GatewayClass['spec']> = {}): { object: GatewayClass } => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: 'public' },
    spec: { controllerName: 'gari.dev/gateway-controller', ...spec },
  },
});

describe('isServiceHostname', () => {
  it.each<[GatewayAddress, boolean]>([
    [{ type: 'Hostname', value: 'edge.infra.svc' }, true],
    [{ type: 'Hostname', value: 'edge.infra.svc.cluster.local' }, true],
    [{ type: 'Hostname', value: 'edge.infra.svc.' }, true],
    [{ type: 'Hostname', value: 'edge.infra' }, false],
    [{ type: 'Hostname', value: 'edge.svc' }, false],
    [{ type: 'Hostname', value: 'www.edge.infra.svc' }, false],
    [{ type: 'Hostname', value: 'edge.infra.svcs' }, false],
    [{ type: 'Hostname', value: '.infra.svc' }, false],
    [{ type: 'Hostname' }, false],
    [{ type: 'IPAddress', value: 'edge.infra.svc' }, false],
    [{ value: 'edge.infra.svc' }, false],
  ])('%j: %s', (address, expected) => expect(isServiceHostname(address)).toBe(expected));
});

describe('unsupported', () => {
  it.each<[string, { object: Gateway }, { object: GatewayClass } | undefined, string[]]>([
    ['nothing of it', gateway({}), gatewayClass(), []],
    ['nothing of it, without a class', gateway({}), undefined, []],
    ['an address that is no Service', gateway({ addresses: [{ value: '192.0.2.1' }] }), undefined, []],
    ['metadata for its children', gateway({ infrastructure: { labels: { a: 'b' } } }), undefined, []],
    ['another annotation of ours', gateway({}, { 'gari.dev/paused': 'true' }), undefined, []],
    [
      'a Service to attach to',
      gateway({}, { 'gari.dev/attach-to': 'edge' }),
      undefined,
      ['metadata.annotations["gari.dev/attach-to"]'],
    ],
    [
      'a Service by its name, behind an address',
      gateway({ addresses: [{ value: '192.0.2.1' }, { type: 'Hostname', value: 'edge.infra.svc' }] }),
      undefined,
      ['spec.addresses[1]'],
    ],
    [
      'parameters',
      gateway({ infrastructure: { parametersRef: ref } }),
      undefined,
      ['spec.infrastructure.parametersRef'],
    ],
    ['parameters of its class', gateway({}), gatewayClass({ parametersRef: ref }), ['spec.gatewayClassName']],
    [
      'all at once',
      gateway(
        { addresses: [{ type: 'Hostname', value: 'a.b.svc' }], infrastructure: { parametersRef: ref } },
        { 'gari.dev/attach-to': '' },
      ),
      gatewayClass({ parametersRef: ref }),
      [
        'metadata.annotations["gari.dev/attach-to"]',
        'spec.addresses[0]',
        'spec.infrastructure.parametersRef',
        'spec.gatewayClassName',
      ],
    ],
  ])('%s', (_, asking, ofClass, fields) => {
    const diagnostics = unsupported(asking, ofClass);
    expect(diagnostics.map(({ field }) => field)).toEqual(fields);
    for (const { severity, reason, object, message } of diagnostics) {
      expect([severity, reason, object?.name]).toEqual(['error', 'InvalidParameters', 'web']);
      expect(message).toMatch(/this version of gari does not .*; remove it/);
    }
  });
});
