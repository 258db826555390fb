import { describe, expect, it } from 'vitest';
import { DATA_PLANE_RULES } from '../structural.ts';
import { dataPlaneCases, specSchema } from './cases.ts';
import { ruleConstraint } from './rule-cases.ts';
import { schemaCases } from './schema-cases.ts';

const cases = dataPlaneCases();
const verdictsOf = (constraint: string) =>
  new Set(cases.filter((one) => one.constraint === constraint).map(({ expected }) => expected));
const both = new Set(['accepted', 'refused']);

describe('the table of DataPlanes', () => {
  it('has each case once', () => {
    const names = cases.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.length).toBeGreaterThan(3000);
  });

  it('has what is accepted and what is refused for each rule', () => {
    for (const { message } of DATA_PLANE_RULES)
      expect(verdictsOf(ruleConstraint(message)), message).toEqual(both);
  });

  it('has what is accepted and what is refused for each limit, pattern, enum and keyed list', () => {
    const limits = new Set(
      cases
        .map(({ constraint }) => constraint)
        .filter((one) => / (min\w+ \d+|max\w+ \d+|pattern|enum|list of type \w+|format int32)$/.test(one)),
    );
    expect(limits.size).toBeGreaterThan(100);
    for (const limit of limits) expect(verdictsOf(limit), limit).toEqual(both);
  });

  it('may leave out most of what is enforced, as the same schema stands above it', () => {
    const { policy: _, enforced, ...values } = specSchema().properties ?? {};
    expect(enforced?.properties).toEqual(values);
  });

  it('needs texts for a new pattern', () => {
    expect(() =>
      schemaCases({ type: 'object', properties: { a: { type: 'string', pattern: '^b$' } } }),
    ).toThrow('has no texts for ^b$');
  });
});
