import type { Json, JsonObject } from '../../json.ts';
import { makeCase, type ValidationCase, type Verdict } from './case.ts';

/** What a CEL rule accepts and refuses: specs, by the rule's message. */
interface RuleSamples {
  readonly kinds: readonly string[];
  readonly message: string;
  readonly accepted: Readonly<Record<string, JsonObject>>;
  readonly refused: Readonly<Record<string, JsonObject>>;
}

const BOTH = ['Gateway', 'ListenerSet'];
const certificateRefs = [{ name: 'certificate' }];
const HTTP = { name: 'http', port: 80, protocol: 'HTTP' };
const HTTPS = { name: 'https', port: 443, protocol: 'HTTPS', tls: { certificateRefs } };

const listeners = (...values: readonly Json[]): JsonObject => ({ listeners: values });
const addresses = (...values: readonly Json[]): JsonObject => ({ addresses: values });
const infrastructure = (field: string, ...keys: readonly string[]): JsonObject => ({
  infrastructure: { [field]: Object.fromEntries(keys.map((key) => [key, 'value'])) },
});
const name63 = 'n'.repeat(63);
const prefix = (length: number) => `${'p'.repeat(length)}/name`;

const KEYS = (field: string, message: string): RuleSamples => ({
  kinds: ['Gateway'],
  message,
  accepted: {
    'plain and prefixed keys': infrastructure(field, 'a', 'A_b.c-1', 'example.com/a', name63, 'constructor'),
  },
  refused: {
    'a key with a space': infrastructure(field, 'a b'),
    'an empty key': infrastructure(field, ''),
    'a key with an empty name': infrastructure(field, 'example.com/'),
    'a key with capitals in its prefix': infrastructure(field, 'Example.com/a'),
    'a key with two slashes': infrastructure(field, 'a/b/c'),
    'a key with a name of 64 characters': infrastructure(field, `${name63}n`),
    'a key that is not ASCII': infrastructure(field, 'ä'),
    'a key that ends in a line feed': infrastructure(field, 'a\n'),
    'a key that is a placeholder': infrastructure(field, `\${KEY}`),
  },
});
const PREFIX = (field: string, message: string): RuleSamples => ({
  kinds: ['Gateway'],
  message,
  accepted: { 'a prefix of 252 characters': infrastructure(field, prefix(252)) },
  refused: { 'a prefix of 253 characters': infrastructure(field, prefix(253)) },
});

