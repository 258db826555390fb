import { describe, expect, it } from 'vitest';
import { immutableChanges } from './immutable-fields.ts';
import { formatPath, type JsonObject } from './json.ts';

const changes = (live: JsonObject, desired: JsonObject) =>
  immutableChanges(live, desired, 'gari').map(({ path, from, to }) => [formatPath(path), from, to]);
const service = (spec: JsonObject): JsonObject => ({
  kind: 'Service',
  spec: { type: 'LoadBalancer', ...spec },
});
const owned = (object: JsonObject, fields: JsonObject, manager = 'gari'): JsonObject => ({
  ...object,
  metadata: { managedFields: [{ manager, operation: 'Apply', fieldsV1: { 'f:spec': fields } }] },
});

describe('a Service', () => {
  it.each<[string, JsonObject, JsonObject, unknown[]]>([
    ['keeps what it has', service({ loadBalancerClass: 'a' }), service({ loadBalancerClass: 'a' }), []],
    [
      'gets a class',
      service({}),
      service({ loadBalancerClass: 'a' }),
      [['spec.loadBalancerClass', undefined, 'a']],
    ],
    [
      'changes its class',
      service({ loadBalancerClass: 'a' }),
      service({ loadBalancerClass: 'b' }),
      [['spec.loadBalancerClass', 'a', 'b']],
    ],
    // A webhook's (cilium/cilium#28949).
    ['keeps a class that somebody else gave it', service({ loadBalancerClass: 'a' }), service({}), []],
    [
      'loses the class that we gave it',
      owned(service({ loadBalancerClass: 'a' }), { 'f:loadBalancerClass': {} }),
      service({}),
      [['spec.loadBalancerClass', 'a', undefined]],
    ],
    [
      'loses it with its load balancer',
      owned(service({ loadBalancerClass: 'a' }), { 'f:loadBalancerClass': {} }),
      { kind: 'Service', spec: { type: 'ClusterIP' } },
      [],
    ],
    [
      'becomes a load balancer',
      { kind: 'Service', spec: { type: 'ClusterIP' } },
      service({ loadBalancerClass: 'a' }),
      [],
    ],
    ['keeps its address', service({ clusterIP: '10.0.0.1' }), service({}), []],
    [
      'changes its address',
      service({ clusterIP: '10.0.0.1' }),
      service({ clusterIP: '10.0.0.2' }),
      [['spec.clusterIP', '10.0.0.1', '10.0.0.2']],
    ],
    [
      'becomes headless',
      service({ clusterIP: '10.0.0.1' }),
      service({ clusterIP: 'None' }),
      [['spec.clusterIP', '10.0.0.1', 'None']],
    ],
    [
      'gets a second family',
      service({ ipFamilies: ['IPv4'] }),
      service({ ipFamilies: ['IPv4', 'IPv6'] }),
      [],
    ],
    [
      'changes its first family',
      service({ ipFamilies: ['IPv4'] }),
      service({ ipFamilies: ['IPv6'] }),
      [['spec.ipFamilies[0]', 'IPv4', 'IPv6']],
    ],
    [
      'changes a health check port',
      service({ healthCheckNodePort: 1 }),
      service({ healthCheckNodePort: 2 }),
      [['spec.healthCheckNodePort', 1, 2]],
    ],
    ['gets a health check port', service({}), service({ healthCheckNodePort: 2 }), []],
    ['changes all else', service({ ports: [1] }), service({ ports: [2] }), []],
  ])('%s', (_, live, desired, expected) => expect(changes(live, desired)).toEqual(expected));
});

it('a Deployment keeps its selector, whatever the order of its labels', () => {
  const deployment = (matchLabels: JsonObject): JsonObject => ({
    kind: 'Deployment',
    spec: { selector: { matchLabels } },
  });
  expect(changes(deployment({ a: '1', b: '2' }), deployment({ b: '2', a: '1' }))).toEqual([]);
  expect(changes(deployment({ a: '1' }), deployment({ a: '2' }))).toHaveLength(1);
});

it('a binding keeps its role', () => {
  const binding = (name: string): JsonObject => ({
    kind: 'RoleBinding',
    roleRef: { kind: 'ClusterRole', name },
  });
  expect(changes(binding('a'), binding('a'))).toEqual([]);
  expect(changes(binding('a'), binding('b'))).toHaveLength(1);
});

it('a ServiceAccount has nothing of the kind', () => {
  expect(changes({ kind: 'ServiceAccount', secrets: [] }, { kind: 'ServiceAccount', secrets: [1] })).toEqual(
    [],
  );
});
