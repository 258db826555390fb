import { isJsonObject, type Json, type JsonObject, type Path } from '../../json.ts';
import type { ValidationCase } from './case.ts';
import { valueAt, withValue } from './edit.ts';

const VALUES: readonly (Json | undefined)[] = [
  undefined,
  null,
  true,
  ...[-1, 0, 1, 1.5, 80, 443, 65535, 65536, 2 ** 31, 2 ** 53, 1e30],
  ...['', ' ', 'a', 'A', 'a/b', 'a\n', '\u0000', '😀', 'a'.repeat(64), 'a'.repeat(254), '😀'.repeat(253)],
  ...['HTTP', 'HTTPS', 'TLS', 'TCP', 'UDP', 'Terminate', 'Passthrough'],
  ...['All', 'None', 'Same', 'Selector', 'Hostname', 'IPAddress', '192.0.2.1', 'example.com', '*.a'],
  ...[[], [null], ['a'], [{}]],
  ...[
    {},
    { a: 'b' },
    { name: 'x' },
    { '': '' },
    { constructor: 'x' },
    { namespaces: null },
    { mode: 'Passthrough' },
  ],
];
const KEYS = [
  'name',
  'Name',
  'port',
  'namespace',
  'tls',
  'mode',
  'status',
  'kind',
  'a.b',
  'a/b',
  'a b',
  '',
  'toString',
];

/** Objects that are one to three random changes away from accepted ones; the same for the same seed. */
export function randomObjects(cases: readonly ValidationCase[], count: number, seed: number): JsonObject[] {
  const random = randomNumbers(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const accepted = cases.filter(({ expected, object }) => expected === 'accepted' && size(object) < 5000);
  return Array.from({ length: count }, () => {
    let { object } = pick(accepted);
    for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes -= 1) {
      // The request names the kind and the namespace too: they must not differ.
      const fixed = new Set(['', 'apiVersion', 'kind', 'metadata', 'metadata.namespace']);
      const path = pick(paths(object).filter((one) => !fixed.has(one.join('.'))));
      object = withValue(object, path, change(object, path, random, pick));
    }
    return object;
  });
}

function change(
  object: JsonObject,
  path: Path,
  random: () => number,
  pick: <T>(values: readonly T[]) => T,
): Json | undefined {
  const value = valueAt(object, path);
  const choice = random();
  if (choice < 0.2 && Array.isArray(value)) return [...value, pick([...value, {}])];
  if (choice < 0.4 && isJsonObject(value)) return { ...value, [pick(KEYS)]: pick(VALUES) ?? null };
  // The value of another field.
  if (choice < 0.6) return valueAt(object, pick(paths(object)));
  return pick(VALUES);
}

function paths(value: Json | undefined, path: Path = []): Path[] {
  const steps = Array.isArray(value) ? [...value.keys()] : isJsonObject(value) ? Object.keys(value) : [];
  return [path, ...steps.flatMap((step) => paths(valueAt(value as JsonObject, [step]), [...path, step]))];
}

function size(object: JsonObject): number {
  return JSON.stringify(object).length;
}

// https://en.wikipedia.org/wiki/Linear_congruential_generator, with the constants of Numerical Recipes.
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
