import type { JsonObject } from '../../json.ts';

/** An object and what the API server says about it when it is created. */
export interface ValidationCase {
  /** Unique; says what is special about the object. */
  readonly name: string;
  readonly kind: string;
  readonly object: JsonObject;
  readonly expected: 'accepted' | 'refused';
  /** What the case is about, such as `spec.listeners[].port maximum 65535`. */
  readonly constraint: string;
  /** Fields that the server reports as unknown. */
  readonly unknown?: readonly string[];
}
