import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

it('allows some at once, and one more in each period, for each key on its own', () => {
  const buckets = new TokenBuckets({ most: 2, refillMs: 10 });
  const taken = [0, 0, 0, 9, 10, 10, 29, 40, 40, 40].map((now) => buckets.take('a', now));
  expect(taken).toEqual([true, true, false, false, true, false, true, true, true, false]);
  expect(buckets.take('b', 40)).toBe(true);
});

it('never allows more than the limit in any span of time', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(30)), { maxLength: 200 });
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 20 }),
      (all, most, refillMs) => {
        const buckets = new TokenBuckets({ most, refillMs });
        const allowed: number[] = [];
        let now = 0;
        for (const [key, wait] of all) {
          now += wait;
          if (buckets.take(key, now) && key === 'a') allowed.push(now);
        }
        for (const [first, start] of allowed.entries()) {
          for (const [more, end] of allowed.slice(first).entries()) {
            expect(more + 1).toBeLessThanOrEqual(most + (end - start) / refillMs + 1e-9);
          }
        }
      },
    ),
  );
});
