import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';

// The order of fields that people expect in a manifest; the rest follows alphabetically. One list
// serves all kinds, as no two of its fields stand in different orders in two places.
const FIELD_ORDER = new Map(
  [
    'apiVersion',
    'apiGroup',
    'kind',
    'metadata',
    'roleRef',
    'subjects',
    'spec',
    'name',
    'namespace',
    'labels',
    'annotations',
    'type',
    'replicas',
    'selector',
    'template',
    'serviceAccountName',
    'image',
    'command',
    'args',
    'env',
    'path',
    'port',
    'containerPort',
    'protocol',
    'targetPort',
    'ports',
    'readinessProbe',
    'securityContext',
    'initContainers',
    'containers',
    'volumes',
  ].map((field, index) => [field, index]),
);

// Maps whose keys are the user's words, not fields.
const STRING_MAPS = new Set(['labels', 'annotations', 'matchLabels', 'nodeSelector']);

// Where an empty map says something: a volume, or whatever there is.
const MEANT_EMPTY = new Set(['emptyDir', 'labelSelector', 'namespaceSelector']);

/**
 * Puts an object into its one form: fields in a fixed order, nothing empty. Empty values make
 * server-side apply claim a field for nothing (kubernetes/kubernetes#131175); an `emptyDir: {}` or a
 * selector of everything means something.
 */
export function normalize<T extends JsonObject>(object: T): T {
  return normalizeMap(object, compareFields) as T;
}

function normalizeMap(map: JsonObject, compare: (a: string, b: string) => number): JsonObject {
  const result: Record<string, Json> = {};
  for (const key of Object.keys(map).sort(compare)) {
    const value = normalizeValue(map[key], STRING_MAPS.has(key) ? compareText : compareFields);
    if (value !== undefined) result[key] = value;
    else if (MEANT_EMPTY.has(key) && isJsonObject(map[key])) result[key] = {};
  }
  return result;
}

function normalizeValue(
  value: Json | undefined,
  compare: (a: string, b: string) => number,
): Json | undefined {
  if (value === null || value === undefined) return undefined;
  if (isJsonObject(value)) {
    const map = normalizeMap(value, compare);
    return Object.keys(map).length === 0 ? undefined : map;
  }
  if (isJsonList(value)) {
    const list = value
      .map((item) => normalizeValue(item, compareFields))
      .filter((item) => item !== undefined);
    return list.length === 0 ? undefined : list;
  }
  return value;
}

function compareFields(a: string, b: string): number {
  const [orderA, orderB] = [FIELD_ORDER.get(a) ?? Infinity, FIELD_ORDER.get(b) ?? Infinity];
  return orderA === orderB ? compareText(a, b) : orderA - orderB;
}

/** Orders text by code unit: the same on every machine, unlike `localeCompare`. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
