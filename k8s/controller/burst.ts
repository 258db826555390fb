const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
const QUIET_MS = 250;

/**
 * When to write something that many changes ask for: the first is written at once, those that follow together.
 * The pause between two writes grows as long as changes keep coming, and ends once none comes any more. All times
 * are milliseconds of one clock that only grows.
 */
export class Burst {
  #pauseMs = 0;
  #notBefore = Number.NEGATIVE_INFINITY;
  #lastRequest = Number.NEGATIVE_INFINITY;

  /** Takes note that somebody asks. Returns in how many milliseconds to look whether it is due. */
  request(now: number): number {
    this.#lastRequest = now;
    return now < this.#notBefore ? QUIET_MS : 0;
  }

  /** Undefined if it is due now, else in how many milliseconds to look again. */
  waitMs(now: number): number | undefined {
    return now < this.#notBefore && now - this.#lastRequest < QUIET_MS ? QUIET_MS : undefined;
  }

  /** Takes note of a write. */
  wrote(now: number): void {
    const goesOn = now - this.#notBefore < LONGEST_PAUSE_MS;
    this.#pauseMs = goesOn ? Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    this.#notBefore = now + this.#pauseMs;
  }
}
