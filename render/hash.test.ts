import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { podTemplateHash } from './hash.ts';

const TEMPLATE = {
  metadata: { labels: { app: 'a' }, annotations: { note: 'n' } },
  spec: {
    serviceAccountName: 'web-gari',
    containers: [
      { name: 'dataplane', image: 'i:1', args: ['a', 'b'], ports: [{ containerPort: 8000 }], tty: false },
    ],
  },
};

// What object-hash 3 feeds to SHA-256 for plain data with respectType off: keys sorted, each value with its type.
function written(value: unknown): string {
  if (Array.isArray(value)) return `array:${value.length}:${value.map(written).join('')}`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).sort();
    return `object:${keys.length}:${keys.map((key) => `${written(key)}:${written((value as Record<string, unknown>)[key])},`).join('')}`;
  }
  if (typeof value === 'string') return `string:${value.length}:${value}`;
  if (typeof value === 'boolean') return `bool:${value}`;
  return `number:${value}`;
}

describe('podTemplateHash', () => {
  it('is the first 16 hex digits of SHA-256 over what object-hash writes', () => {
    expect(podTemplateHash(TEMPLATE)).toBe(
      createHash('sha256').update(written(TEMPLATE)).digest('hex').slice(0, 16),
    );
  });

  it('does not depend on the order of keys', () => {
    const { metadata, spec } = TEMPLATE;
    const { containers, serviceAccountName } = spec;
    expect(podTemplateHash({ spec: { containers, serviceAccountName }, metadata })).toBe(
      podTemplateHash(TEMPLATE),
    );
  });

  it('changes with every change of a leaf, a key or the order of a list', () => {
    const text = JSON.stringify(TEMPLATE);
    const changes: [string, string][] = [
      ['"app":"a"', '"app":"b"'],
      ['"app":"a"', '"app2":"a"'],
      ['"note":"n"', '"note":""'],
      ['web-gari', 'shop-gari'],
      ['"i:1"', '"i:2"'],
      ['["a","b"]', '["b","a"]'],
      ['["a","b"]', '["a"]'],
      ['["a","b"]', '["a,b"]'],
      ['8000', '8001'],
      ['8000', '"8000"'],
      ['false', 'true'],
      [',"tty":false', ''],
      ['"metadata":{', '"metadata":{"generation":1,'],
    ];
    const hashes = changes.map(([from, to]) => {
      expect(text).toContain(from);
      return podTemplateHash(JSON.parse(text.replace(from, to)));
    });
    expect(new Set([podTemplateHash(TEMPLATE), ...hashes]).size).toBe(changes.length + 1);
  });
});
