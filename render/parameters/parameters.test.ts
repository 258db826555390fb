import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GivenParameters, overlaid, withParameters } from '../../test/with-parameters.ts';
import type { Gateway } from '../gateway-api.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { LayeredKind } from '../merge-schema.ts';
import type { RenderedObject } from '../objects.ts';
import { render } from '../render.ts';

const RUNS = {
  numRuns: Number(process.env.GARI_TEST_RUNS ?? 1_000),
  seed: Number(process.env.GARI_TEST_SEED ?? 1),
};

const GATEWAY: Gateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: {
    gatewayClassName: 'gari',
    listeners: [
      { name: 'http', port: 80, protocol: 'HTTP' },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ],
  },
};

function renderWith(parameters: GivenParameters) {
  const { gateway, ...more } = withParameters(GATEWAY, parameters);
  const { objects, retain, subjects, diagnostics } = render({
    gateways: [{ object: gateway }],
    listenerSets: [],
    referenceGrants: [],
    namespaces: [],
    existing: [],
    clusterRoleBindings: [],
    ...more,
  });
  return { objects: objects.get('prod/web') ?? [], retain, subjects, diagnostics };
}

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>('', 'x', 80, true, {}, [], [{}], ['x'], { a: 'b' }, { a: null }),
  fc.constantFrom<Json[]>(
    { 'gari.dev/component': 'x' },
    { 'gateway.networking.k8s.io/gateway-name': 'x', team: 'a' },
    { 'helm.sh/chart': 'x' },
    [{ name: 'dataplane', image: 'nginx' }],
    [{ name: 'dataplane', args: [], ports: [{ containerPort: 8000 }] }],
    [{ name: 'sidecar', image: 'x', env: [{ name: 'A', value: 'b' }] }],
    [{ port: 80 }],
    [{ port: 80, protocol: 'UDP', name: 'quic' }],
    [{ port: 9090, name: 'metrics' }, { port: 9090 }],
  ),
);
const key = fc.constantFrom(
  ...['apiVersion', 'kind', 'metadata', 'spec', 'status', 'name', 'namespace', 'labels', 'annotations'],
  ...[
    'ownerReferences',
    'finalizers',
    'selector',
    'matchLabels',
    'template',
    'serviceAccountName',
    'containers',
  ],
  ...['ports', 'type', 'replicas', 'volumes', 'nodeSelector', 'securityContext', 'serviceAccount'],
);
// Partial objects along the paths that objects have, and off them.
const path = fc.oneof(
  fc.constantFrom<string[]>(
    [],
    ['metadata'],
    ['spec'],
    ['spec', 'template'],
    ['spec', 'template', 'metadata'],
    ['spec', 'template', 'spec'],
  ),
  fc.array(key, { maxLength: 3 }),
);
const overlay = fc.array(fc.tuple(path, key, value), { minLength: 1, maxLength: 2 }).map((parts) => {
  const root: Record<string, Json> = {};
  for (const [steps, last, leaf] of parts) {
    let place: Record<string, Json> = root;
    for (const step of steps) {
      const next = isJsonObject(place[step]) ? { ...place[step] } : {};
      place[step] = next;
      place = next;
    }
    place[last] = leaf;
  }
  return root as JsonObject;
});
const layer = fc
  .record(
    { ServiceAccount: overlay, RoleBinding: overlay, Deployment: overlay, Service: overlay } satisfies Record<
      LayeredKind,
      unknown
    >,
    { requiredKeys: [] },
  )
  .map(overlaid);
const parameters = fc.record(
  { class: layer, gateway: layer, enforced: layer },
  { requiredKeys: [] },
) as fc.Arbitrary<GivenParameters>;

const at = (value: Json | undefined, ...steps: string[]): Json | undefined =>
  steps.reduce<Json | undefined>((found, step) => (isJsonObject(found) ? found[step] : undefined), value);
const OWN_LABELS = {
  'app.kubernetes.io/managed-by': 'gari',
  'app.kubernetes.io/name': 'gari-dataplane',
  'gari.dev/component': 'dataplane',
  'gateway.networking.k8s.io/gateway-class-name': 'gari',
  'gateway.networking.k8s.io/gateway-name': 'web',
};
const SELECTOR = { 'gari.dev/component': 'dataplane', 'gateway.networking.k8s.io/gateway-name': 'web' };

function expectIdentity(objects: readonly RenderedObject[]): void {
  expect(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
    'v1 ServiceAccount',
    'apps/v1 Deployment',
    'v1 Service',
  ]);
  const [, deployment, service] = objects;
  for (const object of objects) {
    expect(object.metadata).toMatchObject({
      name: 'web-gari',
      namespace: 'prod',
      labels: OWN_LABELS,
      annotations: { 'gari.dev/gateway': 'prod/web' },
    });
    for (const field of ['ownerReferences', 'finalizers', 'uid', 'resourceVersion'])
      expect(object.metadata).not.toHaveProperty(field);
    expect(object).not.toHaveProperty('status');
  }
  expect(at(deployment, 'spec', 'selector')).toEqual({ matchLabels: SELECTOR });
  expect(at(deployment, 'spec', 'template', 'metadata', 'labels')).toMatchObject(OWN_LABELS);
  expect(at(deployment, 'spec', 'template', 'spec', 'serviceAccountName')).toBe('web-gari');
  expect(at(service, 'spec', 'selector')).toEqual(SELECTOR);
  const ports = at(service, 'spec', 'ports') as JsonObject[];
  expect(ports).toEqual(
    expect.arrayContaining([
      { name: 'udp-53', port: 53, protocol: 'UDP', targetPort: 10053 },
      { name: 'http-80', port: 80, protocol: 'TCP', targetPort: 8000 },
    ]),
  );
  expect(new Set(ports.map(({ port, protocol }) => `${port}/${protocol}`)).size).toBe(ports.length);
  expect(new Set(ports.map(({ name }) => name)).size).toBe(ports.length);
}

describe('whatever parameters say', () => {
  it('they change no identity, or are refused in words', () => {
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(parameters, (given) => {
        const before = JSON.stringify(given);
        const { objects, retain, subjects, diagnostics } = renderWith(given);
        expect(JSON.stringify(given)).toBe(before);
        if (!diagnostics.some(({ severity }) => severity === 'error')) {
          seen.taken++;
          return expectIdentity(objects);
        }
        seen.refused++;
        expect([objects, subjects, retain.length]).toEqual([[], [], 4]);
        for (const { object, field, message } of diagnostics) {
          expect(object?.kind).toBe('DataPlane');
          expect(field).toMatch(
            /^spec\.(enforced\.)?overlays\.(serviceAccount|roleBinding|deployment|service)\b/,
          );
          expect(message).not.toBe('');
        }
      }),
      RUNS,
    );
    // Else the property would say little.
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(RUNS.numRuns / 20);
  });
});
