import { expect, it } from 'vitest';
import { type Condition, conditionWith } from './conditions.ts';

const before: Condition = {
  type: 'Programmed',
  status: 'True',
  reason: 'Programmed',
  message: 'all is well',
  observedGeneration: 3,
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const now = '2026-02-02T00:00:00Z';
const verdict = (status: Condition['status']) => ({ status, reason: 'A', message: 'b' });

it('changes lastTransitionTime only with the status', () => {
  const when = { generation: 4, now };
  expect(conditionWith(before, 'Programmed', verdict('True'), when)).toEqual({
    type: 'Programmed',
    ...verdict('True'),
    observedGeneration: 4,
    lastTransitionTime: before.lastTransitionTime,
  });
  expect(conditionWith(before, 'Programmed', verdict('False'), when).lastTransitionTime).toBe(now);
  expect(conditionWith(undefined, 'Programmed', verdict('False'), when).lastTransitionTime).toBe(now);
});

it('leaves a condition with a newer observedGeneration as it is', () => {
  expect(conditionWith(before, 'Programmed', verdict('False'), { generation: 2, now })).toBe(before);
});

it('cuts a message that the server would refuse', () => {
  const long = { ...verdict('False'), message: 'x'.repeat(40_000) };
  expect(conditionWith(before, 'Programmed', long, { generation: 4, now }).message).toHaveLength(32_768);
});
