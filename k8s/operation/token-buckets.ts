/** How much is allowed for a key at once, and how long each further one takes to be allowed. */
export interface BucketLimits {
  readonly most: number;
  readonly refillMs: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** A limit of the rate for each key. Keys that have been quiet for long enough are forgotten. */
export class TokenBuckets {
  readonly #limits: BucketLimits;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limits: BucketLimits) {
    this.#limits = limits;
  }

  /** Whether one more is allowed for this key at this time (ms, monotonic). */
  take(key: string, now = performance.now()): boolean {
    const { most, refillMs } = this.#limits;
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: most, at: now };
    const left = Math.min(most, tokens + (now - at) / refillMs);
    if (left < 1) return false;
    // Written again at the end, so that the first ones are those that have been quiet the longest.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: left - 1, at: now });
    this.#forgetFull(now);
    return true;
  }

  #forgetFull(now: number): void {
    const { most, refillMs } = this.#limits;
    for (const [key, { at }] of this.#buckets) {
      if (now - at < most * refillMs) return;
      this.#buckets.delete(key);
    }
  }
}
