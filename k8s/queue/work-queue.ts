import { setMaxListeners } from 'node:events';
import { aborted } from '../aborted.ts';

/** Is told what a work queue does. */
export interface QueueObserver {
  /** A key waits that did not before. */
  added(key: string): void;
  started(key: string): void;
  finished(key: string): void;
  /** A key is to be run again after an error. */
  retried(key: string): void;
}

/** When a key is to be run again although nothing went wrong. */
export interface RunAgain {
  readonly requeueAfterMs: number;
}

/** How a {@link WorkQueue} works. */
export interface WorkQueueOptions {
  /** How many keys are run at a time. */
  readonly concurrency: number;
  /**
   * Does the work of a key. What it throws is for it to tell; the key is run again, later each time. The
   * signal aborts when a queue that ends waits no longer.
   */
  readonly handle: (key: string, signal: AbortSignal) => Promise<RunAgain | undefined>;
  readonly observer?: QueueObserver;
  /** The wait after the first error, doubled with each further one; default 5 ms. */
  readonly firstRetryMs?: number;
  /** Default 5 minutes. */
  readonly longestRetryMs?: number;
  /** How long a queue that ends lets work go on, before it is aborted; default 20 s. */
  readonly drainMs?: number;
}

// What setTimeout can hold; more would be run at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Keys that work is to be done for, as in client-go: a key that waits is there once, however often it is
 * added; no key is run twice at a time; one that is added while it runs is run again after.
 */
export class WorkQueue {
  readonly #options: Required<Omit<WorkQueueOptions, 'observer'>> & Pick<WorkQueueOptions, 'observer'>;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  /** Added while they ran. */
  readonly #again = new Set<string>();
  readonly #timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly at: number }>();
  readonly #failures = new Map<string, number>();
  readonly #abort = new AbortController();
  #isRunning = false;
  #hasEnded = false;
  #isDue = false;
  #onIdle: (() => void) | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = { firstRetryMs: 5, longestRetryMs: 300_000, drainMs: 20_000, ...options };
    // Each request of all that runs listens; Node takes more than ten for a leak.
    setMaxListeners(0, this.#abort.signal);
  }

  /** How many keys wait. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Has a key run as soon as there is room. */
  add(key: string): void {
    const keys = this.#running.has(key) ? this.#again : this.#waiting;
    if (keys.has(key)) return;
    keys.add(key);
    this.#options.observer?.added(key);
    this.#schedule();
  }

  /** Adds a key in so many milliseconds; of several such, the earliest counts. */
  addAfter(key: string, ms: number): void {
    if (ms <= 0) {
      this.add(key);
      return;
    }
    if (this.#hasEnded) return;
    const at = performance.now() + ms;
    const planned = this.#timers.get(key);
    if (planned !== undefined && planned.at <= at) return;
    clearTimeout(planned?.timer);
    const fire = (): void => {
      this.#timers.delete(key);
      this.add(key);
    };
    this.#timers.set(key, { timer: setTimeout(fire, Math.min(ms, LONGEST_TIMER_MS)), at });
  }

  /** Forgets that a key has failed: the next error is its first. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Works until the signal aborts and what is under way then is done. */
  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#isRunning = true;
    this.#schedule();
    await aborted(signal);
    this.#isRunning = false;
    this.#hasEnded = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    if (this.#running.size === 0) return;
    const giveUp = setTimeout(() => this.#abort.abort(), this.#options.drainMs);
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    clearTimeout(giveUp);
  }

  // Not at once: whoever adds is not interrupted, and what comes in a burst is run once.
  #schedule(): void {
    if (this.#isDue || !this.#isRunning) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#start();
    });
  }

  #start(): void {
    for (const key of this.#waiting) {
      if (!this.#isRunning || this.#running.size >= this.#options.concurrency) return;
      this.#waiting.delete(key);
      this.#running.add(key);
      this.#options.observer?.started(key);
      void this.#work(key);
    }
  }

  async #work(key: string): Promise<void> {
    const { handle, observer } = this.#options;
    try {
      const again = await handle(key, this.#abort.signal);
      this.forget(key);
      if (again !== undefined) this.addAfter(key, again.requeueAfterMs);
    } catch {
      observer?.retried(key);
      this.addAfter(key, this.#backOff(key));
    }
    this.#running.delete(key);
    observer?.finished(key);
    if (this.#again.delete(key)) this.#waiting.add(key);
    this.#schedule();
    if (this.#running.size === 0) this.#onIdle?.();
  }

  #backOff(key: string): number {
    const { firstRetryMs, longestRetryMs } = this.#options;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.min(firstRetryMs * 2 ** failures, longestRetryMs);
  }
}
