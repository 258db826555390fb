import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from './diagnostic.ts';
import {
  identityGuard,
  identityViolations,
  type WrittenLayer,
  withoutReservedKeys,
} from './identity-guard.ts';
import type { JsonObject, Path } from './json.ts';
import type { LayerName } from './layers.ts';
import { type LayeredKind, MERGE_SCHEMAS } from './merge-schema.ts';
import { parseRemovalPath } from './removal.ts';

const layer = (kind: LayeredKind, value: JsonObject, name: LayerName = 'gateway'): WrittenLayer => ({
  name,
  value,
  from: {
    object: { kind: 'Parameters', namespace: 'prod', name: 'p' },
    source: { file: 'p.yaml', lineOf: (path: Path) => path.length },
    fieldOf: (path) => [kind, ...path],
  },
});
const SELECTOR = { 'gari.dev/component': 'dataplane', 'gateway.networking.k8s.io/gateway-name': 'web' };
const metadata = {
  name: 'web-gari',
  namespace: 'prod',
  labels: { ...SELECTOR, 'app.kubernetes.io/managed-by': 'gari' },
  annotations: { 'gari.dev/gateway': 'prod/web' },
};
// What gari lays on top, as the design has it.
const IDENTITY: Record<LayeredKind, JsonObject> = {
  ServiceAccount: { metadata },
  RoleBinding: { metadata },
  Deployment: {
    metadata,
    spec: {
      selector: { matchLabels: SELECTOR },
      template: {
        metadata: { labels: metadata.labels, annotations: metadata.annotations },
        spec: { serviceAccountName: 'web-gari' },
      },
    },
  },
  Service: {
    metadata,
    spec: {
      selector: SELECTOR,
      ports: [
        { name: 'http-80', port: 80, protocol: 'TCP', targetPort: 8000 },
        { name: 'dns-53', port: 53, protocol: 'UDP', targetPort: 10053 },
      ],
    },
  },
};
const violations = (kind: LayeredKind, object: JsonObject) =>
  identityViolations(identityGuard(kind, GATEWAY, IDENTITY[kind]), layer(kind, object)).map(
    ({ field }) => field,
  );
const GATEWAY = { kind: 'Gateway', namespace: 'prod', name: 'web' };
const labelled = (key: string): JsonObject => ({ metadata: { labels: { [key]: 'x' } } });
const ports = (...items: JsonObject[]): JsonObject => ({ spec: { ports: items } });
const template = (fields: JsonObject): JsonObject => ({ spec: { template: fields } });

