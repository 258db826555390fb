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
  ])('%j with all labels known: %s', (selector, expected) => {
    expect(matchSelector(selector, known, true)).toBe(expected);
  });

  it.each([
    [{ matchLabels: { team: 'a' } }, true],
    [{ matchLabels: { team: 'a', tier: 'x' } }, 'unknown'],
    // One that is surely not met decides, whatever the others.
    [{ matchLabels: { team: 'b', tier: 'x' } }, false],
    [where({ key: 'tier', operator: 'DoesNotExist' }), 'unknown'],
  ])('%j with some labels known: %s', (selector, expected) => {
    expect(matchSelector(selector, known, false)).toBe(expected);
  });
});
