import fc from 'fast-check';
import type { JsonObject } from '../render/json.ts';

// Few letters and both separators, so that names often look alike, or like shortened ones.
const label = fc
  .array(fc.constantFrom('a', 'b', '1', '-'), { minLength: 1, maxLength: 12 })
  .map((letters) => letters.join('').replace(/^-+|-+$/g, '') || 'a');
const hash = fc.constantFrom('deadbeef', '01234567', 'cafecafe');
const name = fc.oneof(
  { weight: 6, arbitrary: label },
  { weight: 1, arbitrary: fc.tuple(label, hash).map((parts) => parts.join('-')) },
  { weight: 1, arbitrary: fc.tuple(label, label).map((parts) => parts.join('.')) },
  {
    weight: 1,
    arbitrary: fc.tuple(label, fc.nat(200)).map(([text, length]) => `${text}${'x'.repeat(length)}`),
  },
);
const namespace = fc.constantFrom('a', 'a-b', 'prod', '1st');
const metadataKey = fc.constantFrom(
  'team',
  'example.com/team',
  'cost-centre',
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/managed-by',
  'argocd.argoproj.io/tracking-id',
  'gateway.networking.k8s.io/gateway-name',
  'gari.dev/component',
  'gari.dev/gateway',
);
const labels = fc.dictionary(metadataKey, label, { maxKeys: 8 });
const annotations = fc.dictionary(metadataKey, fc.string({ maxLength: 12 }), { maxKeys: 8 });

const port = fc.constantFrom(53, 80, 443, 853, 8000, 8081, 8443, 10053, 10443, 65535);
const hostname = fc.option(fc.constantFrom('a.example.com', 'b.example.com', '*.example.com'), {
  nil: undefined,
});

/** A listener that the API server takes. */
const listener = fc
  .record({
    port,
    protocol: fc.constantFrom('HTTP', 'HTTPS', 'TLS', 'TCP', 'UDP', 'example.com/quic'),
    hostname,
  })
  .map(({ port, protocol, hostname }): JsonObject => {
    const isTransport = protocol === 'TCP' || protocol === 'UDP';
    const tls =
      protocol === 'HTTPS' || protocol === 'TLS' ? { tls: { certificateRefs: [{ name: 'cert' }] } } : {};
    return { port, protocol, ...(hostname === undefined || isTransport ? {} : { hostname }), ...tls };
  });

/** Listeners with names, no two of which have the same port, protocol and hostname. */
export const listeners = fc
  .uniqueArray(listener, {
    minLength: 1,
    maxLength: 6,
    selector: ({ port, protocol, hostname }) => `${port} ${protocol} ${hostname}`,
  })
  .map((list) => list.map((each, index): JsonObject => ({ name: `l${index}`, ...each })));

const ADDRESSES: readonly JsonObject[] = [
  { type: 'IPAddress', value: '192.0.2.1' },
  { value: '2001:db8::1' },
  { type: 'Hostname', value: 'web.example.com' },
];

const gateway = fc
  .record({
    name,
    namespace,
    gatewayClassName: fc.constantFrom('gari', 'gari', 'gari', 'other'),
    listeners,
    labels,
    annotations,
    from: fc.constantFrom('None', 'Same', 'All', 'Selector'),
    addresses: fc.array(fc.constantFrom(...ADDRESSES), { maxLength: 2 }),
  })
  .map(
    ({ name, namespace, labels, annotations, from, ...spec }): JsonObject => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name, namespace },
      spec: {
        ...spec,
        infrastructure: { labels, annotations },
        allowedListeners: {
          namespaces: { from, ...(from === 'Selector' ? { selector: { matchLabels: { team: 'a' } } } : {}) },
        },
      },
    }),
  );

const age = fc.option(fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'), { nil: undefined });
const listenerSet = fc
  .record({ name: label, namespace, listeners, age, parent: fc.nat(3) })
  .map(({ name, namespace, listeners, age, parent }) => ({
    parent,
    object: {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'ListenerSet',
      metadata: { name, namespace, ...(age === undefined ? {} : { creationTimestamp: age }) },
      spec: { listeners },
    },
  }));

const namespaceObject = fc
  .record({ name: namespace, labels: fc.constantFrom<JsonObject[]>({}, { team: 'a' }, { team: 'b' }) })
  .map((metadata): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata }));

const GATEWAY_CLASS: JsonObject = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'GatewayClass',
  metadata: { name: 'gari' },
  spec: { controllerName: 'gari.dev/gateway-controller' },
};

const identity = ({ kind, metadata }: JsonObject): string => {
  const { name, namespace } = metadata as JsonObject;
  return JSON.stringify([kind, namespace, name]);
};

/** The objects of a repository with Gateways, in any order. */
export const documents = fc
  .record({
    gateways: fc.uniqueArray(gateway, { minLength: 1, maxLength: 4, selector: identity }),
    sets: fc.uniqueArray(listenerSet, { maxLength: 3, selector: ({ object }) => identity(object) }),
    namespaces: fc.uniqueArray(namespaceObject, { maxLength: 3, selector: identity }),
  })
  .chain(({ gateways, sets, namespaces }) => {
    const attached = sets.map(({ parent, object }): JsonObject => {
      const { name, namespace } = gateways[parent % gateways.length]!.metadata as JsonObject;
      return { ...object, spec: { ...object.spec, parentRef: { name: name!, namespace: namespace! } } };
    });
    const all = [GATEWAY_CLASS, ...namespaces, ...gateways, ...attached];
    return fc.shuffledSubarray(all, { minLength: all.length });
  });
