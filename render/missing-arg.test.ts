import { describe, expect, it } from 'vitest';
import type { Gateway } from './gateway-api.ts';
import type { JsonObject } from './json.ts';
import { missingGatewayArg } from './missing-arg.ts';

const gateway: Gateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: { gatewayClassName: 'gari', listeners: [] },
};
const pod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
const dataPlane = (fields: JsonObject): JsonObject => pod({ containers: [{ name: 'dataplane', ...fields }] });

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