const SAMPLES: readonly RuleSamples[] = [
  {
    kinds: ['Gateway'],
    message:
      'Hostname value must be empty or contain only valid characters (matching ^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)',
    accepted: {
      'a name': addresses({ type: 'Hostname', value: 'a.example.com' }),
      'a wildcard': addresses({ type: 'Hostname', value: '*.example.com' }),
      'an IP address': addresses({ type: 'Hostname', value: '192.0.2.1' }),
      'no value': addresses({ type: 'Hostname' }),
      'another type': addresses({ type: 'example.com/pool', value: 'A b' }),
    },
    refused: {
      capitals: addresses({ type: 'Hostname', value: 'A.example.com' }),
      'an empty value': addresses({ type: 'Hostname', value: '' }),
      'a line feed at the end': addresses({ type: 'Hostname', value: 'a\n' }),
    },
  },
  {
    kinds: ['Gateway'],
    message: 'IPAddress values must be unique',
    accepted: {
      'two addresses': addresses({ value: '192.0.2.1' }, { value: '192.0.2.2' }),
      'one address written in two ways': addresses({ value: '2001:db8::1' }, { value: '2001:db8:0::1' }),
      'two without a value': addresses({ type: 'IPAddress' }, { type: 'IPAddress' }),
      'as an IPAddress and as a Hostname': addresses(
        { value: '192.0.2.1' },
        { type: 'Hostname', value: '192.0.2.1' },
      ),
    },
    refused: {
      twice: addresses({ value: '192.0.2.1' }, { type: 'IPAddress', value: '192.0.2.1' }),
    },
  },
  {
    kinds: ['Gateway'],
    message: 'Hostname values must be unique',
    accepted: {
      'two names': addresses({ type: 'Hostname', value: 'a' }, { type: 'Hostname', value: 'b' }),
      'two without a value': addresses({ type: 'Hostname' }, { type: 'Hostname' }),
    },
    refused: { twice: addresses({ type: 'Hostname', value: 'a' }, { type: 'Hostname', value: 'a' }) },
  },
  KEYS(
    'annotations',
    'Annotation keys must be in the form of an optional DNS subdomain prefix followed by a required name segment of up to 63 characters.',
  ),
  PREFIX(
    'annotations',
    "If specified, the annotation key's prefix must be a DNS subdomain not longer than 253 characters in total.",
  ),
  KEYS(
    'labels',
    'Label keys must be in the form of an optional DNS subdomain prefix followed by a required name segment of up to 63 characters.',
  ),
  PREFIX(
    'labels',
    "If specified, the label key's prefix must be a DNS subdomain not longer than 253 characters in total.",
  ),
  {
    kinds: BOTH,
    message: 'certificateRefs or options must be specified when mode is Terminate',
    accepted: {
      certificates: listeners(HTTPS),
      options: listeners({ ...HTTPS, tls: { options: { a: 'b' } } }),
      'no certificates but options': listeners({
        ...HTTPS,
        tls: { certificateRefs: [], options: { a: 'b' } },
      }),
      'certificates and no options': listeners({ ...HTTPS, tls: { certificateRefs, options: {} } }),
      'neither, passed through': listeners({ ...HTTPS, protocol: 'TLS', tls: { mode: 'Passthrough' } }),
    },
    refused: {
      neither: listeners({ ...HTTPS, tls: { mode: 'Terminate' } }),
      'neither, by default': listeners({ ...HTTPS, tls: {} }),
      'both empty': listeners({ ...HTTPS, tls: { certificateRefs: [], options: {} } }),
      'no certificates': listeners({ ...HTTPS, tls: { certificateRefs: [] } }),
    },
  },
  {
    kinds: BOTH,
    message: "tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']",
    accepted: {
      'without tls': listeners(
        HTTP,
        { ...HTTP, name: 'tcp', protocol: 'TCP' },
        { ...HTTP, name: 'udp', protocol: 'UDP' },
      ),
      'tls of another protocol': listeners({ ...HTTPS, protocol: 'example.com/name' }),
    },
    refused: {
      HTTP: listeners({ ...HTTPS, protocol: 'HTTP' }),
      TCP: listeners({ ...HTTPS, protocol: 'TCP' }),
      UDP: listeners({ ...HTTPS, protocol: 'UDP' }),
    },
  },
  {
    kinds: BOTH,
    message: 'tls mode must be Terminate for protocol HTTPS',
    accepted: {
      Terminate: listeners({ ...HTTPS, tls: { mode: 'Terminate', certificateRefs } }),
      'no tls': listeners({ ...HTTP, protocol: 'HTTPS' }),
    },
    refused: { Passthrough: listeners({ ...HTTPS, tls: { mode: 'Passthrough' } }) },
  },
  {
    kinds: BOTH,
    message: 'tls mode must be set for protocol TLS',
    accepted: {
      set: listeners({ ...HTTPS, protocol: 'TLS', tls: { mode: 'Passthrough' } }),
      'set by default': listeners({ ...HTTPS, protocol: 'TLS' }),
    },
    refused: { 'no tls': listeners({ ...HTTP, protocol: 'TLS' }) },
  },
  {
    kinds: BOTH,
    message: "hostname must not be specified for protocols ['TCP', 'UDP']",
    accepted: {
      'HTTP with a hostname': listeners({ ...HTTP, hostname: 'a.example.com' }),
      'TCP without one': listeners({ ...HTTP, protocol: 'TCP' }),
    },
    refused: {
      TCP: listeners({ ...HTTP, protocol: 'TCP', hostname: 'a.example.com' }),
      UDP: listeners({ ...HTTP, protocol: 'UDP', hostname: 'a.example.com' }),
    },
  },
  {
    kinds: BOTH,
    message: 'Listener name must be unique within the Gateway',
    accepted: { 'two names': listeners(HTTP, { ...HTTP, name: 'other', port: 81 }) },
    refused: { 'one name': listeners(HTTP, { ...HTTP, port: 81 }) },
  },
  {
    kinds: BOTH,
    message: 'Combination of port, protocol and hostname must be unique for each listener',
    accepted: {
      'two ports': listeners(HTTP, { ...HTTP, name: 'b', port: 81 }),
      'two protocols': listeners(HTTP, { ...HTTP, name: 'b', protocol: 'TCP' }),
      'two hostnames': listeners({ ...HTTP, hostname: 'a' }, { ...HTTP, name: 'b', hostname: 'b' }),
      'one with a hostname': listeners(HTTP, { ...HTTP, name: 'b', hostname: 'b' }),
    },
    refused: {
      'without hostnames': listeners(HTTP, { ...HTTP, name: 'b' }),
      'with one hostname': listeners({ ...HTTP, hostname: 'a' }, { ...HTTP, name: 'b', hostname: 'a' }),
      'the third and the first': listeners(HTTP, { ...HTTP, name: 'b', port: 81 }, { ...HTTP, name: 'c' }),
    },
  },
  {
    kinds: ['Gateway'],
    message: 'Port for TLS configuration must be unique within the Gateway',
    accepted: {
      'two ports': {
        tls: {
          frontend: {
            default: {},
            perPort: [
              { port: 1, tls: {} },
              { port: 2, tls: {} },
            ],
          },
        },
      },
    },
    refused: {
      'one port': {
        tls: {
          frontend: {
            default: {},
            perPort: [
              { port: 1, tls: {} },
              { port: 1, tls: {} },
            ],
          },
        },
      },
    },
  },
];

const SPECS: Readonly<Record<string, JsonObject>> = {
  Gateway: { gatewayClassName: 'gari', listeners: [HTTP] },
  ListenerSet: { parentRef: { name: 'gateway' }, listeners: [HTTP] },
};

/** Cases for every CEL rule that is no transition rule. */
export function ruleCases(): ValidationCase[] {
  return SAMPLES.flatMap(({ kinds, message, accepted, refused }) =>
    kinds.flatMap((kind) => {
      const toCase = (expected: Verdict, [what, spec]: [string, JsonObject]) => {
        const object = {
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind,
          metadata: { name: 'case', namespace: 'default' },
          spec: { ...SPECS[kind], ...spec },
        };
        return makeCase(kind, ruleConstraint(message), what, object, expected);
      };
      return [
        ...Object.entries(accepted).map((entry) => toCase('accepted', entry)),
        ...Object.entries(refused).map((entry) => toCase('refused', entry)),
      ];
    }),
  );
}

/** The `constraint` of a rule's cases. */
export function ruleConstraint(message: string): string {
  return `rule "${message}"`;
}
