import type { Json, JsonObject } from '../../json.ts';
import { makeCase, type ValidationCase, type Verdict } from './case.ts';

type Metadata = Json | undefined;
interface Samples {
  readonly accepted?: Readonly<Record<string, Metadata>>;
  readonly refused?: Readonly<Record<string, Metadata>>;
}

const meta = (fields: JsonObject): JsonObject => ({ name: 'case', namespace: 'default', ...fields });
const labels = (entries: Json): JsonObject => meta({ labels: entries });
const annotations = (entries: Json): JsonObject => meta({ annotations: entries });
const owner = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: 'owner',
  uid: 'b1c9f7de-64d0-4b9f-9c5d-7b5a9a0c4a55',
};
const owners = (...entries: readonly Json[]): JsonObject => meta({ ownerReferences: entries });
const LIMIT = 256 * 1024;

const SAMPLES: Readonly<Record<string, Samples>> = {
  name: {
    accepted: {
      'a label': meta({ name: 'a-1' }),
      'a subdomain': meta({ name: 'a.b.c' }),
      'of 253 characters': meta({ name: 'a'.repeat(253) }),
      'with a generateName': meta({ generateName: 'a-' }),
    },
    refused: {
      absent: { namespace: 'default' },
      null: meta({ name: null }),
      empty: meta({ name: '' }),
      'a number': meta({ name: 1 }),
      'with capitals': meta({ name: 'A' }),
      'with an underscore': meta({ name: 'a_b' }),
      'with a hyphen at the end': meta({ name: 'a-' }),
      'with a line feed at the end': meta({ name: 'a\n' }),
      'of 254 characters': meta({ name: 'a'.repeat(254) }),
      'a placeholder': meta({ name: `\${NAME}` }),
      'with a generateName that is none': meta({ generateName: 'A' }),
      'with a generateName that is a hyphen': meta({ generateName: '-' }),
    },
  },
  '': {
    refused: { absent: undefined, null: null, 'a string': 'case', 'a list': [] },
  },
  namespace: {
    refused: {
      'with capitals': meta({ namespace: 'Default' }),
      'with a dot': meta({ namespace: 'a.b' }),
      'a number': meta({ namespace: 1 }),
      'of 64 characters': meta({ namespace: 'a'.repeat(64) }),
    },
  },
  labels: {
    accepted: {
      plain: labels({ a: 'b', 'example.com/A_b.c': 'A_b.c-1', ['n'.repeat(63)]: 'v'.repeat(63), empty: '' }),
      'with odd keys': labels({ constructor: 'a', toString: 'b', hasOwnProperty: 'c' }),
      'a null value': labels({ a: null }),
      null: labels(null),
      empty: labels({}),
      'with a prefix of 253 characters': labels({ [`${'p'.repeat(253)}/a`]: 'b' }),
    },
    refused: {
      'a list': labels([]),
      'a string': labels('a=b'),
      'a number as value': labels({ a: 1 }),
      'a boolean as value': labels({ a: true }),
      'a list as value': labels({ a: [] }),
      'a value with a space': labels({ a: 'b c' }),
      'a value with a hyphen at the end': labels({ a: 'b-' }),
      'a value that is not ASCII': labels({ a: 'ä' }),
      'a value with a line feed at the end': labels({ a: 'b\n' }),
      'a value of 64 characters': labels({ a: 'v'.repeat(64) }),
      'an empty key': labels({ '': 'a' }),
      'a key with a space': labels({ 'a b': 'c' }),
      'a key with an empty prefix': labels({ '/a': 'b' }),
      'a key with an empty name': labels({ 'example.com/': 'b' }),
      'a key with capitals in its prefix': labels({ 'Example.com/a': 'b' }),
      'a key with two slashes': labels({ 'a/b/c': 'd' }),
      'a key with a name of 64 characters': labels({ ['n'.repeat(64)]: 'a' }),
      'a key with a prefix of 254 characters': labels({ [`${'p'.repeat(254)}/a`]: 'b' }),
    },
  },
  annotations: {
    accepted: {
      'with any text': annotations({ 'example.com/a': '😀 {{ x }} $Y\n', b: '' }),
      'with capitals in the prefix of a key': annotations({ 'Example.com/a': 'b' }),
      'a null value': annotations({ a: null }),
      'of 256 KiB': annotations({ a: 'b'.repeat(LIMIT - 1) }),
    },
    refused: {
      'a number as value': annotations({ a: 1 }),
      'an object as value': annotations({ a: { b: 'c' } }),
      'a key with a space': annotations({ 'a b': 'c' }),
      'a key with an underscore in its prefix': annotations({ 'a_b/c': 'd' }),
      'one byte over 256 KiB': annotations({ a: 'b'.repeat(LIMIT) }),
      'over 256 KiB by bytes, not by characters': annotations({ a: 'ä'.repeat(LIMIT / 2) }),
    },
  },
  ownerReferences: {
    accepted: {
      one: owners({ ...owner, controller: true, blockOwnerDeletion: true }),
      'two of which one controls': owners({ ...owner, controller: true }, { ...owner, controller: false }),
      'an owner of the core group': owners({ ...owner, apiVersion: 'v1', kind: 'ConfigMap' }),
    },
    refused: {
      'an object': meta({ ownerReferences: owner }),
      'a null item': owners(null),
      'an empty item': owners({}),
      'no kind': owners({ ...owner, kind: '' }),
      'no name': owners({ ...owner, name: null }),
      'no uid': owners({ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner' }),
      'no version': owners({ ...owner, apiVersion: 'apps/' }),
      'a version with two slashes': owners({ ...owner, apiVersion: 'a/b/c' }),
      'an Event': owners({ ...owner, apiVersion: 'v1', kind: 'Event' }),
      'a string as controller': owners({ ...owner, controller: 'true' }),
      'two that control': owners({ ...owner, controller: true }, { ...owner, name: 'b', controller: true }),
    },
  },
  finalizers: {
    accepted: {
      qualified: meta({ finalizers: ['example.com/a', 'orphan'] }),
    },
    refused: {
      'a string': meta({ finalizers: 'a' }),
      'with a space': meta({ finalizers: ['a b'] }),
      'a null item': meta({ finalizers: [null] }),
      'that contradict each other': meta({ finalizers: ['orphan', 'foregroundDeletion'] }),
    },
  },
  '*, which the server sets': {
    accepted: {
      'creationTimestamp null': meta({ creationTimestamp: null }),
      creationTimestamp: meta({ creationTimestamp: '2026-01-31T12:00:00Z' }),
      'uid and generation': meta({ uid: 'a', generation: 7, selfLink: 'b' }),
    },
    refused: {
      'creationTimestamp without a time': meta({ creationTimestamp: '2026-01-31' }),
      'creationTimestamp on a day that is none': meta({ creationTimestamp: '2026-02-30T12:00:00Z' }),
      'creationTimestamp empty': meta({ creationTimestamp: '' }),
      'generation as a string': meta({ generation: '1' }),
      'managedFields as an object': meta({ managedFields: {} }),
    },
  },
};

const UNKNOWN: Readonly<Record<string, readonly [metadata: JsonObject, unknown: readonly string[]]>> = {
  'an unknown field': [meta({ label: { a: 'b' } }), ['metadata.label']],
  'a field in other case': [meta({ Labels: { a: 'b' } }), ['metadata.Labels']],
  'an unknown field of an owner': [
    owners({ ...owner, namespace: 'default' }),
    ['metadata.ownerReferences[0].namespace'],
  ],
};

/** Cases for the server's rules for `metadata`, each with a Gateway and a few with a GatewayClass. */
export function metadataCases(): ValidationCase[] {
  const cases = Object.entries(SAMPLES).flatMap(([field, { accepted = {}, refused = {} }]) => [
    ...Object.entries(accepted).map(([what, metadata]) => gateway(field, what, metadata, 'accepted')),
    ...Object.entries(refused).map(([what, metadata]) => gateway(field, what, metadata, 'refused')),
  ]);
  const unknown = Object.entries(UNKNOWN).map(([what, [metadata, fields]]) =>
    gateway('unknown field', what, metadata, 'accepted', fields),
  );
  return [...cases, ...unknown, ...clusterScoped()];
}

function gateway(
  field: string,
  what: string,
  metadata: Metadata,
  expected: Verdict,
  unknown: readonly string[] = [],
): ValidationCase {
  const object = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    ...(metadata === undefined ? {} : { metadata }),
    spec: { gatewayClassName: 'gari', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
  };
  return makeCase(
    'Gateway',
    field === '' ? 'metadata' : `metadata.${field}`,
    what,
    object,
    expected,
    unknown,
  );
}

function clusterScoped(): ValidationCase[] {
  const gatewayClass = (constraint: string, what: string, metadata: JsonObject, expected: Verdict) => {
    const object = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata,
      spec: { controllerName: 'example.com/controller' },
    };
    return makeCase('GatewayClass', constraint, what, object, expected);
  };
  return [
    gatewayClass('metadata.namespace', 'absent', { name: 'case' }, 'accepted'),
    gatewayClass(
      'metadata.namespace',
      'set, which is ignored',
      { name: 'case', namespace: 'default' },
      'accepted',
    ),
    gatewayClass('metadata.name', 'with capitals', { name: 'A' }, 'refused'),
  ];
}
