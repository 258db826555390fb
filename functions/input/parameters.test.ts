import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../render/json.ts';
import { loadFiles } from './load.ts';
import { parametersKindOf, readParametersObject } from './parameters.ts';

const configMap = (
  data: JsonObject | undefined,
  metadata: JsonObject = { name: 'p', namespace: 'prod' },
): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  ...(data === undefined ? {} : { data }),
});
const dataPlane = (spec: JsonObject, apiVersion = 'gari.dev/v1alpha1'): JsonObject => ({
  apiVersion,
  kind: 'DataPlane',
  metadata: { name: 'p' },
  spec,
});
const problemsOf = async (object: JsonObject) =>
  (await readParametersObject(object, 'default'))?.problems.map(
    ({ field, message }) => `${field} ${message}`,
  );

describe('what may be parameters', () => {
  it.each<[JsonObject, string | undefined]>([
    [{ apiVersion: 'gari.dev/v1alpha1', kind: 'DataPlane' }, 'DataPlane'],
    // Said to be of another version, and not passed over.
    [{ apiVersion: 'gari.dev/v1', kind: 'DataPlane' }, 'DataPlane'],
    [{ apiVersion: 'v1', kind: 'ConfigMap' }, 'ConfigMap'],
    [{ apiVersion: 'example.com/v1', kind: 'DataPlane' }, undefined],
    [{ apiVersion: 'gari.dev/v1alpha1', kind: 'RenderGateways' }, undefined],
    [{ kind: 'ConfigMap' }, undefined],
  ])('%j: %s', (object, kind) => expect(parametersKindOf(object)).toBe(kind));
});

describe('readParametersObject', () => {
  it('reads a DataPlane and gives it its namespace', async () => {
    expect(await readParametersObject(dataPlane({ deployment: { replicas: 2 } }), 'default')).toEqual({
      kind: 'DataPlane',
      metadata: { name: 'p', namespace: 'default' },
      specPath: ['spec'],
      spec: { deployment: { replicas: 2 } },
      problems: [],
    });
  });

  it('reads the same spec out of a ConfigMap, as YAML or JSON', async () => {
    for (const text of ['deployment:\n  replicas: 2\n', '{"deployment": {"replicas": 2}}']) {
      expect(await readParametersObject(configMap({ 'dataplane.yaml': text }), 'default')).toMatchObject({
        metadata: { namespace: 'prod' },
        spec: { deployment: { replicas: 2 } },
        specPath: ['data', 'dataplane.yaml'],
        problems: [],
      });
    }
  });

  it('knows nothing without a name', async () => {
    expect(await readParametersObject(configMap({}, {}), 'default')).toBeUndefined();
    expect(await readParametersObject({ apiVersion: 'v1', kind: 'ConfigMap' }, 'default')).toBeUndefined();
  });

  const field = 'data["dataplane.yaml"]';
  it.each<[string, JsonObject | undefined, string]>([
    ['no data', undefined, `${field} must be set`],
    ['another key', { 'dataplane.yml': 'a: b' }, `${field} must be set`],
    ['no text', { 'dataplane.yaml': 1 }, `${field} must be set`],
    ['an empty text', { 'dataplane.yaml': '' }, `${field} must hold the fields of the spec of a DataPlane`],
    ['a list', { 'dataplane.yaml': '- a' }, `${field} must hold the fields of the spec of a DataPlane`],
    [
      'a whole object',
      { 'dataplane.yaml': 'apiVersion: gari.dev/v1alpha1\nkind: DataPlane\nspec: {}' },
      `${field} holds a whole object: write only what stands below its spec`,
    ],
    [
      'no YAML',
      { 'dataplane.yaml': 'a: [' },
      expect.stringMatching(/^data\["dataplane.yaml"\] is not YAML: /) as never,
    ],
    [
      'an unknown field',
      { 'dataplane.yaml': 'replicas: 2' },
      `${field}.replicas is not a field of DataPlane`,
    ],
    [
      'a wrong field',
      { 'dataplane.yaml': 'container:\n  image: a b' },
      `${field}.container.image must be a text without blanks, not "a b"`,
    ],
  ])('says of a ConfigMap with %s', async (_, data, expected) => {
    expect(await problemsOf(configMap(data))).toEqual([expected]);
  });

  it.each<[string, JsonObject, string]>([
    [
      'another version',
      dataPlane({}, 'gari.dev/v1'),
      'apiVersion must be gari.dev/v1alpha1, not "gari.dev/v1"',
    ],
    [
      'no spec',
      { apiVersion: 'gari.dev/v1alpha1', kind: 'DataPlane', metadata: { name: 'p' } },
      'spec must be set',
    ],
    ['a field of somewhere else', dataPlane({ image: 'x' }), 'spec.image is not a field of DataPlane'],
    [
      'a field that Kubernetes does not have',
      dataPlane({ pod: { tolerations: [{ operater: 'x' }] } }),
      'spec.pod.tolerations[0].operater is not a field of DataPlane; did you mean spec.pod.tolerations[0].operator?',
    ],
    [
      'a volume of a kind that is left out',
      dataPlane({ pod: { volumes: [{ name: 'a', iscsi: {} }] } }),
      'spec.pod.volumes[0].iscsi is not a field of DataPlane; did you mean spec.pod.volumes[0].csi?',
    ],
  ])('says of a DataPlane with %s', async (_, object, expected) => {
    expect(await problemsOf(object)).toEqual([expected]);
  });

  it('lets everything be that is no field of ours: overlays', async () => {
    const merge = { spec: { template: { spec: { hostNetwork: true, anything: [null, { at: 'all' }] } } } };
    const read = await readParametersObject(dataPlane({ overlays: { deployment: { merge } } }), 'default');
    expect(read?.spec?.overlays?.deployment?.merge).toEqual(merge);
  });
});

describe('the line of a field', () => {
  const lineOf = async (text: string, ...path: (string | number)[]) => {
    const { input } = await loadFiles([{ name: 'f.yaml', text, named: true }], { namespace: 'default' });
    const [found] = [...(input.dataPlanes ?? []), ...(input.configMaps ?? [])];
    return found?.source?.lineOf([...found.object.specPath, ...path]);
  };
  const inData = (value: string) =>
    `# a comment\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: p\ndata:\n  dataplane.yaml: ${value}`;
  const literal =
    '\n    # first\n    container:\n\n      env:\n      - name: A\n        value: b\n    http3: false\n';

  it.each<[string, string, (string | number)[], number]>([
    ['in a literal', inData(`|${literal}`), ['container', 'env', 0, 'value'], 13],
    ['in a literal without the last line end', inData(`|-${literal}`), ['http3'], 14],
    ['the literal itself', inData(`|${literal}`), [], 7],
    ['what is not there: the nearest above it', inData(`|${literal}`), ['container', 'env', 4], 11],
    ['in a text that is no literal: its key', inData(`"container: {env: []}"`), ['container', 'env'], 7],
    ['in a folded text: its key', inData(`>${literal}`), ['http3'], 7],
    [
      'of a DataPlane',
      'apiVersion: gari.dev/v1alpha1\nkind: DataPlane\nmetadata: {name: p}\nspec:\n  http3: false',
      ['http3'],
      5,
    ],
  ])('%s', async (_, text, path, line) => expect(await lineOf(text, ...path)).toBe(line));
});
