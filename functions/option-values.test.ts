import { describe, expect, it } from 'vitest';
import {
  BINDING_NAME,
  CLASS_NAME,
  CONTROLLER_NAME,
  follows,
  IMAGE,
  NAMESPACE,
  type TextRule,
} from './option-values.ts';

const HASH = '4f9a2c1e5d6b7a8900112233445566778899aabbccddeeff0011223344556677';

it.each<[string, TextRule, string[], string[]]>([
  [
    'a namespace',
    NAMESPACE,
    ['default', 'a', '0', 'team-a', 'a'.repeat(63)],
    ['', 'A', 'a.b', '-a', 'a-', 'a/b', '..', 'a'.repeat(64), 'a\n'],
  ],
  [
    'a class',
    CLASS_NAME,
    ['gari', 'a.b-c.d'],
    ['', 'a..b', '.', 'A', 'a b', 'a/b', `${'a'.repeat(63)}.`.repeat(4), 'a,'],
  ],
  [
    'a controller',
    CONTROLLER_NAME,
    ['gari.dev/gateway-controller', 'a/B_~'],
    ['', 'gari', '/a', 'a/', 'A/b', 'a/b c', `a/${'b'.repeat(252)}`],
  ],
  [
    'a binding',
    BINDING_NAME,
    ['gari-dataplane', 'system:gari', 'A_b.c'],
    ['', '.', '..', '../x', 'a/b', '/etc/x', 'a%2Fb', 'a b', '-a', 'a\u0000', 'a'.repeat(201), 'a\\b'],
  ],
  [
    'an image',
    IMAGE,
    [
      'gari-dataplane:v0.1.0',
      'nginx',
      'a/b/c',
      'registry.example.com:5000/edge/proxy:v1',
      `registry.example.com/proxy@sha256:${HASH}`,
      `proxy:v1@sha256:${HASH}`,
      'localhost/a__b-c.d',
      '[fd00::1]:5000/proxy',
      'Registry.Example.com/proxy',
    ],
    ['', ' a', 'a ', 'a b', 'A', 'a:', 'a@sha256:12', '../x', 'a//b', '/a', 'https://a/b', 'a:v1:v2', 'a\n'],
  ],
])('%s', (_, rule, good, bad) => {
  expect(good.filter((text) => !follows(text, rule))).toEqual([]);
  expect(bad.filter((text) => follows(text, rule))).toEqual([]);
});

describe('a rule', () => {
  it.each(Object.entries({ BINDING_NAME, CLASS_NAME, CONTROLLER_NAME, IMAGE, NAMESPACE }))(
    '%s takes no time, however long the text',
    (_, rule) => {
      const start = performance.now();
      for (const part of ['a', 'a.', 'a-', 'a_', '-', 'a/', ':']) follows(`${part.repeat(50_000)}!`, rule);
      expect(performance.now() - start).toBeLessThan(2_000);
    },
  );
});
