// Merging against the judge: server-side apply of two bodies by two managers, and of less by the one that set it.
import { expect, it } from 'vitest';
import type { Client } from '../test/cluster/client.ts';
import { describeCluster, ownCluster } from '../test/cluster/vitest.ts';
import { mergeJudge } from '../test/merge-judge.ts';
import {
  bodyGenerator,
  type MergedPlace,
  type MergeType,
  mergedPlaces,
  type OpenApiSchema,
  type OpenApiSchemas,
  type Random,
} from '../test/openapi-bodies.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';
import { itemKey, merge } from './merge.ts';
import { KEY_DEFAULTS, MERGE_SCHEMAS, type MergeSchema } from './merge-schema.ts';
import { normalize } from './normalize.ts';
import { type RemovalPath, without } from './removal.ts';

const KINDS = {
  ServiceAccount: ['v1', 'io.k8s.api.core.v1.ServiceAccount'],
  Deployment: ['apps/v1', 'io.k8s.api.apps.v1.Deployment'],
  Service: ['v1', 'io.k8s.api.core.v1.Service'],
} as const;
type Kind = keyof typeof KINDS;

// No parameters may set these, the server gives addresses, and `ephemeralContainers` is of live pods only. What is
// below init containers has the schema of what is below containers.
const LEFT_OUT =
  /^status|managedFields|ownerReferences|finalizers|^spec\.selector|clusterIPs|ephemeralContainers|initContainers\.\[\]/;
const SEED = Number(process.env.GARI_TEST_SEED ?? 1);
const TYPES: readonly MergeType[] = ['map list', 'atomic list', 'granular map', 'atomic map'];
const SAMPLES = 200;
const MOST_TRIES = 4000;

describeCluster('server-side apply', [], () => {
  it('merges, and removes, as we do', async () => {
    // Without controllers nobody else writes.
    const { client } = await ownCluster({ parts: [] });
    const schemas = await servedSchemas(client);
    const places = placesOf(schemas);
    // The only sets that are not part of something atomic are finalizers, which no parameters may set.
    expect(new Set(places.map(({ type }) => type))).toEqual(new Set(TYPES));
    await Promise.all(
      TYPES.map((type) =>
        compare(
          client,
          schemas,
          places.filter((place) => place.type === type),
        ),
      ),
    );
  }, 600_000);
});

/** Compares two hundred merges, and a removal after each, of lists and maps of one type. */
async function compare(client: Client, schemas: OpenApiSchemas, places: readonly Place[]): Promise<void> {
  const random = randomNumbers(SEED);
  const generate = bodyGenerator(schemas, random);
  const name = places[0]!.type.replace(' ', '-');
  const seen = new Set<Place>();
  let [samples, removed] = [0, 0];
  for (let tries = 0; samples < SAMPLES && tries < MOST_TRIES; tries += 1) {
    const place = places[tries % places.length]!;
    const { kind, root, path } = place;
    const schema = MERGE_SCHEMAS[kind];
    const judge = mergeJudge(client, KINDS[kind][0], kind, name);
    const base = await judge.acceptable(generate(root, place));
    const overlay = await judge.acceptable(generate(root, place));
    if (base === undefined || overlay === undefined) continue;
    if (!isThere(base, path) || !isThere(overlay, path)) continue;
    await judge.withLower(base, async (lower) => {
      const merged = await judge.afterUpper(overlay);
      // Two members of a union, say, or two ports of one name.
      if (merged === undefined) return;
      samples += 1;
      seen.add(place);
      expect(comparable(merged, schema), JSON.stringify([lower, overlay])).toEqual(
        comparable(
          merge(lower, overlay, schema, () => undefined),
          schema,
        ),
      );
      const paths = removals(lower, schema).filter((each) => each.join('.') !== 'spec.type');
      const removal = paths[random(paths.length)]!;
      const less = normalize(without(lower, removal)!);
      const left = await judge.afterLower(less);
      // Something may be needed.
      if (left === undefined) return;
      removed += 1;
      expect(comparable(left, schema), JSON.stringify([lower, removal])).toEqual(comparable(less, schema));
    });
  }
  expect(samples).toBe(SAMPLES);
  expect(removed).toBeGreaterThan(SAMPLES / 3);
  // The server wants more of the others than is generated.
  expect(seen.size / places.length).toBeGreaterThan(0.6);
}

