import { describe, expect, test } from 'vitest';
import { isTransitionRule } from '../cel-rules.ts';
import { PINNED } from '../pinned-schemas.ts';
import { rulesOf } from '../structural-schema.ts';
import { validationCases } from './cases.ts';
import { randomObjects } from './random-cases.ts';
import { ruleConstraint } from './rule-cases.ts';

const cases = validationCases(PINNED.kinds);

describe.each(PINNED.kinds.map((kind) => [kind.kind, kind] as const))('%s', (name, kind) => {
  const own = cases.filter((one) => one.kind === name);
  const verdictsOf = (constraint: string) =>
    new Set(own.filter((one) => one.constraint === constraint).map((one) => one.expected));

  test('has an accepted and a refused object for each rule', () => {
    const rules = kind.schemas
      .flatMap(({ schema }) => rulesOf(schema))
      .filter((rule) => !isTransitionRule(rule));
    const checked = rules.filter(
      ({ rule }) => !rule.includes('self.value.matches(') || rule.includes('!has(self.value)'),
    );
    for (const { message } of checked) {
      expect(verdictsOf(ruleConstraint(message ?? '')), message).toEqual(new Set(['accepted', 'refused']));
    }
  });

  test('has an accepted and a refused object for each limit, pattern and enum', () => {
    const constraints = own
      .map((one) => one.constraint)
      .filter((one) => / (min|max|pattern|enum|list key)/.test(one));
    expect(constraints.length).toBeGreaterThan(0);
    for (const constraint of new Set(constraints)) {
      expect(verdictsOf(constraint), constraint).toEqual(new Set(['accepted', 'refused']));
    }
  });
});

test('the same seed gives the same random objects', () => {
  expect(randomObjects(cases, 20, 1)).toEqual(randomObjects(cases, 20, 1));
  expect(randomObjects(cases, 20, 1)).not.toEqual(randomObjects(cases, 20, 2));
});

test('a schema with a field that has no sample is an error', () => {
  const [kind] = PINNED.kinds;
  const [version] = kind!.schemas;
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { extra: {} } } },
  } as const;
  expect(() => validationCases([{ ...kind!, schemas: [{ ...version!, schema }] }])).toThrow(
    'has no spec.extra',
  );
});
