import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../render/json.ts';
import { readOptions } from './function-config.ts';

const DEFAULTS = {
  classNames: [],
  controllerName: 'gari.dev/gateway-controller',
  image: 'gari-dataplane:v0.1.0',
  namespace: 'default',
  bindingName: 'gari-dataplane',
  mode: 'Render',
  prune: 'Auto',
  path: '{dir}/{namespace}_{name}.yaml',
};
const own = (spec: JsonObject): JsonObject => ({
  apiVersion: 'fn.gari.dev/v1alpha1',
  kind: 'RenderGateways',
  spec,
});
const configMap = (data: JsonObject, name = 'config'): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const ALL = {
  controllerName: 'example.com/c',
  image: 'i',
  namespace: 'n',
  bindingName: 'b',
  mode: 'Validate',
  prune: 'Never',
  path: 'a/{gateway}.yml',
};

describe('readOptions', () => {
  it.each<[string, JsonObject | undefined]>([
    ['nothing', undefined],
    ["kpt's placeholder", configMap({}, 'function-input')],
    ['an empty spec', own({})],
    ['no spec', { apiVersion: 'fn.gari.dev/v1alpha1', kind: 'RenderGateways' }],
  ])('%s means the defaults', (_, config) => expect(readOptions(config)).toEqual({ options: DEFAULTS }));

  it('reads every option of our own kind', () => {
    expect(readOptions(own({ ...ALL, classNames: ['a', 'b'] }))).toEqual({
      options: { ...ALL, classNames: ['a', 'b'] },
    });
  });

  it('reads every option of a ConfigMap, lists separated by commas', () => {
    const options = { ...ALL, classNames: ['a', 'b'] };
    expect(readOptions(configMap({ ...ALL, classNames: 'a, b' }))).toEqual({ options });
    expect(readOptions(configMap({ ...ALL, classNames: 'a, b' }, 'function-input'))).toEqual({ options });
  });

  it.each<[Json, string, string]>([
    [
      { apiVersion: 'v1', kind: 'Secret' },
      'kind',
      'is Secret of v1; use RenderGateways of fn.gari.dev/v1alpha1, or a ConfigMap of v1',
    ],
    [{ ...own({}), apiVersion: 'fn.gari.dev/v2' }, 'kind', 'is RenderGateways of fn.gari.dev/v2; use'],
    [{ ...own({}), data: {} }, 'data', 'is no field of RenderGateways'],
    [own({ imagee: 'x' }), 'spec.imagee', 'is no option; there are classNames'],
    [own({ image: '' }), 'spec.image', 'must be a string that is not empty'],
    [own({ image: 1 }), 'spec.image', 'must be a string'],
    [own({ mode: 'render' }), 'spec.mode', 'must be Render or Validate, not render'],
    [own({ classNames: 'a' }), 'spec.classNames', 'must be a list of names'],
    [own({ classNames: ['a', '../x'] }), 'spec.classNames', 'not ../x'],
    [own({ controllerName: 'gari' }), 'spec.controllerName', 'must be a domain and a path'],
    [own({ image: 'a b' }), 'spec.image', 'must be a reference to an image'],
    [own({ namespace: '../x' }), 'spec.namespace', 'must be at most 63 lower-case letters'],
    [own({ namespace: 'a.b' }), 'spec.namespace', 'must be at most 63 lower-case letters'],
    [own({ bindingName: 'a/b' }), 'spec.bindingName', 'must be at most 200 letters'],
    [own({ path: '/etc/x.yaml' }), 'spec.path', 'must be a relative path'],
    [own({ path: '../{name}.yaml' }), 'spec.path', 'must be a relative path'],
    [configMap({ imagee: 'x' }), 'data.imagee', 'is no option'],
    [configMap({ classNames: 'a,B' }), 'data.classNames', 'not B'],
    ['mode: Validate', 'functionConfig', 'must be a map'],
    [['Validate'], 'functionConfig', 'must be a map'],
    [false, 'functionConfig', 'must be a map'],
  ])('%j is wrong at %s', (config, field, message) => {
    const { problems } = readOptions(config);
    expect(problems).toHaveLength(1);
    expect(problems?.[0]).toMatchObject({ field, message: expect.stringContaining(message) });
  });

  it('tells all that is wrong at once', () => {
    expect(readOptions(own({ a: 1, b: 2 })).problems).toHaveLength(2);
  });
});
