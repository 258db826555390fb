import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { requestedAddresses } from './addresses.ts';
import type { GatewayAddress } from './gateway-api.ts';
import { settingsOf } from './parameters/settings.ts';

const { settings } = settingsOf([], {});
const gatewayWith = (addresses: readonly GatewayAddress[]) => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway' as const,
    metadata: { name: 'web', namespace: 'prod' },
    spec: { gatewayClassName: 'gari', listeners: [], addresses },
  },
});

describe('as parameters say', () => {
  const two = gatewayWith([{ value: '192.0.2.1' }, { value: '2001:db8::1' }]);
  it.each(['Annotation', 'ExternalIPs'] as const)('several are passed on as %s', (via) => {
    expect(requestedAddresses(two, { serviceType: 'ClusterIP', requestedAddress: { via } })).toEqual({
      addresses: ['192.0.2.1', '2001:db8::1'],
      diagnostics: [],
    });
  });

  it('a Service without a load balancer asks for none, and says so', () => {
    const one = gatewayWith([{ value: '192.0.2.1' }]);
    const { addresses, diagnostics } = requestedAddresses(one, { ...settings, serviceType: 'NodePort' });
    expect(addresses).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'warning', reason: 'AddressesNotPassedOn' }]);
  });
});

const ask = (...addresses: GatewayAddress[]) => {
  const { addresses: found, diagnostics } = requestedAddresses(
    {
      object: {
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'Gateway',
        metadata: { name: 'web', namespace: 'prod' },
        spec: { gatewayClassName: 'gari', listeners: [], addresses },
      },
    },
    settings,
  );
  return [found[0], ...diagnostics.map(({ severity, reason }) => `${severity} ${reason}`)];
};

describe('requestedAddresses', () => {
  it.each<[string, GatewayAddress[], unknown[]]>([
    ['one', [{ value: '192.0.2.1' }], ['192.0.2.1']],
    ['one of IPv6', [{ type: 'IPAddress', value: '2001:db8::1' }], ['2001:db8::1']],
    [
      'several',
      [{ value: '192.0.2.1' }, { value: '192.0.2.2' }],
      [undefined, 'warning AddressesNotPassedOn'],
    ],
    ['any', [{ type: 'IPAddress' }], [undefined]],
    ['any and one', [{}, { value: '192.0.2.1' }], ['192.0.2.1']],
    ['a name', [{ type: 'Hostname', value: 'example.com' }], [undefined, 'warning UnsupportedAddress']],
    [
      'one and a name',
      [{ value: '192.0.2.1' }, { type: 'Hostname' }],
      ['192.0.2.1', 'warning UnsupportedAddress'],
    ],
    ['what is none', [{ value: '192.0.2.300' }], [undefined, 'error Invalid']],
  ])('%s', (_, addresses, expected) => expect(ask(...addresses)).toEqual(expected));

  it.each([
    '192.0.2.1',
    '0.0.0.0',
    '255.255.255.255',
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '::',
    '::1',
    '2001:db8::1',
  ])('knows of %s whether it is an address', (value) =>
    expect(ask({ value })[0] === value).toBe(isIP(value) !== 0),
  );

  it.each(['2001:db8:::1', '1::2::3', 'fe80::1%eth0', '::ffff:192.0.2.1', ':', 'a:b', '12345::', ''])(
    'knows of %j whether it is an address',
    (value) => {
      // A zone is no part of an address that a Service could have.
      const expected = isIP(value) !== 0 && !value.includes('%');
      expect(ask({ value })[0] === value).toBe(expected);
    },
  );
});
