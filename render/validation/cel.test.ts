import { expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { evaluateRules } from './cel.ts';
import { rulesFor } from './cel-rules.ts';
import type { CelRule, StructuralSchema } from './structural-schema.ts';

const schema = (rule: CelRule): StructuralSchema => ({
  type: 'object',
  properties: {
    count: { type: 'integer' },
    ratio: { type: 'number' },
    namespace: { type: 'string' },
    'a-b.c/d': { type: 'string' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
  'x-kubernetes-validations': [rule],
});

function judge(rule: CelRule | string, value: Json): string[] {
  const one = typeof rule === 'string' ? { rule } : rule;
  return evaluateRules(rulesFor(value, schema(one))).map(
    ({ reason, field, message }) => `${reason} ${field} ${message}`,
  );
}

test.each<[string, Json]>([
  ['self.count % 2 == 0', { count: 4 }],
  ['self.ratio * 2.0 == 3.0', { ratio: 1.5 }],
  ['self.ratio < 3.0', { ratio: 2 }],
  ["self.__namespace__ == 'a'", { namespace: 'a' }],
  ["self.a__dash__b__dot__c__slash__d == 'x'", { 'a-b.c/d': 'x' }],
  [
    "self.labels.all(key, key.startsWith('c')) && self.labels['constructor'] == 'x'",
    { labels: { constructor: 'x' } },
  ],
  ["'a' in self.labels", { labels: { a: 'b' } }],
  ["size(self.labels['a']) == 1", { labels: { a: '😀' } }],
  ['has(self.count) || self.ratio > 1.0', { count: 1 }],
  ['self.ratio > 1.0 || has(self.count)', { count: 1 }],
])('%s holds', (rule, value) => {
  expect(judge(rule, value)).toEqual([]);
});

test('a rule that ends in an error is broken', () => {
  expect(judge({ rule: 'self.count > 0', message: ' it counts ' }, {})).toEqual([
    'Invalid  breaks the rule "it counts"',
  ]);
});

test('a rule may give its own reason, field and message', () => {
  const rule: CelRule = {
    rule: 'self.count > 1',
    reason: 'FieldValueForbidden',
    fieldPath: '.count',
    message: 'too few',
    messageExpression: "'only ' + string(self.count)",
  };
  expect(judge(rule, { count: 1 })).toEqual(['Forbidden count breaks the rule "only 1"']);
  expect(judge({ ...rule, messageExpression: 'self.nothing' }, { count: 1 })).toEqual([
    'Forbidden count breaks the rule "too few"',
  ]);
  expect(judge('self.count > 1', { count: 1 })).toEqual([
    'Invalid  breaks the rule "failed rule: self.count > 1"',
  ]);
});

test('transition rules are left out, unless they can do without an old value', () => {
  expect(judge('self == oldSelf', { count: 1 })).toEqual([]);
  const rule = { rule: 'oldSelf.hasValue() || self.count == 1', optionalOldSelf: true };
  expect(judge(rule, { count: 1 })).toEqual([]);
  expect(judge(rule, { count: 2 })).toHaveLength(1);
});

test('a rule that the library does not know is no verdict', () => {
  expect(judge("isURL(self.namespace) && url(self.namespace).getHost() == 'a'", { namespace: 'a' })).toEqual([
    expect.stringMatching(/^NotJudged {2}has a rule that cannot be checked offline/),
  ]);
});

test('rules are found everywhere below, but not on null', () => {
  const rule: StructuralSchema = {
    nullable: true,
    'x-kubernetes-validations': [{ rule: 'false', message: 'no' }],
  };
  const nested: StructuralSchema = {
    properties: {
      list: { items: rule },
      map: { additionalProperties: rule },
      all: { allOf: [rule] },
      none: rule,
    },
  };
  const value = { list: ['x', null], map: { a: 1 }, all: 1, none: null };
  expect(evaluateRules(rulesFor(value, nested)).map(({ field }) => field)).toEqual([
    'list[0]',
    'map.a',
    'all',
  ]);
});
