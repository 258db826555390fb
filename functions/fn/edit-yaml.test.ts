import { describe, expect, it } from 'vitest';
import { parseYaml } from '../yaml.ts';
import { editYaml } from './edit-yaml.ts';

const TEXT = `# head
kind: Service # the kind
metadata:
  name: "web"   # quoted
  labels: {team: a, tier: b}
spec:
  # the ports
  ports:
  - name: http # first
    port: 80
  - name: https
    port: 443
`;

describe('editYaml', () => {
  it.each([
    ['a value', { kind: 'Service', metadata: { name: 'shop', labels: { team: 'a', tier: 'b' } } }],
    ['a field less, one more', { kind: 'Service', metadata: { name: 'web', annotations: { a: 'yes' } } }],
    ['fewer items', { kind: 'Service', spec: { ports: [{ name: 'http', port: 80 }] } }],
    [
      'more items',
      {
        kind: 'Service',
        spec: {
          ports: [
            { name: 'a', port: 1 },
            { name: 'b', port: 2 },
            { name: 'c', port: 3 },
          ],
        },
      },
    ],
    ['another shape', { kind: ['x'], metadata: 'none' }],
    ['words of YAML 1.1', { kind: 'on', metadata: { name: 'no', labels: { yes: '0644' } } }],
  ])('says %s', (_, wanted) => {
    expect(parseYaml(editYaml(TEXT, wanted))).toEqual(wanted);
    expect(editYaml(editYaml(TEXT, wanted), wanted)).toBe(editYaml(TEXT, wanted));
  });

  it('keeps comments, quotes and flow maps where they are', () => {
    const wanted = parseYaml(TEXT.replace('port: 80', 'port: 8080')) as never;
    expect(editYaml(TEXT, wanted)).toBe(
      TEXT.replace('port: 80', 'port: 8080').replace('"web"   #', '"web" #'),
    );
  });
});
