import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';

test('returns the first value that is one', async () => {
  const values = [undefined, false, 0] as const;
  let calls = 0;
  expect(await eventually('a value', () => values[calls++], { intervalMs: 1 })).toBe(0);
  expect(calls).toBe(3);
});

test('says what was waited for, and the last failure', async () => {
  const never = eventually('the thing', () => Promise.reject(new Error('not here')), {
    timeoutMs: 5,
    intervalMs: 1,
  });
  await expect(never).rejects.toThrow('the thing: not within 0.005 s; last: not here');
});

test('ends in time although a try hangs', async () => {
  const never = eventually('the thing', () => new Promise<undefined>(() => {}), {
    timeoutMs: 20,
    intervalMs: 1,
  });
  await expect(never).rejects.toThrow(/the thing: not within 0.02 s; last: no answer within/);
});

test('gives up when there is no hope', async () => {
  await expect(eventually('the thing', () => undefined, { giveUp: () => 'it is gone' })).rejects.toThrow(
    'the thing: it is gone',
  );
});
