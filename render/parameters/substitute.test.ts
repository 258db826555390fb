import { expect, it } from 'vitest';
import type { Gateway } from '../gateway-api.ts';
import type { JsonObject } from '../json.ts';
import { withSubstitutions } from './substitute.ts';

const gateway: Gateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: { gatewayClassName: 'edge', listeners: [] },
};
const deployment = (pod: JsonObject): JsonObject => ({ spec: { template: { spec: pod } } });
const inArgs = (text: string, env: JsonObject[] = []) =>
  withSubstitutions(deployment({ containers: [{ args: [text], env }] }), gateway);

it.each([
  ['$(GATEWAY_NAME)', 'web'],
  ['$(GATEWAY_NAMESPACE)/$(GATEWAY_NAME) of $(GATEWAY_CLASS_NAME)', 'prod/web of edge'],
  // The kubelet's.
  ['$(POD_IP)', '$(POD_IP)'],
  ['$(GATEWAY_UID)', '$(GATEWAY_UID)'],
  ['$$(GATEWAY_NAME)', '$$(GATEWAY_NAME)'],
  ['$$$(GATEWAY_NAME)', '$$web'],
  ['$$$$(GATEWAY_NAME)', '$$$$(GATEWAY_NAME)'],
  ['$GATEWAY_NAME $(GATEWAY_NAME', '$GATEWAY_NAME $(GATEWAY_NAME'],
  ['$( GATEWAY_NAME ) $(gateway_name) $()', '$( GATEWAY_NAME ) $(gateway_name) $()'],
  ['$($(GATEWAY_NAME)', '$($(GATEWAY_NAME)'],
])('%s becomes %s', (text, expected) => {
  expect(inArgs(text)).toEqual(deployment({ containers: [{ args: [expected], env: [] }] }));
});

it('leaves alone what the container itself declares', () => {
  const env = [{ name: 'GATEWAY_NAME', value: 'own' }];
  expect(inArgs('$(GATEWAY_NAME) $(GATEWAY_NAMESPACE)', env)).toEqual(
    deployment({ containers: [{ args: ['$(GATEWAY_NAME) prod'], env }] }),
  );
});

it('replaces in commands, arguments and environment of every container, and nowhere else', () => {
  const text = '$(GATEWAY_NAME)';
  const container = (value: string) => ({
    name: text,
    image: text,
    command: [value],
    args: [value],
    env: [{ name: 'A', value }],
  });
  expect(
    withSubstitutions(
      {
        metadata: { name: text },
        ...deployment({ nodeName: text, containers: [container(text)], initContainers: [container(text)] }),
      },
      gateway,
    ),
  ).toEqual({
    metadata: { name: text },
    ...deployment({ nodeName: text, containers: [container('web')], initContainers: [container('web')] }),
  });
});

it.each<[string, JsonObject]>([
  ['no pod', {}],
  ['no containers', deployment({})],
  ['containers of another type', deployment({ containers: 'x' })],
  [
    'items of another type',
    deployment({ containers: ['x', null, { args: 'x', env: ['x', { name: 'A' }], command: [1] }] }),
  ],
])('bears %s', (_, object) => expect(withSubstitutions(object, gateway)).toEqual(object));
