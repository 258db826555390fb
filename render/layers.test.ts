import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, Path } from './json.ts';
import { LAYERS, type Layer, type LayerName, mergeLayers } from './layers.ts';
import type { Source } from './source.ts';

const object = { kind: 'Parameters', namespace: 'prod', name: 'p' };
// The line is 10 and as many more as the path has steps.
const source: Source = { file: 'p.yaml', lineOf: (path: Path) => 10 + path.length };
const layer = (name: LayerName, value: JsonObject, from?: Layer['from']): Layer => ({
  name,
  value,
  ...(from === undefined ? {} : { from }),
});
const written = { object, source, fieldOf: (path: Path) => ['spec', ...path] };

it('has the layers of the design, lowest first', () => {
  expect(LAYERS).toEqual(['defaults', 'class', 'gateway', 'infrastructure', 'enforced', 'identity']);
});

describe('mergeLayers', () => {
  it.each(LAYERS.map((top, index) => [top, LAYERS.slice(0, index + 1)] as const))(
    'up to %s',
    (top, names) => {
      const { value, provenanceOf } = mergeLayers(
        'Service',
        names.map((name) => layer(name, { spec: { type: name, [name]: 'own' } })),
      );
      const own = Object.fromEntries(names.map((name) => [name, 'own']));
      expect(value).toEqual({ spec: { ...own, type: top } });
      expect(provenanceOf(['spec', 'type'])).toEqual({ layer: top });
      for (const name of names) expect(provenanceOf(['spec', name])).toEqual({ layer: name });
    },
  );

  it('tells object, field, file and line of what was written somewhere', () => {
    const { provenanceOf } = mergeLayers('Service', [layer('class', { spec: { type: 'x' } }, written)]);
    expect(provenanceOf(['spec', 'type'])).toEqual({
      layer: 'class',
      object,
      field: 'spec.spec.type',
      file: 'p.yaml',
      line: 13,
    });
  });

  it.each<[string, Layer['from'], object]>([
    ['without a file', { object, fieldOf: (path) => path }, { layer: 'class', object, field: 'a' }],
    [
      'without a line',
      { object, source: { file: 'f', lineOf: () => undefined }, fieldOf: (path) => path },
      { layer: 'class', object, field: 'a', file: 'f' },
    ],
    ['written in no field', { object, source, fieldOf: () => undefined }, { layer: 'class' }],
    ['written nowhere', undefined, { layer: 'class' }],
  ])('%s', (_, from, expected) => {
    expect(mergeLayers('Service', [layer('class', { a: 1 }, from)]).provenanceOf(['a'])).toEqual(expected);
  });

  it('knows of leaves only: maps and lists that merge have no one setter', () => {
    const { provenanceOf } = mergeLayers('Service', [
      layer('defaults', { spec: { ports: [{ port: 80 }], selector: { a: 'b' } }, list: [1] }),
    ]);
    const defaults = { layer: 'defaults' };
    const expected: [Path, object | undefined][] = [
      [[], undefined],
      [['spec'], undefined],
      [['spec', 'ports'], undefined],
      [['spec', 'ports', 0], undefined],
      [['spec', 'ports', 0, 'port'], defaults],
      // Written, though the layer did not say it.
      [['spec', 'ports', 0, 'protocol'], defaults],
      [['spec', 'ports', 1, 'port'], undefined],
      // Atomic.
      [['spec', 'selector'], defaults],
      [['spec', 'selector', 'a'], undefined],
      [['list'], defaults],
    ];
    for (const [path, setter] of expected) expect(provenanceOf(path)).toEqual(setter);
  });

  it('follows items of a list by their keys', () => {
    const ports = (...items: JsonObject[]): JsonObject => ({ spec: { ports: items } });
    const { value, provenanceOf } = mergeLayers('Service', [
      layer('defaults', ports({ port: 53, protocol: 'TCP', name: 'a' })),
      layer('class', ports({ port: 53, protocol: 'UDP', name: 'b' }, { port: 53, nodePort: 30053 })),
    ]);
    expect(value).toEqual(
      ports(
        { port: 53, protocol: 'TCP', name: 'a', nodePort: 30053 },
        { port: 53, protocol: 'UDP', name: 'b' },
      ),
    );
    const setter = (...path: Path) => provenanceOf(['spec', 'ports', ...path])?.layer;
    expect(setter(0, 'name')).toBe('defaults');
    expect(setter(0, 'nodePort')).toBe('class');
    expect(setter(1, 'name')).toBe('class');
  });

  it.each<[LayerName, Json]>([
    ['class', 'x'],
    ['enforced', 'x'],
  ])('a %s layer that says the same has said it last', (name, type) => {
    const { provenanceOf } = mergeLayers('Service', [
      layer('defaults', { spec: { type } }),
      layer(name, { spec: { type } }),
    ]);
    expect(provenanceOf(['spec', 'type'])).toEqual({ layer: name });
  });

  it('is nothing without layers, and changes none', () => {
    expect(mergeLayers('Service', []).value).toEqual({});
    const layers = [layer('defaults', { spec: { a: 1 } }), layer('class', { spec: { b: 2 } })];
    const before = JSON.stringify(layers);
    mergeLayers('Service', layers).provenanceOf(['spec', 'a']);
    expect(JSON.stringify(layers)).toBe(before);
  });
});
