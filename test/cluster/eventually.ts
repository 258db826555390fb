import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from './text.ts';

/** One try may hang (a port that somebody else has taken and never answers on); the next one may not have to. */
const PROBE_LIMIT_MS = 5_000;

/** Limits of {@link eventually}. */
export interface EventuallyOptions {
  /** Default 30 s: generous, since it is only ever reached when something is broken. */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** Asked after each failed try: a text ends the waiting at once (the process has ended, say). */
  readonly giveUp?: () => string | undefined;
}

/**
 * Calls `probe` until it returns something other than `undefined` or `false`, and returns that.
 * What it throws counts as "not yet"; the last message is part of the error at the end.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  options: EventuallyOptions = {},
): Promise<T> {
  const { timeoutMs = 30_000, intervalMs = 50, giveUp } = options;
  const end = Date.now() + timeoutMs;
  let last = '';
  for (;;) {
    try {
      const value = await within(Math.min(PROBE_LIMIT_MS, Math.max(0, end - Date.now())), probe);
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = `; last: ${messageOf(error)}`;
    }
    const reason = giveUp?.();
    if (reason !== undefined) throw new Error(`${what}: ${reason}`);
    if (Date.now() >= end) throw new Error(`${what}: not within ${timeoutMs / 1000} s${last}`);
    await delay(intervalMs);
  }
}

async function within<T>(limitMs: number, probe: () => Promise<T> | T): Promise<T> {
  const abandon = new AbortController();
  const limit = delay(limitMs, undefined, { signal: abandon.signal }).then(() => {
    throw new Error(`no answer within ${limitMs / 1000} s`);
  });
  // Whichever loses the race has nobody left to tell.
  limit.catch(() => {});
  try {
    return await Promise.race([probe(), limit]);
  } finally {
    abandon.abort();
  }
}
