import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';
import { itemKey, withoutKeys } from './merge.ts';
import { KEY_DEFAULTS, type MergeSchema } from './merge-schema.ts';

/** Steps to what is to be removed: fields, and items of associative lists by their keys. */
export type RemovalPath = readonly (string | Readonly<Record<string, string>>)[];

/** A path that cannot be followed; the message says why. */
export class RemovalPathError extends Error {
  override readonly name = 'RemovalPathError';
}

/**
 * Reads a path such as `spec.ports[port=9090,protocol=UDP].name` or `metadata.labels["example.com/a"]`.
 *
 * @throws {RemovalPathError} if it is none, or leads into a list or map that is atomic.
 */
export function parseRemovalPath(text: string, schema: MergeSchema): RemovalPath {
  const steps: (string | Readonly<Record<string, string>>)[] = [];
  let rest = text;
  let at: MergeSchema = schema;
  while (rest !== '') {
    const [whole = '', name, quoted, keys] =
      /^(?:\.?([A-Za-z_][\w-]*)|\[("(?:[^"\\]|\\.)*")\]|\[([\w-]+=[^\],=]*(?:,[\w-]+=[^\],=]*)*)\])/.exec(
        rest,
      ) ?? [];
    if (whole === '') throw new RemovalPathError(`is no path from ${JSON.stringify(rest)} on`);
    if (at.atomic === true) {
      throw new RemovalPathError(
        `leads into ${text.slice(0, -rest.length)}, which is replaced as a whole: set it anew`,
      );
    }
    if (keys === undefined) {
      const field = name ?? (JSON.parse(quoted ?? '""') as string);
      steps.push(field);
      at = at.fields?.[field] ?? {};
    } else {
      steps.push(itemKeys(keys, at, text.slice(0, -rest.length)));
      at = withoutKeys(at);
    }
    rest = rest.slice(whole.length);
  }
  return steps;
}

function itemKeys(text: string, { keys }: MergeSchema, list: string): Readonly<Record<string, string>> {
  if (keys === undefined) {
    throw new RemovalPathError(`leads into ${list}, which is no list with keys: set it anew`);
  }
  const given = Object.fromEntries(text.split(',').map((each) => each.split('=') as [string, string]));
  const complete = keys.every((key) => given[key] !== undefined || KEY_DEFAULTS[key] !== undefined);
  if (!complete || Object.keys(given).some((key) => !keys.includes(key))) {
    const form = keys.map((key) => `${key}=…`).join(',');
    throw new RemovalPathError(`must name an item of ${list} as [${form}]`);
  }
  return given;
}

/** A value without what stands at a path; undefined where nothing does. */
export function without(value: JsonObject, path: RemovalPath): JsonObject | undefined {
  return removed(value, path) as JsonObject | undefined;
}

function removed(value: Json | undefined, [step, ...rest]: RemovalPath): Json | undefined {
  if (typeof step === 'string') {
    if (!isJsonObject(value) || value[step] === undefined) return undefined;
    const { [step]: below, ...others } = value;
    if (rest.length === 0) return others;
    const changed = removed(below, rest);
    return changed === undefined ? undefined : { ...value, [step]: changed };
  }
  if (step === undefined || !isJsonList(value)) return undefined;
  const index = value.findIndex((item) => isJsonObject(item) && isItem(item, step));
  if (index < 0) return undefined;
  if (rest.length === 0) return value.toSpliced(index, 1);
  const changed = removed(value[index], rest);
  return changed === undefined ? undefined : value.toSpliced(index, 1, changed);
}

function isItem(item: JsonObject, keys: Readonly<Record<string, string>>): boolean {
  const names = Object.keys({ ...keys, ...('port' in keys || 'containerPort' in keys ? KEY_DEFAULTS : {}) });
  const asText = Object.fromEntries(Object.entries(item).map(([key, value]) => [key, String(value)]));
  return itemKey(asText, names) === itemKey(keys, names);
}

/** Whether a removal would take something of `fixed` away: what stands at the path, above or below it. */
export function touches(fixed: JsonObject, path: RemovalPath): boolean {
  let at: Json | undefined = fixed;
  for (const step of path) {
    if (typeof step === 'string') {
      if (!isJsonObject(at)) return at !== undefined;
      at = at[step];
    } else {
      if (!isJsonList(at)) return at !== undefined;
      at = at.filter(isJsonObject).find((item) => isItem(item, step));
    }
    if (at === undefined) return false;
  }
  return true;
}
