import { expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { evaluateRules } from './cel.ts';
import { ruleCode } from './rule-code.ts';
import { type CompiledRule, ruleRuntime } from './rule-runtime.ts';

// Each rule is judged by the library and by its translation.
test.each<[rule: string, self: Json]>([
  ['size(self.a) > 0 || size(self.b) > 0', {}],
  ['size(self.a) > 0 || size(self.b) > 0', { a: ['x'] }],
  ['size(self.a) > 0 || size(self.b) > 0', { b: ['x'] }],
  ['size(self.a) > 0 || size(self.b) > 0', { a: [] }],
  ['size(self.a) > 0 || size(self.b) > 0', { a: [], b: [] }],
  ['self.a && self.b', { a: false }],
  ['self.a && self.b', { b: false }],
  ['self.a && self.b', { a: true }],
  ['self.a && self.b', { a: true, b: true }],
  ['!self.a', { a: false }],
  ['!self.a', { a: 'x' }],
  ['self.a ? self.b : self.c', { a: true, b: true }],
  ['self.a ? self.b : self.c', { a: false, b: true }],
  ['self.a ? self.b : self.c', { b: true }],
  ['self.a == self.b', { a: 'x', b: 'x' }],
  ['self.a != self.b', { a: 'x', b: 'y' }],
  ['self.a in [1, 2]', { a: 2 }],
  ['self.a in [1, 2]', { a: 3 }],
  ['self.all(x, x.a)', [{ a: true }, {}]],
  ['self.all(x, x.a)', [{}, { a: false }]],
  ['self.all(x, x.a)', []],
  ['self.exists_one(x, x.a)', [{ a: true }, { a: false }]],
  ['self.exists_one(x, x.a)', [{ a: true }, { a: true }]],
  ['self.exists_one(x, x.a)', [{ a: true }, {}]],
  ['self.all(x, self.exists_one(y, x.a == y.a))', [{ a: 1 }, { a: 2 }]],
  ['self.all(x, self.exists_one(y, x.a == y.a))', [{ a: 1 }, { a: 1 }]],
  ["self.a.split('/')[1] == 'c'", { a: 'b/c' }],
  ["self.a.split('/')[1] == 'c'", { a: 'b' }],
  ['self.a.size() < 3', { a: '😀😀' }],
  ['size(self.a) > 2', { a: 'abc' }],
  ["self.a.matches('^[a-z]+$')", { a: 'abc' }],
  ["self.a.matches('^[a-z]+$')", { a: 'abc\n' }],
  ["self.a.matches('^[a-z]+$')", { a: 1 }],
  ['has(self.a)', {}],
  ['has(self.toString)', {}],
])('%s of %j', (rule, self) => {
  const library = evaluateRules([
    { rule: { rule }, value: self, schema: { type: 'object', properties: {} }, path: [] },
  ]);
  const source = ruleCode(rule);
  if (source === undefined) throw new Error('not translated');
  const compiled = new Function('r', `return ${source}`)(ruleRuntime) as CompiledRule;
  let holds: boolean;
  try {
    holds = compiled(self) === true;
  } catch {
    holds = false;
  }
  expect(holds).toBe(library.length === 0);
});
