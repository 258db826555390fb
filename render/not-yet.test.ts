import { describe, expect, it } from 'vitest';
import type { Gateway, GatewayAddress } from './gateway-api.ts';
import { isServiceHostname, unsupported } from './not-yet.ts';

const gateway = (spec: Partial<Gateway['spec']>, annotations = {}): { object: Gateway } => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace: 'prod', annotations },
    spec: { gatewayClassName: 'public', listeners: [], ...spec },
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
  it.each<[string, { object: Gateway }, string[]]>([
    ['nothing of it', gateway({}), []],
    ['an address that is no Service', gateway({ addresses: [{ value: '192.0.2.1' }] }), []],
    ['metadata for its children', gateway({ infrastructure: { labels: { a: 'b' } } }), []],
    ['another annotation of ours', gateway({}, { 'gari.dev/paused': 'true' }), []],
    [
      'a Service to attach to',
      gateway({}, { 'gari.dev/attach-to': 'edge' }),
      ['metadata.annotations["gari.dev/attach-to"]'],
    ],
    [
      'a Service by its name, behind an address',
      gateway({ addresses: [{ value: '192.0.2.1' }, { type: 'Hostname', value: 'edge.infra.svc' }] }),
      ['spec.addresses[1]'],
    ],
    [
      'all at once',
      gateway({ addresses: [{ type: 'Hostname', value: 'a.b.svc' }] }, { 'gari.dev/attach-to': '' }),
      ['metadata.annotations["gari.dev/attach-to"]', 'spec.addresses[0]'],
    ],
  ])('%s', (_, asking, fields) => {
    const diagnostics = unsupported(asking);
    expect(diagnostics.map(({ field }) => field)).toEqual(fields);
    for (const { severity, reason, object, message } of diagnostics) {
      expect([severity, reason, object?.name]).toEqual(['error', 'InvalidParameters', 'web']);
      expect(message).toMatch(/this version of gari does not .*; remove it/);
    }
  });
});