interface Place extends MergedPlace {
  readonly kind: Kind;
  readonly root: OpenApiSchema;
}

function placesOf(schemas: OpenApiSchemas): readonly Place[] {
  return Object.entries(KINDS).flatMap(([kind, [, name]]) => {
    const root = { $ref: `#/components/schemas/${name}` };
    return mergedPlaces(root, schemas)
      .filter(({ path }) => !LEFT_OUT.test(path.join('.')))
      .map((place) => ({ ...place, kind: kind as Kind, root }));
  });
}

async function servedSchemas(client: Client): Promise<OpenApiSchemas> {
  const documents = await Promise.all(
    ['api/v1', 'apis/apps/v1'].map((group) =>
      client.get<{ components: { schemas: OpenApiSchemas } }>(`/openapi/v3/${group}`),
    ),
  );
  const schemas: OpenApiSchemas = Object.assign({}, ...documents.map(({ components }) => components.schemas));
  const reference = schemas['io.k8s.api.core.v1.ObjectReference']!;
  const service = schemas['io.k8s.api.core.v1.ServiceSpec']!;
  return {
    ...schemas,
    // Of the references in a ServiceAccount's `secrets` the server keeps the name alone.
    'io.k8s.api.core.v1.ObjectReference': {
      ...reference,
      properties: { name: reference.properties!.name! },
    },
    // With another type it throws away what was said of this one.
    'io.k8s.api.core.v1.ServiceSpec': {
      ...service,
      properties: { ...service.properties, type: { enum: ['LoadBalancer'] } },
    },
  };
}

function randomNumbers(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function isThere(value: Json | undefined, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined;
  if (step === '[]') return isJsonList(value) && value.some((item) => isThere(item, rest));
  return isJsonObject(value) && isThere(value[step], rest);
}

/** What both judges must agree on: without what names the object, and whatever the order of keyed lists. */
function comparable({ apiVersion: _, kind: __, ...body }: JsonObject, schema: MergeSchema): Json {
  const metadata = isJsonObject(body.metadata) ? body.metadata : {};
  const { name: ___, ...rest } = metadata;
  return sorted(normalize({ ...body, metadata: rest }), schema);
}

function sorted(value: Json, { keys, fields = {} }: MergeSchema): Json {
  if (isJsonList(value) && keys !== undefined) {
    const key = (item: Json) => itemKey(item as JsonObject, keys);
    return value.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)).map((item) => sorted(item, { fields }));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, below]) => [key, sorted(below, fields[key] ?? {})]),
  );
}

/** Paths to what can be removed: each field and each item that merges on its own. */
function removals(value: Json, schema: MergeSchema, path: RemovalPath = []): readonly RemovalPath[] {
  const { keys, fields = {}, atomic } = schema;
  const own = path.length === 0 ? [] : [path];
  if (atomic) return own;
  if (isJsonList(value) && keys !== undefined) {
    const below = value.filter(isJsonObject).flatMap((item) => {
      const identity = Object.fromEntries(keys.map((key) => [key, String(item[key] ?? KEY_DEFAULTS[key])]));
      const others = Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)));
      return removals(others, { fields }, [...path, identity]);
    });
    return [...own, ...below];
  }
  if (!isJsonObject(value)) return own;
  const below = Object.entries(value).flatMap(([key, child]) =>
    removals(child, fields[key] ?? {}, [...path, key]),
  );
  return [...own, ...below];
}
