import { describe, expect, it } from 'vitest';
import { accessOf, missingGatewayArg } from './access.ts';
import type { Gateway } from './gateway-api.ts';
import type { JsonObject } from './json.ts';
import type { ParameterLayer } from './parameters.ts';

const gateway: Gateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: { gatewayClassName: 'gari', listeners: [] },
};
const pod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
const dataPlane = (fields: JsonObject): JsonObject => pod({ containers: [{ name: 'dataplane', ...fields }] });

describe('accessOf', () => {
  const layer = (objects: ParameterLayer['objects']): ParameterLayer => ({
    objects,
    from: { kind: 'Parameters', name: 'p' },
  });

  it.each<[string, ParameterLayer['objects'], 'Shared' | 'None']>([
    ['an image of their own', { Deployment: dataPlane({ image: 'nginx:1' }) }, 'None'],
    [
      'the same image in words of their own',
      { Deployment: dataPlane({ image: 'gari-dataplane:v0.1.0' }) },
      'None',
    ],
    [
      'everything but the image',
      { Deployment: dataPlane({ args: ['x'], env: [{ name: 'A', value: 'b' }] }) },
      'Shared',
    ],
    ['a sidecar', { Deployment: pod({ containers: [{ name: 'proxy', image: 'envoy:1' }] }) }, 'Shared'],
    [
      'an init container of the name',
      { Deployment: pod({ initContainers: [{ name: 'dataplane', image: 'x' }] }) },
      'Shared',
    ],
    [
      'a sidecar before an image of their own',
      {
        Deployment: pod({
          containers: [
            { name: 'proxy', image: 'x' },
            { name: 'dataplane', image: 'y' },
          ],
        }),
      },
      'None',
    ],
    ['replicas', { Deployment: { spec: { replicas: 2 } } }, 'Shared'],
    ['a type of Service', { Service: { spec: { type: 'ClusterIP' } } }, 'Shared'],
    ['nothing', {}, 'Shared'],
  ])('with %s', (_, objects, expected) => {
    for (const name of ['class', 'gateway', 'enforced'] as const) {
      expect(accessOf({ [name]: layer(objects) })).toBe(expected);
    }
  });

  it('is shared without parameters', () => expect(accessOf({})).toBe('Shared'));

  it('is nothing if any of the layers brings an image', () => {
    const [plain, own] = [layer({}), layer({ Deployment: dataPlane({ image: 'nginx:1' }) })];
    expect(accessOf({ class: plain, gateway: own, enforced: plain })).toBe('None');
  });
});

describe('missingGatewayArg', () => {
  const [mode, namespace, name] = ['--dataplane-mode', '--gateway-namespace=prod', '--gateway-name=web'];
  it.each<[string[], string | undefined]>([
    [[mode, namespace, name], undefined],
    [[name, mode, namespace], undefined],
    [[mode, name], namespace],
    [[mode, namespace], name],
    [[mode], namespace],
    // The name of another Gateway is not its own.
    [[mode, namespace, '--gateway-name=shop'], name],
    [[mode, '--gateway-namespace=test', name], namespace],
    [[mode, namespace, '--gateway-name=web2'], name],
    // Not in the mode that would serve every Gateway.
    [['--config=/etc/x'], undefined],
    [['--dataplane-mode-x'], undefined],
    [[], undefined],
  ])('%j lacks %s', (args, missing) => {
    expect(missingGatewayArg(dataPlane({ args }), gateway)).toBe(missing);
  });

  it.each<[string, JsonObject]>([
    ['no args', dataPlane({})],
    ['no container of the data plane', pod({ containers: [{ name: 'proxy', args: [mode] }] })],
    ['no containers', pod({})],
    ['nothing', {}],
  ])('%s: nothing is missing', (_, deployment) =>
    expect(missingGatewayArg(deployment, gateway)).toBeUndefined(),
  );
});