describe('identityViolations', () => {
  const KINDS: LayeredKind[] = ['ServiceAccount', 'Deployment', 'Service'];
  it.each<[JsonObject, string]>([
    [{ apiVersion: 'v2' }, 'apiVersion'],
    [{ kind: 'Other' }, 'kind'],
    [{ status: {} }, 'status'],
    [{ metadata: { name: 'web-gari' } }, 'metadata.name'],
    [{ metadata: { namespace: 'prod' } }, 'metadata.namespace'],
    [{ metadata: { creationTimestamp: 'x' } }, 'metadata.creationTimestamp'],
    [{ metadata: { deletionTimestamp: 'x' } }, 'metadata.deletionTimestamp'],
    [{ metadata: { finalizers: ['x/y'] } }, 'metadata.finalizers'],
    [{ metadata: { generateName: 'x' } }, 'metadata.generateName'],
    [{ metadata: { generation: 1 } }, 'metadata.generation'],
    [{ metadata: { managedFields: [] } }, 'metadata.managedFields'],
    [{ metadata: { ownerReferences: [{ uid: 'u' }] } }, 'metadata.ownerReferences'],
    [{ metadata: { resourceVersion: '1' } }, 'metadata.resourceVersion'],
    [{ metadata: { selfLink: 'x' } }, 'metadata.selfLink'],
    [{ metadata: { uid: 'x' } }, 'metadata.uid'],
    [labelled('gari.dev/component'), 'metadata.labels["gari.dev/component"]'],
    [labelled('app.kubernetes.io/managed-by'), 'metadata.labels["app.kubernetes.io/managed-by"]'],
    [
      { metadata: { annotations: { 'gari.dev/gateway': 'a/b' } } },
      'metadata.annotations["gari.dev/gateway"]',
    ],
    // All of it at once.
    [{ metadata: null }, 'metadata'],
    [{ metadata: { labels: null } }, 'metadata.labels'],
    [{ metadata: [] }, 'metadata'],
  ])('every kind: %j', (object, field) => {
    for (const kind of KINDS) expect(violations(kind, object)).toEqual([`${kind}.${field}`]);
  });

  it.each<[LayeredKind, JsonObject, string[]]>([
    ['Service', { spec: null }, ['Service.spec']],
    ['Service', { spec: { selector: {} } }, ['Service.spec.selector']],
    ['Service', ports({ port: 80, name: 'mine' }), ['Service.spec.ports[0]']],
    ['Service', ports({ port: 9090 }, { port: 53, protocol: 'UDP' }), ['Service.spec.ports[1]']],
    ['Service', { spec: { ports: null } }, ['Service.spec.ports']],
    ['Deployment', { spec: { selector: { matchLabels: { app: 'x' } } } }, ['Deployment.spec.selector']],
    [
      'Deployment',
      template({ spec: { serviceAccountName: 'x' } }),
      ['Deployment.spec.template.spec.serviceAccountName'],
    ],
    [
      'Deployment',
      template({ spec: { serviceAccount: 'x' } }),
      ['Deployment.spec.template.spec.serviceAccount'],
    ],
    [
      'Deployment',
      template(labelled('gari.dev/component')),
      ['Deployment.spec.template.metadata.labels["gari.dev/component"]'],
    ],
    ['Deployment', { spec: { template: null } }, ['Deployment.spec.template']],
    // Each on its own, in the order in which they are written.
    [
      'Service',
      { metadata: { uid: 'x', name: 'x' }, kind: 'x' },
      ['Service.metadata.uid', 'Service.metadata.name', 'Service.kind'],
    ],
  ])('%s %j', (kind, object, fields) => expect(violations(kind, object)).toEqual(fields));

  it.each<[LayeredKind, JsonObject]>([
    ['Service', {}],
    ['Service', labelled('team')],
    ['Service', { spec: { type: 'ClusterIP', externalTrafficPolicy: 'Local' } }],
    ['Service', ports({ port: 80, protocol: 'UDP' }, { port: 53 }, { port: 9090 })],
    ['Deployment', { spec: { replicas: 3, strategy: { type: 'Recreate' } } }],
    ['Deployment', template({ metadata: { annotations: { a: 'b' } }, spec: { nodeSelector: { a: 'b' } } })],
    [
      'ServiceAccount',
      { metadata: { annotations: { 'eks.amazonaws.com/role-arn': 'x' } }, secrets: [{ name: 'x' }] },
    ],
  ])('parameters may say: %s %j', (kind, object) => expect(violations(kind, object)).toEqual([]));

  it('names object, field, layer, file and line', () => {
    const [only] = identityViolations(
      identityGuard('Service', GATEWAY, IDENTITY.Service),
      layer('Service', { metadata: { name: 'x' } }, 'enforced'),
    );
    expect(only).toMatchObject({ severity: 'error', reason: 'InvalidParameters', file: 'p.yaml', line: 3 });
    expect(formatDiagnostic(only!)).toBe(
      'Parameters prod/p: Service.metadata.name belongs to the identity of the Service, which no parameters may change (enforced layer); remove it',
    );
  });
});

