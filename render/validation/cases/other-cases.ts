import type { Json, JsonObject, Path } from '../../json.ts';
import { makeCase, type ValidationCase, type Verdict } from './case.ts';
import { withValue } from './edit.ts';
import { FULL_OBJECTS } from './full-objects.ts';

type Row = readonly [what: string, path: Path, value: Json | undefined, unknown?: readonly string[]];

const ADDRESS = ['spec', 'addresses', 0];
const address = (value: string): JsonObject => ({ type: 'IPAddress', value });
const addresses = (texts: readonly string[]): Row[] =>
  texts.map((text) => [JSON.stringify(text), ADDRESS, address(text)]);

// The server's parser of IPv4 addresses takes leading zeros; that of IPv6 addresses takes no zone.
const IP_ADDRESSES = {
  accepted: [
    '192.0.2.1',
    '0.0.0.0',
    '255.255.255.255',
    '192.000.002.001',
    '010.0.0.1',
    '0000000000192.0.2.1',
    '2001:db8::1',
    '2001:DB8:0:0:0:0:0:1',
    '::',
    '::1',
    '1:2:3:4:5:6:7::',
    '::ffff:192.0.2.1',
    '::ffff:192.000.2.01',
    '64:ff9b::192.0.2.33',
  ],
  refused: [
    '',
    '192.0.2',
    '192.0.2.1.1',
    '192.0.2.256',
    '192.0.2.1/24',
    ' 192.0.2.1',
    '192.0.2.1\n',
    '192.0.2.-1',
    '192.0.2.0x1',
    '+1.2.3.4',
    '192.0.2.',
    '١.2.3.4',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '1::2::3',
    ':::',
    '12345::',
    '00001::',
    'fe80::1%eth0',
    '[::1]',
    '::ffff:192.0.2.256',
    '::192.0.2',
    'g::1',
    'example.com',
    `\${ADDRESS}`,
  ],
} as const;

const GATEWAY_UNKNOWN: readonly Row[] = [
  ['a misspelt field', ['spec', 'listners'], [], ['spec.listners']],
  [
    'a misspelt field of a listener',
    ['spec', 'listeners', 0, 'hostName'],
    'a',
    ['spec.listeners[0].hostName'],
  ],
  ['a field beside spec', ['data'], { a: 'b' }, ['data']],
  ['a field of another kind', ['spec', 'controllerName'], 'a/b', ['spec.controllerName']],
  ['an unknown field that is null', ['spec', 'foo'], null, ['spec.foo']],
  [
    'a field of a certificate reference',
    ['spec', 'listeners', 0, 'tls', 'certificateRefs', 0, 'key'],
    'a',
    ['spec.listeners[0].tls.certificateRefs[0].key'],
  ],
  ['a status, which is dropped', ['status'], { addresses: [{ value: 'nonsense' }], conditions: 7 }],
  ['an unknown field of the status', ['status'], { foo: 1 }, ['status.foo']],
  ['odd names', ['spec', 'constructor'], 'a', ['spec.constructor']],
];

/** Cases that no single constraint gives: addresses, defaults, unknown fields. */
export function otherCases(): ValidationCase[] {
  return [
    ...rows('Gateway', 'spec.addresses[] oneOf', 'accepted', addresses(IP_ADDRESSES.accepted)),
    ...rows('Gateway', 'spec.addresses[] oneOf', 'refused', addresses(IP_ADDRESSES.refused)),
    ...rows('Gateway', 'spec.addresses[] oneOf', 'accepted', [
      ['a name of another type', ADDRESS, { type: 'Hostname', value: 'example.com' }],
      ['an address by default', ADDRESS, { value: '192.0.2.1' }],
      ['no value', ADDRESS, {}],
      ['null values', ADDRESS, { type: null, value: null }],
    ]),
    ...rows('Gateway', 'spec.addresses[] oneOf', 'refused', [
      ['a name by default', ADDRESS, { value: 'example.com' }],
    ]),
    ...rows('Gateway', 'unknown field', 'accepted', GATEWAY_UNKNOWN),
    ...rows('Gateway', 'unknown field', 'refused', [
      [
        'in place of a list',
        ['spec', 'listeners'],
        { name: 'a', port: 80 },
        ['spec.listeners.name', 'spec.listeners.port'],
      ],
      [
        'in place of a number',
        ['spec', 'listeners', 0, 'port'],
        { a: { b: 1 } },
        ['spec.listeners[0].port.a'],
      ],
      [
        'in place of a required one',
        ['spec', 'listeners', 0],
        { nam: 'a', port: 80, protocol: 'HTTP' },
        ['spec.listeners[0].nam'],
      ],
    ]),
    ...rows('ReferenceGrant', 'unknown field', 'accepted', [
      ['a status, which it does not have', ['status'], { a: 'b' }, ['status']],
    ]),
    ...rows('GatewayClass', 'unknown field', 'accepted', [
      ['a status', ['status'], { conditions: [{ type: 'Accepted' }], supportedFeatures: 'none' }],
    ]),
  ];
}

function rows(
  kind: string,
  constraint: string,
  expected: Verdict,
  entries: readonly Row[],
): ValidationCase[] {
  const full = FULL_OBJECTS[kind] ?? {};
  return entries.map(([what, path, value, unknown]) =>
    makeCase(kind, constraint, what, withValue(full, path, value), expected, unknown),
  );
}
