/** What JSON can say: every object that gari reads or writes is plain JSON data. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Steps from an object's root to a field: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[];

/** Whether `value` is a JSON object, not a list and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `value` is a JSON list. */
export function isJsonList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * A path as people write it: `spec.listeners[0].port`,
 * `spec.infrastructure.labels["example.com/team"]`.
 */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
