import { describe, expect, it } from 'vitest';
import { formatPath, type JsonObject } from './json.ts';
import { otherVersionsOf, readKindOf, readObject } from './read-object.ts';

const spec = { gatewayClassName: 'gari', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] };
const gateway = (
  changes: JsonObject = {},
  metadata: JsonObject = { name: 'web', namespace: 'prod' },
): JsonObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata,
  spec: { ...spec, ...changes },
});
const problemsOf = (object: JsonObject) =>
  readObject('Gateway', object, 'default').problems.map(
    ({ path, message }) => `${formatPath(path)} ${message}`,
  );
const listener = (fields: JsonObject) => gateway({ listeners: [{ ...spec.listeners[0], ...fields }] });

describe('readKindOf', () => {
  it.each<[string, string, string | undefined]>([
    ['gateway.networking.k8s.io/v1', 'Gateway', 'Gateway'],
    ['gateway.networking.k8s.io/v1beta1', 'Gateway', 'Gateway'],
    ['gateway.networking.k8s.io/v1', 'GatewayClass', 'GatewayClass'],
    ['gateway.networking.k8s.io/v1beta1', 'GatewayClass', 'GatewayClass'],
    ['gateway.networking.k8s.io/v1', 'ListenerSet', 'ListenerSet'],
    ['gateway.networking.k8s.io/v1', 'ReferenceGrant', 'ReferenceGrant'],
    ['gateway.networking.k8s.io/v1beta1', 'ReferenceGrant', 'ReferenceGrant'],
    ['v1', 'Namespace', 'Namespace'],
    ['v1', 'Service', 'Service'],
    ['v1', 'ServiceAccount', 'ServiceAccount'],
    ['apps/v1', 'Deployment', 'Deployment'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'ClusterRoleBinding'],
    // Namesakes.
    ['networking.istio.io/v1', 'Gateway', undefined],
    ['serving.knative.dev/v1', 'Service', undefined],
    ['v1', 'Gateway', undefined],
    ['v1', 'ConfigMap', undefined],
    ['v1', 'toString', undefined],
    ['gateway.networking.k8s.io/v1alpha2', 'Gateway', undefined],
  ])('%s %s is %s', (apiVersion, kind, expected) => expect(readKindOf({ apiVersion, kind })).toBe(expected));

  it('of what is no object of Kubernetes is undefined', () => {
    expect(readKindOf({ kind: 'Gateway' })).toBeUndefined();
    expect(readKindOf({ apiVersion: 'v1', kind: ['Service'] })).toBeUndefined();
  });
});

describe('otherVersionsOf', () => {
  const known = ['gateway.networking.k8s.io/v1', 'gateway.networking.k8s.io/v1beta1'];
  it.each<[string, string, readonly string[] | undefined]>([
    ['gateway.networking.k8s.io/v1alpha2', 'Gateway', known],
    ['gateway.networking.k8s.io/v2', 'GatewayClass', known],
    ['gateway.networking.k8s.io/v1', 'Gateway', undefined],
    ['gateway.networking.k8s.io/v1alpha2', 'ReferenceGrant', undefined],
    ['gateway.networking.k8s.io/v1alpha2', 'TCPRoute', undefined],
    ['networking.istio.io/v1', 'Gateway', undefined],
    ['apps/v1beta1', 'Deployment', undefined],
  ])('%s %s: %j', (apiVersion, kind, expected) =>
    expect(otherVersionsOf({ apiVersion, kind })).toEqual(expected),
  );
});

