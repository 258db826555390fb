import { describe, expect, it } from 'vitest';
import { Burst } from './burst.ts';

/** The times of writes when somebody asks every `everyMs` until `untilMs`. */
function writesOf(everyMs: number, untilMs: number): readonly number[] {
  const burst = new Burst();
  const writes: number[] = [];
  let lookAt: number | undefined;
  for (let now = 0; now <= untilMs + 20_000; now += 10) {
    if (now <= untilMs && now % everyMs === 0) {
      const inMs = burst.request(now);
      lookAt ??= now + inMs;
    }
    if (lookAt === undefined || now < lookAt) continue;
    const wait = burst.waitMs(now);
    lookAt = wait === undefined ? undefined : now + wait;
    if (wait !== undefined) continue;
    writes.push(now);
    burst.wrote(now);
  }
  return writes;
}

describe('a burst', () => {
  it('is one write at once for one change', () => {
    expect(writesOf(1_000_000, 0)).toEqual([0]);
  });

  it('is a write each for changes far apart', () => {
    expect(writesOf(20_000, 60_000)).toEqual([0, 20_000, 40_000, 60_000]);
  });

  it('is few writes for many changes, the last soon after them', () => {
    const writes = writesOf(10, 60_000);
    expect(writes.length).toBeLessThanOrEqual(14);
    expect(writes[0]).toBe(0);
    const last = writes.at(-1) ?? 0;
    expect(last).toBeGreaterThanOrEqual(60_000);
    expect(last).toBeLessThanOrEqual(60_600);
  });
});
