import { isJsonList } from '../../render/json.ts';

// Parts that are one object's alone fill it as well; when it is cleared, the common ones are soon back.
const MOST_PARTS = 1_000;

/**
 * Lets objects that are alike in part share that part, which saves most of their memory: what is made
 * for one Gateway differs from what is made for the next by little more than names.
 */
export class SharedParts {
  readonly #parts = new Map<string, unknown>();

  /** The same value, with every part that is known already replaced by the known one. */
  share<T>(value: T): T {
    // What is in is what comes out, part by part.
    return this.#share(value) as T;
  }

  #share(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    const known = this.#parts.get(text);
    if (known !== undefined) return known;
    const part = isJsonList(value) ? value.map((item) => this.#share(item)) : this.#shareFields(value);
    if (this.#parts.size >= MOST_PARTS) this.#parts.clear();
    this.#parts.set(text, part);
    return part;
  }

  #shareFields(value: object): object {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, this.#share(field)]));
  }
}
