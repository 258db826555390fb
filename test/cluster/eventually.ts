import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from './text.ts';

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
      const value = await probe();
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