describe('readObject', () => {
  it.each<[string, JsonObject, string[]]>([
    ['nothing', gateway(), []],
    ['no name', gateway({}, { namespace: 'prod' }), ['metadata.name is required']],
    ['an empty name', gateway({}, { name: '' }), ['metadata.name must not be empty']],
    [
      'a name that is none',
      gateway({}, { name: 'Web' }),
      ['metadata.name must be lower-case letters, digits, "-" and "." (a DNS subdomain), not "Web"'],
    ],
    [
      'a dash at the end',
      gateway({}, { name: 'web-' }),
      ['metadata.name must be lower-case letters, digits, "-" and "." (a DNS subdomain), not "web-"'],
    ],
    [
      'a long name',
      gateway({}, { name: 'a'.repeat(254) }),
      ['metadata.name must have at most 253 characters, not 254'],
    ],
    ['the longest name', gateway({}, { name: 'a'.repeat(253) }), []],
    [
      'a namespace with a dot',
      gateway({}, { name: 'web', namespace: 'a.b' }),
      ['metadata.namespace must be lower-case letters, digits and "-" (a DNS label), not "a.b"'],
    ],
    [
      'a long namespace',
      gateway({}, { name: 'web', namespace: 'a'.repeat(64) }),
      ['metadata.namespace must have at most 63 characters, not 64'],
    ],
    [
      'no metadata',
      { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', spec },
      ['metadata is required'],
    ],
    [
      'metadata that is a list',
      gateway({}, [] as unknown as JsonObject),
      ['metadata must be a map, not a list'],
    ],
    // Whose object it is depends on them.
    [
      'owners as text',
      gateway({}, { name: 'web', ownerReferences: 'app' }),
      ['metadata.ownerReferences must be a list, not the string "app"'],
    ],
    [
      'an owner that is nothing',
      gateway({}, { name: 'web', ownerReferences: [null] }),
      ['metadata.ownerReferences[0] must be a map, not null'],
    ],
    [
      'half an owner',
      gateway({}, { name: 'web', ownerReferences: [{ controller: true, kind: 'Gateway', uid: 3 }] }),
      [
        'metadata.ownerReferences[0].apiVersion is required',
        'metadata.ownerReferences[0].name is required',
        'metadata.ownerReferences[0].uid must be a string, not the number 3; put it in quotes',
      ],
    ],
    [
      'a whole owner',
      gateway({}, { name: 'web', ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u' }] }),
      [],
    ],
    ['no class', gateway({ gatewayClassName: null }), ['spec.gatewayClassName is required']],
    ['no listeners', gateway({ listeners: null }), ['spec.listeners is required']],
    [
      'listeners as a map',
      gateway({ listeners: { http: 80 } }),
      ['spec.listeners must be a list, not a map'],
    ],
    [
      'a listener that is text',
      gateway({ listeners: ['http'] }),
      ['spec.listeners[0] must be a map, not the string "http"'],
    ],
    ['a port of 0', listener({ port: 0 }), ['spec.listeners[0].port must be 1 to 65535, not 0']],
    ['a port of 70000', listener({ port: 70000 }), ['spec.listeners[0].port must be 1 to 65535, not 70000']],
    ['the last port', listener({ port: 65535 }), []],
    [
      'half a port',
      listener({ port: 80.5 }),
      ['spec.listeners[0].port must be a whole number, not the number 80.5'],
    ],
    [
      'a port in quotes',
      listener({ port: '80' }),
      ['spec.listeners[0].port must be a whole number, not the string "80"'],
    ],
    ['no port', listener({ port: null }), ['spec.listeners[0].port is required']],
    [
      'a number as a name',
      listener({ name: 80 }),
      ['spec.listeners[0].name must be a string, not the number 80; put it in quotes'],
    ],
    [
      'no as a label',
      gateway({ infrastructure: { labels: { on: false } } }),
      [
        'spec.infrastructure.labels.on must be a string, not the boolean false; put it in quotes (unquoted yes, no, on and off are booleans)',
      ],
    ],
    ['an empty label', gateway({ infrastructure: { labels: { on: '' } } }), []],
    [
      'two listeners of one name',
      gateway({
        listeners: [spec.listeners[0]!, { name: 'b', port: 81, protocol: 'HTTP' }, spec.listeners[0]!],
      }),
      ['spec.listeners[2].name is "http", as in item 0: each needs its own'],
    ],
    [
      'several things at once',
      gateway({ gatewayClassName: '', listeners: [{ port: 0, protocol: 'HTTP' }] }, { namespace: 'prod' }),
      [
        'metadata.name is required',
        'spec.gatewayClassName must not be empty',
        'spec.listeners[0].name is required',
        'spec.listeners[0].port must be 1 to 65535, not 0',
      ],
    ],
  ])('says what is wrong with %s', (_, object, expected) => expect(problemsOf(object)).toEqual(expected));

  it.each<[string, JsonObject]>([
    ['none', { name: 'web' }],
    ['an empty one', { name: 'web', namespace: '' }],
    ['null', { name: 'web', namespace: null }],
  ])('gives the namespace of the caller to an object with %s', (_, metadata) => {
    const { object } = readObject('Gateway', gateway({}, metadata), 'team-a');
    expect(object?.object.metadata.namespace).toBe('team-a');
  });

  it('gives none to what lives in no namespace, and leaves one that is there', () => {
    const raw = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: 'gari' },
      spec: { controllerName: 'a/b' },
    };
    expect(readObject('GatewayClass', raw, 'team-a').object?.object.metadata).toEqual({ name: 'gari' });
    expect(readObject('Gateway', gateway(), 'team-a').object?.object.metadata.namespace).toBe('prod');
  });

  it('drops nulls as the API server does, and changes nothing else, not even the input', () => {
    const raw = gateway({
      addresses: null,
      listeners: [{ ...spec.listeners[0], hostname: null, tls: { mode: null } }],
    });
    const before = JSON.stringify(raw);
    expect(readObject('Gateway', raw, 'default').object?.object).toEqual(
      gateway({ listeners: [{ ...spec.listeners[0], tls: {} }] }),
    );
    expect(JSON.stringify(raw)).toBe(before);
  });
});
