import { describe, expect, it } from 'vitest';
import { isJsonList, isJsonObject, type Json, type JsonObject, type Path } from './json.ts';
import { type LayeredKind, MERGE_SCHEMAS } from './merge-schema.ts';
import { parseRemovalPath, touches, without } from './removal.ts';

const parse = (kind: LayeredKind, text: string) => parseRemovalPath(text, MERGE_SCHEMAS[kind]);
const valueAt = (value: Json | undefined, path: Path) =>
  path.reduce<Json | undefined>(
    (at, step) => (isJsonList(at) ? at[step as number] : isJsonObject(at) ? at[step] : undefined),
    value,
  );
const SERVICE: JsonObject = {
  metadata: { annotations: { 'example.com/a.b': 'x', plain: 'y' } },
  spec: {
    type: 'LoadBalancer',
    selector: { a: 'b' },
    ports: [
      { port: 53, protocol: 'TCP', name: 'tcp' },
      { port: 53, protocol: 'UDP', name: 'udp' },
    ],
  },
};

describe('a path of what is to be removed', () => {
  it.each<[string, Path]>([
    ['spec.type', ['spec', 'type']],
    ['metadata.annotations["example.com/a.b"]', ['metadata', 'annotations', 'example.com/a.b']],
    ['metadata["annotations"].plain', ['metadata', 'annotations', 'plain']],
    ['spec.ports[port=53,protocol=UDP].name', ['spec', 'ports', 1, 'name']],
    ['spec.ports[protocol=UDP,port=53].name', ['spec', 'ports', 1, 'name']],
    ['spec.selector', ['spec', 'selector']],
    ['spec', ['spec']],
  ])('%s', (text, path) => {
    expect(valueAt(SERVICE, path)).toBeDefined();
    expect(valueAt(without(SERVICE, parse('Service', text)), path)).toBeUndefined();
  });

  it('takes an item by its keys, of which the protocol is TCP where none is said', () => {
    const names = (text: string) => {
      const ports = valueAt(without(SERVICE, parse('Service', text)), ['spec', 'ports']);
      return (ports as readonly JsonObject[]).map(({ name }) => name);
    };
    expect(names('spec.ports[port=53]')).toEqual(['udp']);
    expect(names('spec.ports[port=53,protocol=UDP]')).toEqual(['tcp']);
    const noProtocol = { spec: { ports: [{ port: 80 }, { port: 81, protocol: 'TCP' }] } };
    expect(without(noProtocol, parse('Service', 'spec.ports[port=80,protocol=TCP]'))).toEqual({
      spec: { ports: [{ port: 81, protocol: 'TCP' }] },
    });
  });

  it.each([
    'spec.clusterIP',
    'spec.ports[port=80]',
    'metadata.labels.a',
    'spec.type.deeper',
    'spec.ports[port=53].nodePort',
  ])('is nothing where nothing is: %s', (text) =>
    expect(without(SERVICE, parse('Service', text))).toBeUndefined(),
  );

  it('changes nothing that is given', () => {
    const before = JSON.stringify(SERVICE);
    without(SERVICE, parse('Service', 'spec.ports[port=53].name'));
    expect(JSON.stringify(SERVICE)).toBe(before);
  });

  it.each<[LayeredKind, string, string]>([
    ['Service', 'spec..type', 'is no path from "..type" on'],
    ['Service', 'spec.ports[0]', 'is no path from "[0]" on'],
    ['Service', 'spec.ports[port]', 'is no path from "[port]" on'],
    ['Service', '$.spec', 'is no path from "$.spec" on'],
    ['Service', 'spec.ports[name=http]', 'must name an item of spec.ports as [port=…,protocol=…]'],
    ['Service', 'spec.ports[protocol=TCP]', 'must name an item of spec.ports as [port=…,protocol=…]'],
    [
      'Service',
      'spec.externalIPs[a=b]',
      'leads into spec.externalIPs, which is no list with keys: set it anew',
    ],
    ['Service', 'spec.selector.a', 'leads into spec.selector, which is replaced as a whole: set it anew'],
    [
      'Deployment',
      'spec.template.spec.containers[name=a].args[a=b]',
      'leads into spec.template.spec.containers[name=a].args, which is no list with keys: set it anew',
    ],
  ])('%s %s: %s', (kind, text, message) => expect(() => parse(kind, text)).toThrow(message));
});

it.each<[string, boolean]>([
  ['metadata', true],
  ['metadata.name', true],
  ['metadata.name.deeper', true],
  ['metadata.labels', false],
  ['spec.ports', true],
  ['spec.ports[port=53]', true],
  ['spec.ports[port=53].name', true],
  ['spec.ports[port=53].nodePort', false],
  ['spec.ports[port=53,protocol=UDP]', false],
])('%s takes something of what is fixed away: %s', (text, expected) => {
  const fixed = { metadata: { name: 'a' }, spec: { ports: [{ port: 53, protocol: 'TCP', name: 'x' }] } };
  expect(touches(fixed, parse('Service', text))).toBe(expected);
});
