import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits.
 * @throws the signal's reason once it is aborted.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
