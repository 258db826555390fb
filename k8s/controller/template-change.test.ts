import { expect, it } from 'vitest';
import type { Gateway } from '../../render/gateway-api.ts';
import { render } from '../../render/render.ts';
import { causeOfChange } from './template-change.ts';
import { gateway } from './test-view.ts';

function rendered(spec: object, image?: string) {
  const object = gateway('web', spec) as unknown as Gateway;
  const empty = { gatewayClasses: [], listenerSets: [], referenceGrants: [], namespaces: [] };
  const result = render(
    { ...empty, gateways: [{ object }], existing: [], clusterRoleBindings: [] },
    image === undefined ? {} : { image },
  );
  const deployment = [...result.objects.values()].flat().find(({ kind }) => kind === 'Deployment');
  if (deployment === undefined) throw new Error('no Deployment');
  return { deployment, provenanceOf: result.provenanceOf };
}

it.each([
  ['nothing', {}, undefined, [], false],
  ['the image', {}, 'example.com/proxy:2', ['defaults'], false],
  [
    'an infrastructure label',
    { infrastructure: { labels: { team: 'a' } } },
    undefined,
    ['infrastructure (Gateway web)'],
    true,
  ],
  [
    'an infrastructure label together with the image',
    { infrastructure: { labels: { team: 'a' } } },
    'example.com/proxy:2',
    ['defaults', 'infrastructure (Gateway web)'],
    false,
  ],
])('names the layer that changed %s', (_, spec, image, layers, isOwn) => {
  const { deployment: live } = rendered({});
  // As a server has it: with its defaults, and more than gari set.
  const stored = JSON.parse(JSON.stringify(live).replace('"name":"http"', '"name":"http","hostPort":0'));
  const { deployment, provenanceOf } = rendered(spec, image);
  expect(causeOfChange(deployment, stored, provenanceOf)).toEqual({ layers, isOwn });
});
