import { describe, expect, it } from 'vitest';
import type { LabelSelectorRequirement } from './gateway-api.ts';
import { matchSelector } from './label-selector.ts';

const where = (...matchExpressions: LabelSelectorRequirement[]) => ({ matchExpressions });
const known = { team: 'a' };

describe('matchSelector', () => {
  it.each([
    [{ matchLabels: { team: 'a' } }, true],
    [{ matchLabels: { team: 'b' } }, false],
    [{ matchLabels: { tier: 'x' } }, false],
    [where({ key: 'team', operator: 'In', values: ['b', 'a'] }), true],
    [where({ key: 'team', operator: 'NotIn', values: ['a'] }), false],
    [where({ key: 'tier', operator: 'NotIn', values: ['a'] }), true],
    [where({ key: 'team', operator: 'Exists' }), true],
    [where({ key: 'tier', operator: 'Exists' }), false],
    [where({ key: 'team', operator: 'DoesNotExist' }), false],
    [where({ key: 'tier', operator: 'DoesNotExist' }), true],
    [where({ key: 'team', operator: 'Exists' }, { key: 'tier', operator: 'Exists' }), false],
    [where({ key: 'team', operator: 'In', values: ['b'] }), false],
    [where({ key: 'tier', operator: 'In', values: ['a'] }), false],
    [where({ key: 'team', operator: 'In' }), false],
    [where({ key: 'team', operator: 'NotIn', values: ['b'] }), true],
    [{ matchLabels: { team: 'a' }, ...where({ key: 'tier', operator: 'DoesNotExist' }) }, true],
    [{ matchLabels: { team: 'b' }, ...where({ key: 'team', operator: 'Exists' }) }, false],
    // What nobody knows selects nothing.
    [where({ key: 'team', operator: 'Matches', values: ['a'] }), false],
    // As everywhere in Kubernetes: an empty selector selects everything.
    [{}, true],
    [{ matchLabels: {}, matchExpressions: [] }, true],
    // No label, though every JavaScript object has it.
    [where({ key: 'constructor', operator: 'Exists' }), false],
    [where({ key: 'toString', operator: 'DoesNotExist' }), true],
  ])('%j with all labels known: %s', (selector, expected) => {
    expect(matchSelector(selector, known, true)).toBe(expected);
  });

  it.each([
    [{ matchLabels: { team: 'a' } }, true],
    [{ matchLabels: { team: 'a', tier: 'x' } }, 'unknown'],
    // One that is surely not met decides, whatever the others.
    [{ matchLabels: { team: 'b', tier: 'x' } }, false],
    [where({ key: 'tier', operator: 'DoesNotExist' }), 'unknown'],
    [where({ key: 'tier', operator: 'Exists' }), 'unknown'],
    [where({ key: 'tier', operator: 'In', values: ['x'] }), 'unknown'],
    [where({ key: 'tier', operator: 'NotIn', values: ['x'] }), 'unknown'],
    [where({ key: 'constructor', operator: 'Exists' }), 'unknown'],
    // What is known decides as if all were known.
    [where({ key: 'team', operator: 'Exists' }), true],
    [where({ key: 'team', operator: 'NotIn', values: ['a'] }), false],
    [where({ key: 'tier', operator: 'Exists' }, { key: 'team', operator: 'DoesNotExist' }), false],
    [{}, true],
  ])('%j with some labels known: %s', (selector, expected) => {
    expect(matchSelector(selector, known, false)).toBe(expected);
  });
});
