import { describe, expect, it } from 'vitest';
import type { Gateway, GatewayClass } from '../../render/gateway-api.ts';
import { render } from '../../render/render.ts';
import { acceptedVerdict } from './accepted.ts';

const gateway = (spec: Partial<Gateway['spec']> = {}, annotations = {}): Gateway => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod', annotations },
  spec: { gatewayClassName: 'gari', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }], ...spec },
});

const unknown = { name: 'odd', port: 81, protocol: 'example.com/odd' };

function verdictOf(object: Gateway, gatewayClasses: readonly GatewayClass[] = []) {
  const { diagnostics } = render({
    gateways: [{ object }],
    gatewayClasses: gatewayClasses.map((each) => ({ object: each })),
    listenerSets: [],
    referenceGrants: [],
    namespaces: [],
    existing: [],
    clusterRoleBindings: [],
  });
  const { status, reason, message } = acceptedVerdict(object, diagnostics, 'claimed by a');
  return `${status} ${reason}: ${message}`;
}

describe('Accepted', () => {
  it.each<[string, Gateway, string | RegExp]>([
    ['says who claimed it', gateway(), 'True Accepted: claimed by a'],
    [
      'names parameters that cannot be followed',
      gateway({ infrastructure: { parametersRef: { group: 'invalid.io', kind: 'Odd', name: 'a' } } }),
      /^False InvalidParameters: Gateway prod\/web: spec.infrastructure.parametersRef /,
    ],
    [
      'names an address of a type that gari cannot pass on',
      gateway({ addresses: [{ type: 'Hostname', value: 'example.com' }] }),
      /^False UnsupportedAddress: Gateway prod\/web: spec.addresses\[0\] asks for Hostname example.com/,
    ],
    [
      'names a listener that is left out',
      gateway({ listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }, unknown] }),
      /^True ListenersNotValid: claimed by a; Gateway prod\/web: spec.listeners\[1\] \(odd\) is left out/,
    ],
    [
      'is false where no listener can be served',
      gateway({ listeners: [unknown] }),
      /^False ListenersNotValid: no listener can be served: Gateway prod\/web: spec.listeners\[0\]/,
    ],
    [
      'is true although a label was dropped',
      gateway({ infrastructure: { labels: { 'gari.dev/a': 'b' } } }),
      'True Accepted: claimed by a',
    ],
  ])('%s', (_, object, expected) => {
    if (typeof expected === 'string') expect(verdictOf(object)).toBe(expected);
    else expect(verdictOf(object)).toMatch(expected);
  });
});
