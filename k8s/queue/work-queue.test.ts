import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RunAgain, WorkQueue } from './work-queue.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Fake timers count a millisecond for each setImmediate. */
const roughly = (ms: number) => Math.round(ms / 10) * 10;

/** Waits until all that can happen without time passing has happened. */
const settle = () => vi.advanceTimersByTimeAsync(5);

describe('WorkQueue', () => {
  it('loses no key, never runs one twice at a time, and not more than it may', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const ms = fc.integer({ min: 0, max: 40 });
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), key }),
      fc.record({ do: fc.constant('addAfter' as const), key, ms }),
      fc.record({ do: fc.constant('pass' as const), ms }),
      fc.record({ do: fc.constant('forget' as const), key }),
    );
    const outcome = fc.record({
      ms,
      ends: fc.constantFrom('well', 'well', 'badly', 'again'),
      addsItself: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(step, { maxLength: 40 }),
        fc.array(outcome, { maxLength: 40 }),
        async (concurrency, steps, outcomes) => {
          const end = new AbortController();
          let order = 0;
          const lastAdded = new Map<string, number>();
          const lastStarted = new Map<string, number>();
          const running = new Set<string>();
          const counts = { added: 0, started: 0, finished: 0 };
          const add = (each: string) => {
            lastAdded.set(each, ++order);
            queue.add(each);
          };
          const queue = new WorkQueue({
            concurrency,
            observer: {
              added: () => counts.added++,
              started: () => counts.started++,
              finished: () => counts.finished++,
              retried: () => undefined,
            },
            handle: async (each): Promise<RunAgain | undefined> => {
              expect(running.has(each)).toBe(false);
              running.add(each);
              expect(running.size).toBeLessThanOrEqual(concurrency);
              lastStarted.set(each, ++order);
              const { ms: duration = 0, ends = 'well', addsItself = false } = outcomes.pop() ?? {};
              if (addsItself) add(each);
              await sleep(duration);
              running.delete(each);
              if (ends !== 'well') lastAdded.set(each, ++order);
              if (ends === 'badly') throw new Error('no');
              return ends === 'again' ? { requeueAfterMs: duration } : undefined;
            },
          });
          const ended = queue.run(end.signal);
          for (const each of steps) {
            if (each.do === 'add') add(each.key);
            else if (each.do === 'forget') queue.forget(each.key);
            else if (each.do === 'pass') await vi.advanceTimersByTimeAsync(each.ms);
            else {
              lastAdded.set(each.key, ++order);
              queue.addAfter(each.key, each.ms);
            }
          }
          await vi.runAllTimersAsync();
          for (const [each, added] of lastAdded) expect(lastStarted.get(each)).toBeGreaterThan(added);
          expect(queue.length).toBe(0);
          expect(counts).toEqual({ added: counts.added, started: counts.added, finished: counts.added });
          end.abort();
          await ended;
          expect(vi.getTimerCount()).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('runs a key once that was added often, in the order of the first time', async () => {
    const { runs, queue, end } = start({ concurrency: 1 });
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(queue.length).toBe(3);
    await settle();
    expect(runs.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    await end();
  });

  it('runs a key after a growing wait as long as it fails, without end, and from the start after a success', async () => {
    let failing = true;
    const { runs, queue, end } = start({
      firstRetryMs: 100,
      longestRetryMs: 2_000,
      handle: async () => {
        if (failing) throw new Error('no');
        return undefined;
      },
    });
    queue.add('a');
    await vi.advanceTimersByTimeAsync(9_500);
    const waits = () => runs.slice(1).map(({ at }, index) => roughly(at - runs[index]!.at));
    expect(waits()).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
    failing = false;
    await vi.advanceTimersByTimeAsync(2_000);
    failing = true;
    queue.add('a');
    await vi.advanceTimersByTimeAsync(400);
    expect(waits().slice(-2)).toEqual([100, 200]);
    await end();
  });

  it('is not kept from other keys by one that fails', async () => {
    const { runs, queue, end } = start({
      handle: async (key) => {
        if (key === 'bad') throw new Error('no');
        return undefined;
      },
    });
    queue.add('bad');
    await vi.advanceTimersByTimeAsync(1_000);
    queue.add('good');
    await settle();
    expect(runs.at(-1)?.key).toBe('good');
    await end();
  });

  it('runs a key at the earliest of several times, and once', async () => {
    const { runs, queue, end } = start();
    queue.addAfter('a', 100);
    queue.addAfter('a', 30);
    queue.addAfter('a', 50);
    await vi.advanceTimersByTimeAsync(200);
    expect(runs.map(({ at }) => roughly(at - runs.begin))).toEqual([30]);
    await end();
  });

  it('runs a key again when its work says so', async () => {
    const { runs, queue, end } = start({ handle: async () => ({ requeueAfterMs: 1_000 }) });
    queue.add('a');
    await vi.advanceTimersByTimeAsync(2_500);
    expect(runs.map(({ at }) => roughly(at - runs.begin))).toEqual([0, 1_000, 2_000]);
    await end();
  });

  it('waits for a time that no timer can hold', async () => {
    const { runs, queue, end } = start();
    queue.addAfter('a', 2 ** 40);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toHaveLength(0);
    await end();
  });

  it('starts nothing before it runs, and nothing after it has ended', async () => {
    const runs: string[] = [];
    const queue = new WorkQueue({
      concurrency: 1,
      handle: async (key) => {
        runs.push(key);
        await sleep(10);
        return { requeueAfterMs: 1 };
      },
    });
    queue.add('a');
    queue.add('b');
    await settle();
    expect(runs).toEqual([]);
    const end = new AbortController();
    const ended = queue.run(end.signal);
    await settle();
    end.abort();
    await vi.runAllTimersAsync();
    await ended;
    queue.add('c');
    queue.addAfter('d', 5);
    await vi.runAllTimersAsync();
    expect(runs).toEqual(['a']);
  });

  it('lets work go on when it ends, and aborts it when that takes too long', async () => {
    const end = new AbortController();
    let aborted = false;
    const queue = new WorkQueue({
      concurrency: 2,
      drainMs: 1_000,
      handle: async (key, signal) => {
        if (key === 'quick') await sleep(500);
        else await new Promise((resolve) => signal.addEventListener('abort', resolve));
        aborted = signal.aborted;
        return undefined;
      },
    });
    let hasEnded = false;
    const ended = queue.run(end.signal).then(() => {
      hasEnded = true;
    });
    queue.add('quick');
    queue.add('slow');
    await settle();
    end.abort();
    await vi.advanceTimersByTimeAsync(500);
    expect([hasEnded, aborted]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(500);
    await ended;
    expect(aborted).toBe(true);
  });
});

interface Run {
  readonly key: string;
  readonly at: number;
}

function start(options: Partial<ConstructorParameters<typeof WorkQueue>[0]> = {}) {
  const runs = Object.assign([] as Run[], { begin: performance.now() });
  const abort = new AbortController();
  const queue = new WorkQueue({
    concurrency: 4,
    ...options,
    handle: async (key, signal) => {
      runs.push({ key, at: performance.now() });
      return options.handle?.(key, signal);
    },
  });
  const ended = queue.run(abort.signal);
  const end = async () => {
    abort.abort();
    await ended;
  };
  return { runs, queue, end };
}