it('lays the blame for the port of a listener on the Gateway that has the listener', () => {
  const of = { kind: 'GatewayClass', name: 'gari' };
  const blamed = (value: JsonObject) => {
    const written = layer('Service', value, 'class');
    const guard = identityGuard('Service', GATEWAY, IDENTITY.Service);
    return identityViolations(guard, { ...written, from: { ...written.from, of } })[0]?.parametersOf;
  };
  expect(blamed(ports({ port: 80 }))).toEqual(GATEWAY);
  expect(blamed({ metadata: { name: 'x' } })).toEqual(of);
});

describe('what is to be removed', () => {
  const removed = (kind: LayeredKind, text: string) => {
    const written = {
      ...layer(kind, {}),
      remove: { paths: [parseRemovalPath(text, MERGE_SCHEMAS[kind])], fieldOf: () => ['remove', 0] },
    };
    return identityViolations(identityGuard(kind, GATEWAY, IDENTITY[kind]), written).map(
      ({ field }) => field,
    );
  };

  it.each<[LayeredKind, string]>([
    ['Service', 'metadata'],
    ['Service', 'metadata.labels["gari.dev/component"]'],
    ['Service', 'spec.selector'],
    ['Service', 'spec.ports'],
    ['Service', 'spec.ports[port=80]'],
    ['Deployment', 'spec.template.spec'],
    ['Deployment', 'spec.template.spec.containers'],
    ['Deployment', 'spec.template.spec.containers[name=dataplane]'],
    ['Deployment', 'spec.template.spec.serviceAccountName'],
    ['ServiceAccount', 'metadata.name'],
  ])('is never of the identity: %s %s', (kind, text) => expect(removed(kind, text)).toEqual(['remove[0]']));

  it.each<[LayeredKind, string]>([
    ['Service', 'spec.type'],
    ['Service', 'spec.ports[port=80].nodePort'],
    ['Service', 'metadata.annotations["example.com/a"]'],
    ['Deployment', 'spec.template.spec.securityContext'],
    ['Deployment', 'spec.template.spec.containers[name=dataplane].readinessProbe'],
    ['Deployment', 'spec.template.spec.containers[name=logs]'],
  ])('may be all else: %s %s', (kind, text) => expect(removed(kind, text)).toEqual([]));
});

describe('withoutReservedKeys', () => {
  const clean = (object: JsonObject) => {
    const { value, diagnostics } = withoutReservedKeys(layer('Deployment', object));
    return { value, dropped: diagnostics.map(({ field }) => field) };
  };

  it('drops them from labels and annotations of object and pods, and nothing else', () => {
    const given = { 'helm.sh/chart': 'x', team: 'a' };
    const both = { labels: given, annotations: given };
    const left = { labels: { team: 'a' }, annotations: { team: 'a' } };
    const spec = { nodeSelector: given, containers: [{ name: 'dataplane', args: ['helm.sh/chart'] }] };
    const { value, dropped } = clean({
      metadata: both,
      spec: { replicas: 2, template: { metadata: both, spec } },
    });
    expect(value).toEqual({ metadata: left, spec: { replicas: 2, template: { metadata: left, spec } } });
    expect(dropped).toEqual([
      'Deployment.metadata.labels["helm.sh/chart"]',
      'Deployment.metadata.annotations["helm.sh/chart"]',
      'Deployment.spec.template.metadata.labels["helm.sh/chart"]',
      'Deployment.spec.template.metadata.annotations["helm.sh/chart"]',
    ]);
  });

  it('says which and why, and changes nothing that is given', () => {
    const object = { metadata: { annotations: { 'gari.dev/pod-template-hash': 'x' } } };
    const before = JSON.stringify(object);
    const { diagnostics } = withoutReservedKeys(layer('Service', object));
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        reason: 'ReservedKey',
        object: { kind: 'Parameters', namespace: 'prod', name: 'p' },
        field: 'Service.metadata.annotations["gari.dev/pod-template-hash"]',
        message: "is dropped: gari.dev/ is gari's own",
        file: 'p.yaml',
        line: 4,
      },
    ]);
    expect(JSON.stringify(object)).toBe(before);
  });
});
