import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import type { DataPlaneValues } from './data-plane-schema.ts';
import type { ParameterLayer, ParameterLayerName, Parameters } from './parameters.ts';
import type { Policy } from './policy.ts';
import { settingsOf } from './settings.ts';

const layer = (name: ParameterLayerName, values: DataPlaneValues): ParameterLayer => ({
  name,
  values,
  from: { kind: 'DataPlane', namespace: 'prod', name },
  path: ['spec'],
  of: { kind: 'GatewayClass', name: 'gari' },
});
const access = (parameters: Parameters, policy: Policy = {}) =>
  settingsOf(parameters, policy).settings.access;
const image: DataPlaneValues = { container: { image: 'nginx:1' } };
const overlaid = (containers: JsonObject[]): DataPlaneValues => ({
  overlays: { deployment: { merge: { spec: { template: { spec: { containers } } } } } },
});

describe('what the data plane may read', () => {
  it.each<[string, Parameters, Policy, string]>([
    ['without parameters', [], {}, 'Shared'],
    ['with other parameters', [layer('class', { deployment: { replicas: 2 } })], {}, 'Shared'],
    ['from a mirror', [layer('class', { container: { imageRegistry: 'a.example' } })], {}, 'Shared'],
    ['with an image of their own', [layer('class', image)], {}, 'None'],
    [
      'the same in an overlay',
      [layer('class', overlaid([{ name: 'dataplane', image: 'nginx:1' }]))],
      {},
      'None',
    ],
    ['with a sidecar', [layer('class', overlaid([{ name: 'logs', image: 'nginx:1' }]))], {}, 'Shared'],
    ['said for their own image', [layer('class', { ...image, access: 'Namespaced' })], {}, 'Namespaced'],
    ['said for another image', [layer('class', { access: 'Shared' }), layer('gateway', image)], {}, 'None'],
    [
      'said for the new one as well',
      [layer('class', { access: 'None' }), layer('gateway', { ...image, access: 'Shared' })],
      {},
      'Shared',
    ],
    [
      'enforced, whatever the image',
      [layer('gateway', image), layer('enforced', { access: 'Namespaced' })],
      {},
      'Namespaced',
    ],
    ['capped by the class', [], { maxAccess: 'Namespaced' }, 'Namespaced'],
    ['capped to nothing', [layer('class', { access: 'Namespaced' })], { maxAccess: 'None' }, 'None'],
    ['below the cap', [layer('class', { access: 'None' })], { maxAccess: 'Namespaced' }, 'None'],
  ])('%s', (_, parameters, policy, expected) => expect(access(parameters, policy)).toBe(expected));
});

describe('ports', () => {
  const ports = (...values: DataPlaneValues[]) =>
    settingsOf(
      values.map((each) => layer('class', each)),
      {},
    ).settings.ports;

  it('are the built-in data plane’s, and each can be another', () => {
    expect(ports()).toEqual({ http: 8000, https: 8443, tls: 8443, ready: 8081, http3: true });
    expect(
      ports({ container: { ports: { https: 1 } } }, { container: { ports: { http: 2 } }, http3: false }),
    ).toEqual({
      http: 2,
      https: 1,
      tls: 1,
      ready: 8081,
      http3: false,
    });
  });

  it.each<[DataPlaneValues[], number]>([
    [[{ container: { ports: { http: 8443 } } }], 1],
    [[{ container: { ports: { ready: 8000 } } }], 1],
    [[{ container: { ports: { http: 9000 } } }, { container: { ports: { tls: 9000 } } }], 1],
    [[{ container: { ports: { http: 8443, https: 8000 } } }], 0],
    [[{ service: { type: 'ClusterIP' } }, { service: { loadBalancerClass: 'a' } }], 1],
    [[{ service: { loadBalancerClass: 'a' } }, { service: { type: 'LoadBalancer' } }], 0],
    [[{ service: { healthCheckNodePort: 1 } }, { service: { externalTrafficPolicy: 'Cluster' } }], 1],
  ])('%j must fit together: %i', (values, count) => {
    const { diagnostics } = settingsOf(
      values.map((each) => layer('class', each)),
      {},
    );
    expect(diagnostics).toHaveLength(count);
    for (const each of diagnostics)
      expect(each).toMatchObject({ severity: 'error', parametersOf: { name: 'gari' } });
  });
});
