import { expect, test } from 'vitest';
import { formatPath, type JsonObject, type Path } from '../json.ts';
import { validationCases } from './cases/cases.ts';
import { PINNED } from './pinned-schemas.ts';
import { canValidate, validate } from './validate.ts';

const listener = { name: 'http', port: 80, protocol: 'HTTP' };

function gateway(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', ...metadata },
    spec: { gatewayClassName: 'gari', listeners: [listener], ...spec },
  };
}

async function problemsOf(object: unknown): Promise<string[]> {
  return (await validate(object)).problems.map(
    ({ field, reason, message }) => `${reason}: ${field} ${message}`,
  );
}

async function warningsOf(object: unknown): Promise<string[]> {
  return (await validate(object)).warnings.map(
    ({ field, reason, message }) => `${reason}: ${field} ${message}`,
  );
}

function serverPath(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}

test('judges each case of the table as the API server does', async () => {
  const wrong: string[] = [];
  for (const one of validationCases(PINNED.kinds)) {
    const { problems, warnings } = await validate(one.object);
    const verdict = problems.length === 0 ? 'accepted' : 'refused';
    const unknown = warnings
      .filter(({ reason }) => reason === 'UnknownField')
      .map(({ path }) => serverPath(path));
    if (verdict !== one.expected || unknown.sort().join() !== [...one.unknown].sort().join()) {
      wrong.push(`${one.name}: ${verdict}, unknown: ${unknown.join()}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('reports all problems at once, each with its field', async () => {
  const object = gateway(
    {
      listeners: [
        { ...listener, port: 70000 },
        { ...listener, hostname: 'A_' },
        { name: 'tls', port: '443', protocol: 'TLS' },
      ],
      addresses: [{ value: '192.0.2' }, { type: 'Hostname', value: 'A' }],
    },
    { name: 'Web', labels: { 'a b': 'c' } },
  );
  expect(await problemsOf(object)).toEqual([
    'Invalid: spec.addresses[0] must have an IP address as its value, not "192.0.2", as its type is IPAddress',
    'Invalid: spec.listeners[0].port must be between 1 and 65535, not 70000',
    'Invalid: spec.listeners[1].hostname must be a DNS name in lower case such as example.com or *.example.com, not "A_"',
    'TypeInvalid: spec.listeners[2].port must be a whole number, not the string "443"',
    'Invalid: metadata.name must be a DNS name in lower case such as my-name or example.com, not "Web"',
    'Invalid: metadata.labels["a b"] must have a key of the form name or example.com/name, the name with at most 63 characters',
    'Duplicate: spec.listeners[1] has the same name "http" as spec.listeners[0]',
    expect.stringMatching(/^Invalid: spec\.addresses\[1\] breaks the rule "Hostname value must be empty or/),
  ]);
});

test('names the items that break a rule', async () => {
  const listeners = [listener, { ...listener, name: 'a', port: 81 }, { ...listener, name: 'b' }];
  expect(await problemsOf(gateway({ listeners }))).toEqual([
    'Invalid: spec.listeners breaks the rule "Combination of port, protocol and hostname must be unique for each listener" (listeners[0], listeners[2])',
  ]);
});

test('says what was probably meant by an unknown field', async () => {
  const object = gateway({ listners: [], foo: 1, infrastructure: { lables: {} } }, { lable: {} });
  expect((await validate(object)).problems).toEqual([]);
  expect(await warningsOf(object)).toEqual([
    'UnknownField: metadata.lable is not a field of Gateway; did you mean metadata.labels?',
    'UnknownField: spec.listners is not a field of Gateway; did you mean spec.listeners?',
    'UnknownField: spec.foo is not a field of Gateway',
    'UnknownField: spec.infrastructure.lables is not a field of Gateway; did you mean spec.infrastructure.labels?',
  ]);
});

test.each<[string, JsonObject, string]>([
  [
    'of Flux',
    { port: `\${PORT}` },
    `spec.listeners[0].port still holds the placeholder \${PORT}: resolve it first, with \`flux build kustomization\`, \`envsubst\` or your Terraform template`,
  ],
  [
    'of Flux, with a default',
    { hostname: `www.\${DOMAIN:=example.com}` },
    `spec.listeners[0].hostname still holds the placeholder \${DOMAIN:=example.com}: resolve it first, with \`flux build kustomization\`, \`envsubst\` or your Terraform template`,
  ],
  [
    'of Helm',
    { hostname: '{{ .Values.host }}' },
    'spec.listeners[0].hostname still holds the placeholder {{ .Values.host }}: resolve it first, with `helm template` or the tool that this template is for',
  ],
  [
    'of Helm, without quotes',
    { port: { '{ .Values.port }': null } },
    'spec.listeners[0].port still holds the placeholder {{ .Values.port }}: resolve it first, with `helm template` or the tool that this template is for',
  ],
  [
    'of Helm, as js-yaml reads it',
    { port: { '[object Object]': null } },
    'spec.listeners[0].port still holds the placeholder {{…}}: resolve it first, with `helm template` or the tool that this template is for',
  ],
  [
    'of the shell',
    { hostname: '$HOST' },
    'spec.listeners[0].hostname still holds the placeholder $HOST: resolve it first, with `envsubst`',
  ],
])('calls a placeholder %s one', async (_, change, expected) => {
  const { problems, warnings } = await validate(gateway({ listeners: [{ ...listener, ...change }] }));
  expect(problems.map(({ reason, field, message }) => [reason, `${field} ${message}`])).toEqual([
    ['Placeholder', expected],
  ]);
  expect(warnings).toEqual([]);
});

test('warns of a placeholder where the server would take it for a value', async () => {
  const object = gateway(
    { gatewayClassName: `\${CLASS}`, infrastructure: { annotations: { a: `\${MEANT}` } } },
    { annotations: { b: '{{ meant }}' } },
  );
  expect((await validate(object)).problems).toEqual([]);
  expect((await warningsOf(object)).map((text) => text.slice(0, 69))).toEqual([
    `Placeholder: spec.gatewayClassName still holds the placeholder \${CLAS`,
  ]);
});

test('fills in defaults and drops what the server drops', async () => {
  const object = {
    ...gateway({ foo: 1, allowedListeners: { namespaces: null } }),
    status: { conditions: 'none' },
  };
  const { object: stored } = await validate(object);
  expect(stored).toEqual({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web' },
    spec: {
      gatewayClassName: 'gari',
      allowedListeners: { namespaces: { from: 'None' } },
      listeners: [{ ...listener, allowedRoutes: { namespaces: { from: 'Same' } } }],
    },
  });
  expect(object).toHaveProperty('spec.foo');
});

test.each<[string, unknown, string]>([
  ['no object', 'text', 'TypeInvalid:  must be an object, not "text"'],
  ['nothing', null, 'TypeInvalid:  must be an object, not null'],
  ['no apiVersion', { kind: 'Gateway' }, 'Required: apiVersion must be set'],
  [
    'no kind',
    { apiVersion: 'gateway.networking.k8s.io/v1', kind: 1 },
    'TypeInvalid: kind must be a string, not 1',
  ],
  [
    'another group',
    { apiVersion: 'v1', kind: 'Gateway' },
    'NotSupported: apiVersion must be of the group gateway.networking.k8s.io, not "v1"',
  ],
  [
    'another kind',
    { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute' },
    'NotSupported: kind must be one of GatewayClass, Gateway, ListenerSet, ReferenceGrant, not "HTTPRoute"',
  ],
  [
    'a version that is not served',
    { apiVersion: 'gateway.networking.k8s.io/v1alpha2', kind: 'Gateway' },
    'NotSupported: apiVersion must be gateway.networking.k8s.io/v1 or gateway.networking.k8s.io/v1beta1, not "gateway.networking.k8s.io/v1alpha2"',
  ],
])('refuses %s', async (_, object, expected) => {
  expect(await problemsOf(object)).toEqual([expected]);
});

test('knows which objects are its business', () => {
  expect(canValidate(gateway({}))).toBe(true);
  expect(canValidate({ apiVersion: 'gateway.networking.k8s.io/v9', kind: 'Gateway' })).toBe(true);
  expect(canValidate({ apiVersion: 'networking.istio.io/v1', kind: 'Gateway' })).toBe(false);
  expect(canValidate({ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute' })).toBe(false);
  expect(canValidate(null)).toBe(false);
});

test('gives paths that can be looked up', async () => {
  const { problems } = await validate(gateway({ infrastructure: { labels: { 'a/b': 'c d' } } }));
  expect(problems[0]?.path).toEqual(['spec', 'infrastructure', 'labels', 'a/b']);
  expect(problems[0]?.field).toBe(formatPath(problems[0]?.path ?? []));
});
