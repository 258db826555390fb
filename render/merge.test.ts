import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.ts';
import { merge, overlap } from './merge.ts';
import { type LayeredKind, MERGE_SCHEMAS } from './merge-schema.ts';

const merged = (kind: LayeredKind, base: JsonObject, overlay: JsonObject) =>
  merge(base, overlay, MERGE_SCHEMAS[kind], () => undefined);
const pod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
const container = (fields: JsonObject): JsonObject => pod({ containers: [{ name: 'dataplane', ...fields }] });

describe('merge', () => {
  it('keeps TCP and UDP on one Service port apart', () => {
    const tcp = { spec: { ports: [{ port: 53, protocol: 'TCP', name: 'tcp-53' }] } };
    const udp = { spec: { ports: [{ port: 53, protocol: 'UDP', name: 'udp-53' }] } };
    expect(merged('Service', tcp, udp)).toEqual({ spec: { ports: [...tcp.spec.ports, ...udp.spec.ports] } });
  });

  it('keeps TCP and UDP on one container port apart', () => {
    const tcp = container({ ports: [{ containerPort: 53, protocol: 'TCP' }] });
    const udp = container({ ports: [{ containerPort: 53, protocol: 'UDP', hostPort: 53 }] });
    const both = [
      { containerPort: 53, protocol: 'TCP' },
      { containerPort: 53, protocol: 'UDP', hostPort: 53 },
    ];
    expect(merged('Deployment', tcp, udp)).toEqual(container({ ports: both }));
  });

  it('takes a port without a protocol for TCP, and writes it', () => {
    const base = { spec: { ports: [{ port: 80, protocol: 'TCP', name: 'http' }] } };
    expect(merged('Service', base, { spec: { ports: [{ port: 80, nodePort: 30080 }] } })).toEqual({
      spec: { ports: [{ port: 80, protocol: 'TCP', name: 'http', nodePort: 30080 }] },
    });
    expect(merged('Service', {}, { spec: { ports: [{ port: 80 }] } })).toEqual({
      spec: { ports: [{ port: 80, protocol: 'TCP' }] },
    });
  });

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'env by name',
      container({
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      }),
      container({
        env: [
          { name: 'B', value: '3' },
          { name: 'C', value: '4' },
        ],
      }),
      container({
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '3' },
          { name: 'C', value: '4' },
        ],
      }),
    ],
    [
      'volume mounts by path',
      container({ volumeMounts: [{ mountPath: '/a', name: 'x' }] }),
      container({
        volumeMounts: [
          { mountPath: '/a', name: 'y' },
          { mountPath: '/b', name: 'x' },
        ],
      }),
      container({
        volumeMounts: [
          { mountPath: '/a', name: 'y' },
          { mountPath: '/b', name: 'x' },
        ],
      }),
    ],
    [
      'args as a whole',
      container({ args: ['a', 'b'] }),
      container({ args: ['c'] }),
      container({ args: ['c'] }),
    ],
    [
      'a node selector as a whole',
      pod({ nodeSelector: { a: '1' } }),
      pod({ nodeSelector: { b: '2' } }),
      pod({ nodeSelector: { b: '2' } }),
    ],
    [
      'scheduling gates by name',
      pod({ schedulingGates: [{ name: 'a' }] }),
      pod({ schedulingGates: [{ name: 'b' }] }),
      pod({ schedulingGates: [{ name: 'a' }, { name: 'b' }] }),
    ],
    [
      'a key of a file as a whole',
      container({ env: [{ name: 'A', valueFrom: { fileKeyRef: { key: 'a', path: 'x', optional: true } } }] }),
      container({ env: [{ name: 'A', valueFrom: { fileKeyRef: { key: 'b', path: 'y' } } }] }),
      container({ env: [{ name: 'A', valueFrom: { fileKeyRef: { key: 'b', path: 'y' } } }] }),
    ],
    [
      'resources field by field',
      container({ resources: { limits: { cpu: '1' } } }),
      container({ resources: { limits: { memory: '1Gi' } } }),
      container({ resources: { limits: { cpu: '1', memory: '1Gi' } } }),
    ],
    [
      'a sidecar beside the container',
      container({ image: 'a' }),
      pod({ containers: [{ name: 'sidecar', image: 'b' }] }),
      pod({
        containers: [
          { name: 'dataplane', image: 'a' },
          { name: 'sidecar', image: 'b' },
        ],
      }),
    ],
    [
      'tolerations as a whole',
      pod({ tolerations: [{ key: 'a' }] }),
      pod({ tolerations: [{ key: 'b' }] }),
      pod({ tolerations: [{ key: 'b' }] }),
    ],
    [
      'volumes by name',
      pod({ volumes: [{ name: 'a', configMap: { name: 'x' } }] }),
      pod({
        volumes: [
          { name: 'b', emptyDir: {} },
          { name: 'a', configMap: { optional: true } },
        ],
      }),
      pod({
        volumes: [
          { name: 'a', configMap: { name: 'x', optional: true } },
          { name: 'b', emptyDir: {} },
        ],
      }),
    ],
    [
      'spread constraints by key and by what to do',
      pod({ topologySpreadConstraints: [{ topologyKey: 'zone', whenUnsatisfiable: 'x', maxSkew: 1 }] }),
      pod({
        topologySpreadConstraints: [
          { topologyKey: 'zone', whenUnsatisfiable: 'y', maxSkew: 2 },
          { topologyKey: 'zone', whenUnsatisfiable: 'x', maxSkew: 3 },
        ],
      }),
      pod({
        topologySpreadConstraints: [
          { topologyKey: 'zone', whenUnsatisfiable: 'x', maxSkew: 3 },
          { topologyKey: 'zone', whenUnsatisfiable: 'y', maxSkew: 2 },
        ],
      }),
    ],
    [
      'a reference to a Secret as a whole',
      container({
        env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'x', key: 'k', optional: true } } }],
      }),
      container({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'y', key: 'k' } } }] }),
      container({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'y', key: 'k' } } }] }),
    ],
    [
      'init containers as containers',
      pod({ initContainers: [{ name: 'a', image: 'x' }] }),
      pod({ initContainers: [{ name: 'a', args: ['y'] }] }),
      pod({ initContainers: [{ name: 'a', image: 'x', args: ['y'] }] }),
    ],
    ['a map over text', pod({ affinity: 'x' }), pod({ affinity: { a: 1 } }), pod({ affinity: { a: 1 } })],
    ['text over a map', pod({ affinity: { a: 1 } }), pod({ affinity: 'x' }), pod({ affinity: 'x' })],
    [
      'a list over a map',
      pod({ volumes: { a: 1 } }),
      pod({ volumes: [{ name: 'a' }] }),
      pod({ volumes: [{ name: 'a' }] }),
    ],
    ['nothing over something', pod({ affinity: { a: 1 } }), pod({ affinity: null }), pod({ affinity: null })],
    [
      'an item that is no map is none',
      pod({ volumes: [] }),
      pod({ volumes: ['a', null] }),
      pod({ volumes: [] }),
    ],
  ])('%s', (_, base, overlay, expected) => {
    expect(merged('Deployment', base, overlay)).toEqual(expected);
  });

  it('has Secrets of a ServiceAccount by name, and its labels key by key', () => {
    expect(
      merged(
        'ServiceAccount',
        { metadata: { labels: { a: '1', b: '2' } }, secrets: [{ name: 'a' }] },
        { metadata: { labels: { b: '3' } }, secrets: [{ name: 'a', namespace: 'x' }, { name: 'b' }] },
      ),
    ).toEqual({
      metadata: { labels: { a: '1', b: '3' } },
      secrets: [{ name: 'a', namespace: 'x' }, { name: 'b' }],
    });
  });

  it('merges two items of one key in one overlay, as the server takes them for one', () => {
    expect(
      merged(
        'Service',
        {},
        {
          spec: {
            ports: [
              { port: 80, name: 'a' },
              { port: 80, nodePort: 1 },
            ],
          },
        },
      ),
    ).toEqual({
      spec: { ports: [{ port: 80, name: 'a', nodePort: 1, protocol: 'TCP' }] },
    });
  });

  it('tells each leaf that the overlay sets, with its path in the result and in the overlay', () => {
    const paths: string[] = [];
    const base = {
      spec: {
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
      },
    };
    const overlay = { spec: { selector: { a: 'b' }, ports: [{ port: 53, protocol: 'UDP', name: 'dns' }] } };
    merge(base, overlay, MERGE_SCHEMAS.Service, (path, inOverlay) =>
      paths.push(`${path.join('.')} ${inOverlay.join('.')}`),
    );
    expect(paths).toEqual([
      'spec.selector spec.selector',
      'spec.ports.[53,"UDP"].port spec.ports.0.port',
      'spec.ports.[53,"UDP"].protocol spec.ports.0.protocol',
      'spec.ports.[53,"UDP"].name spec.ports.0.name',
    ]);
  });

  it('lets a member of a union take the place of another', () => {
    const merge = (from: JsonObject, to: JsonObject) => merged('Deployment', container(from), container(to));
    expect(
      merge(
        { env: [{ name: 'A', value: '1' }] },
        { env: [{ name: 'A', valueFrom: { secretKeyRef: { key: 'k' } } }] },
      ),
    ).toEqual(container({ env: [{ name: 'A', valueFrom: { secretKeyRef: { key: 'k' } } }] }));
    expect(
      merge(
        { readinessProbe: { httpGet: { port: 1 }, periodSeconds: 5 } },
        { readinessProbe: { tcpSocket: { port: 2 } } },
      ),
    ).toEqual(container({ readinessProbe: { tcpSocket: { port: 2 }, periodSeconds: 5 } }));
    expect(
      merge({ lifecycle: { preStop: { sleep: { seconds: 1 } } } }, { lifecycle: { preStop: { exec: {} } } }),
    ).toEqual(container({ lifecycle: { preStop: { exec: {} } } }));
    // One that says nothing of it changes nothing.
    expect(merge({ readinessProbe: { exec: {} } }, { readinessProbe: { periodSeconds: 5 } })).toEqual(
      container({ readinessProbe: { exec: {}, periodSeconds: 5 } }),
    );
    const volumes = (...items: JsonObject[]): JsonObject => ({
      spec: { template: { spec: { volumes: items } } },
    });
    expect(
      merged(
        'Deployment',
        volumes({ name: 'v', emptyDir: {} }),
        volumes({ name: 'v', configMap: { name: 'c' } }),
      ),
    ).toEqual(volumes({ name: 'v', configMap: { name: 'c' } }));
  });

  it('changes neither side, and is idempotent', () => {
    const base = container({ env: [{ name: 'A', value: '1' }] });
    const overlay = container({ env: [{ name: 'A', value: '2' }] });
    const before = JSON.stringify([base, overlay]);
    const once = merged('Deployment', base, overlay);
    expect(merged('Deployment', once, overlay)).toEqual(once);
    expect(JSON.stringify([base, overlay])).toBe(before);
  });
});

describe('overlap', () => {
  it('finds what both set, by the keys of lists', () => {
    const fixed = {
      metadata: { name: 'a' },
      spec: { ports: [{ port: 80, protocol: 'TCP' }], selector: { a: 'b' } },
    };
    const overlay = {
      metadata: { name: 'b', labels: { a: 'b' } },
      spec: { ports: [{ port: 81 }, { port: 80, nodePort: 30080 }], selector: { c: 'd' }, type: 'NodePort' },
    };
    expect(overlap(overlay, fixed, MERGE_SCHEMAS.Service)).toEqual([
      ['metadata', 'name'],
      ['spec', 'ports', 1],
      ['spec', 'selector'],
    ]);
  });
});
