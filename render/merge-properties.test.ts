import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';
import { itemKey, merge } from './merge.ts';
import { KEY_DEFAULTS, type LayeredKind, MERGE_SCHEMAS, type MergeSchema } from './merge-schema.ts';
import { type RemovalPath, touches, without } from './removal.ts';

const RUNS = {
  numRuns: Number(process.env.GARI_TEST_RUNS ?? 500),
  seed: Number(process.env.GARI_TEST_SEED ?? 1),
};

/** Bodies that merge by this schema, with fields that it says nothing about. */
function bodies(schema: MergeSchema): fc.Arbitrary<Json> {
  const { atomic, keys, fields = {}, union } = schema;
  if (atomic) return fc.dictionary(fc.constantFrom('a', 'b'), fc.nat(3), { minKeys: 1, maxKeys: 2 });
  // One member of a union: that another one takes its place is for merge.test.ts to see.
  const isMember = (name: string) =>
    union !== undefined && (union.only?.includes(name) ?? name !== union.allBut);
  const known = Object.entries(fields).filter(([name]) => !isMember(name));
  const free =
    union?.allBut === undefined
      ? { args: fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }), x: fc.nat(3) }
      : {};
  const member = union === undefined ? {} : { [union.only?.[0] ?? 'emptyDir']: fc.nat(3) };
  const body = fc.record(
    { ...Object.fromEntries(known.map(([name, below]) => [name, bodies(below)])), ...free, ...member },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;
  if (keys === undefined) return body;
  const key = (name: string) =>
    fc.constantFrom<Json>(...(name in KEY_DEFAULTS ? ['TCP', 'UDP'] : ['a', 'b', 'c']));
  const optional = keys.filter((name) => name in KEY_DEFAULTS);
  const identity = fc.record(Object.fromEntries(keys.map((name) => [name, key(name)])), {
    requiredKeys: keys.filter((name) => !optional.includes(name)),
  }) as fc.Arbitrary<JsonObject>;
  const item = fc.tuple(body, identity).map(([value, named]) => ({ ...value, ...named }));
  return fc.uniqueArray(item, { selector: (one) => itemKey(one, keys), minLength: 1, maxLength: 3 });
}

const pair = fc.constantFrom(...(Object.keys(MERGE_SCHEMAS) as LayeredKind[])).chain((kind) => {
  const schema: MergeSchema = MERGE_SCHEMAS[kind];
  const body = bodies(schema) as fc.Arbitrary<JsonObject>;
  return fc.record({ schema: fc.constant(schema), base: body, overlay: body });
});
const laid = (base: JsonObject, overlay: JsonObject, schema: MergeSchema) =>
  merge(base, overlay, schema, () => undefined);

/** What does not merge any further, by where it is; items of associative lists by their keys. */
function leaves(value: Json, { keys, fields = {}, atomic }: MergeSchema, path: RemovalPath = []): Leaves {
  if (!atomic && isJsonList(value) && keys !== undefined) {
    return new Map(
      value.filter(isJsonObject).flatMap((item) => {
        const named = Object.fromEntries(keys.map((key) => [key, String(item[key] ?? KEY_DEFAULTS[key])]));
        return [...leaves({ ...item, ...named }, { fields }, [...path, named])];
      }),
    );
  }
  if (!atomic && isJsonObject(value)) {
    return new Map(
      Object.entries(value).flatMap(([key, below]) => [...leaves(below, fields[key] ?? {}, [...path, key])]),
    );
  }
  return new Map([[JSON.stringify(path), value]]);
}
type Leaves = ReadonlyMap<string, Json>;

describe('merging', () => {
  it('loses nothing of either: what both say is what the overlay says', () => {
    fc.assert(
      fc.property(pair, ({ schema, base, overlay }) => {
        const expected = new Map([...leaves(base, schema), ...leaves(overlay, schema)]);
        const merged = leaves(laid(base, overlay, schema), schema);
        expect(Object.fromEntries(merged)).toEqual(Object.fromEntries(expected));
      }),
      RUNS,
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(pair, ({ schema, base, overlay }) => {
        const once = laid(base, overlay, schema);
        expect(laid(once, overlay, schema)).toEqual(once);
      }),
      RUNS,
    );
  });

  it('changes neither, and shares nothing that it changes', () => {
    fc.assert(
      fc.property(pair, ({ schema, base, overlay }) => {
        const before = JSON.stringify([base, overlay]);
        laid(laid(base, overlay, schema), base, schema);
        expect(JSON.stringify([base, overlay])).toBe(before);
      }),
      RUNS,
    );
  });

  it('keeps what nobody removed: a removal takes its own path, and that once', () => {
    fc.assert(
      fc.property(pair, fc.nat(), ({ schema, base }, index) => {
        const whole = laid({}, base, schema);
        const all = leaves(whole, schema);
        fc.pre(all.size > 0);
        const place = [...all.keys()][index % all.size]!;
        const path = JSON.parse(place) as RemovalPath;
        // An item without its key is another one.
        const last = path.at(-2);
        fc.pre(!(typeof last === 'object' && String(path.at(-1)) in last));
        expect(touches(whole, path)).toBe(true);
        const left = without(whole, path)!;
        const others = [...all].filter(([each]) => each !== place);
        expect(Object.fromEntries(leaves(left, schema))).toEqual(Object.fromEntries(others));
        expect(without(left, path)).toBeUndefined();
      }),
      RUNS,
    );
  });
});
