import { isJsonObject, type Json, type JsonObject, type Path } from '../../json.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { makeCase, type ValidationCase, type Verdict } from './case.ts';
import { valueAt, withValue } from './edit.ts';
import { FULL_OBJECTS } from './full-objects.ts';
import { samplesOf } from './samples.ts';

/** One change of the value at a path; a missing value removes the field. */
interface Change {
  readonly constraint: string;
  readonly what: string;
  readonly value?: Json;
  readonly expected: Verdict;
  readonly unknown?: readonly string[];
}

// Where another field decides what a field may hold, the object is changed first.
const CONTEXTS: Readonly<Record<string, Readonly<Record<string, Json | undefined>>>> = {
  'spec.addresses[].value': { type: 'example.com/pool' },
  'spec.listeners[].protocol': { tls: undefined, hostname: undefined },
  'spec.listeners[].tls.mode': { '../protocol': 'TLS' },
};

/** Cases for every constraint of a kind's schema, made from its full object by one change each. */
export function schemaCases(kind: string, schema: StructuralSchema): ValidationCase[] {
  const full = FULL_OBJECTS[kind];
  if (full === undefined) throw new Error(`render/validation/cases/full-objects.ts has no ${kind}`);
  const whole = makeCase(kind, 'every field', 'set', full, 'accepted');
  const { spec } = schema.properties ?? {};
  if (spec === undefined) throw new Error(`${kind} has no spec`);
  const required = schema.required?.includes('spec') === true;
  return [whole, ...casesAt(kind, full, ['spec'], spec, required)];
}

function casesAt(
  kind: string,
  full: JsonObject,
  path: Path,
  schema: StructuralSchema,
  required: boolean,
): ValidationCase[] {
  const value = valueAt(full, path);
  if (value === undefined) throw new Error(`the full ${kind} has no ${generic(path)}`);
  const context = applyContext(full, path);
  const own = changes(path, value, schema, required).map(
    ({ constraint, what, value: changed, expected, unknown }) =>
      makeCase(
        kind,
        `${generic(path)} ${constraint}`,
        what,
        withValue(context, path, changed),
        expected,
        unknown,
      ),
  );
  const properties = Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    casesAt(kind, full, [...path, key], property, schema.required?.includes(key) === true),
  );
  const items = schema.items === undefined ? [] : casesAt(kind, full, [...path, 0], schema.items, false);
  const others = schema.additionalProperties;
  const entry = isJsonObject(value) ? Object.keys(value)[0] : undefined;
  const values =
    typeof others === 'object' && entry !== undefined
      ? casesAt(kind, full, [...path, entry], others, false)
      : [];
  return [...own, ...properties, ...items, ...values];
}

function changes(path: Path, value: Json, schema: StructuralSchema, required: boolean): Change[] {
  const isItem = typeof path.at(-1) === 'number';
  const missing: Verdict = required && schema.default === undefined ? 'refused' : 'accepted';
  return [
    ...(isItem
      ? [change('type', 'null', 'refused', null)]
      : [
          { constraint: required ? 'required' : 'optional', what: 'absent', expected: missing },
          change(required ? 'required' : 'optional', 'null', missing, null),
        ]),
    ...wrongTypes(path, schema),
    ...(schema.properties === undefined || !isJsonObject(value)
      ? []
      : [
          {
            ...change('unknown field', 'with an unknown field', 'accepted', {
              ...value,
              notAField: { a: [1] },
            }),
            unknown: [`${concrete(path)}.notAField`],
          },
        ]),
    ...(schema.enum ?? []).map((one) => change('enum', JSON.stringify(one), 'accepted', one)),
    ...(schema.enum === undefined
      ? []
      : [change('enum', '"Other"', 'refused', 'Other'), change('enum', '""', 'refused', '')]),
    ...textChanges(schema),
    ...numberChanges(schema),
    ...sizeChanges(value, schema),
  ];
}

function change(constraint: string, what: string, expected: Verdict, value: Json): Change {
  return { constraint, what, expected, value };
}

const WRONG: Readonly<Record<string, readonly Json[]>> = {
  array: [{}, 'text', 1],
  integer: ['80', 80.5, true, []],
  object: ['text', [], 1],
  string: [1, true, ['text'], { a: 'b' }],
};

function wrongTypes(path: Path, schema: StructuralSchema): Change[] {
  return (WRONG[schema.type ?? ''] ?? []).map((value) => ({
    ...change('type', JSON.stringify(value), 'refused', value),
    // The server looks for unknown fields before it looks at types.
    ...(isJsonObject(value) && 'a' in value ? { unknown: [`${concrete(path)}.a`] } : {}),
  }));
}

function textChanges(schema: StructuralSchema): Change[] {
  const { pattern, minLength, maxLength } = schema;
  const samples = samplesOf(pattern);
  const isShown = (text: string) => text.length >= (minLength ?? 0);
  return [
    ...samples.accepted
      .filter(isShown)
      .map((text) => change('pattern', JSON.stringify(text), 'accepted', text)),
    ...samples.refused
      .filter(isShown)
      .map((text) => change('pattern', JSON.stringify(text), 'refused', text)),
    ...(minLength === undefined || minLength === 0
      ? []
      : [
          change(
            `minLength ${minLength}`,
            'short',
            'accepted',
            samples.accepted.find((text) => text.length >= minLength) ?? samples.ofLength(minLength),
          ),
          change(`minLength ${minLength}`, 'empty', 'refused', ''),
        ]),
    ...(maxLength === undefined
      ? []
      : [
          change(
            `maxLength ${maxLength}`,
            `of ${maxLength} characters`,
            'accepted',
            samples.ofLength(maxLength),
          ),
          change(
            `maxLength ${maxLength}`,
            `of ${maxLength + 1} characters`,
            'refused',
            samples.ofLength(maxLength + 1),
          ),
        ]),
  ];
}

function numberChanges({ minimum, maximum }: StructuralSchema): Change[] {
  const at = (constraint: string, value: number, expected: Verdict) =>
    change(constraint, `${value}`, expected, value);
  return [
    ...(minimum === undefined
      ? []
      : [at(`minimum ${minimum}`, minimum, 'accepted'), at(`minimum ${minimum}`, minimum - 1, 'refused')]),
    ...(maximum === undefined
      ? []
      : [at(`maximum ${maximum}`, maximum, 'accepted'), at(`maximum ${maximum}`, maximum + 1, 'refused')]),
    ...(maximum === undefined
      ? []
      : [at(`maximum ${maximum}`, 2 ** 53, 'refused'), at('type', 1e30, 'refused')]),
  ];
}

function sizeChanges(value: Json, schema: StructuralSchema): Change[] {
  const { minItems, maxItems, maxProperties } = schema;
  const result: Change[] = [];
  if (Array.isArray(value)) {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => vary(value[0] ?? null, index));
    if (minItems !== undefined) {
      result.push(change(`minItems ${minItems}`, 'empty', 'refused', []));
      result.push(change(`minItems ${minItems}`, `with ${minItems} items`, 'accepted', many(minItems)));
    } else {
      result.push(change('optional', 'empty', 'accepted', []));
    }
    if (maxItems !== undefined) {
      result.push(change(`maxItems ${maxItems}`, `with ${maxItems} items`, 'accepted', many(maxItems)));
      result.push(
        change(`maxItems ${maxItems}`, `with ${maxItems + 1} items`, 'refused', many(maxItems + 1)),
      );
    }
    const keys = schema['x-kubernetes-list-map-keys'];
    if (keys !== undefined) {
      const same = [...value, ...value];
      result.push(change(`list key ${keys.join()}`, `twice with the same ${keys.join()}`, 'refused', same));
      result.push(
        change(`list key ${keys.join()}`, `twice with another ${keys.join()}`, 'accepted', many(2)),
      );
    }
  }
  if (isJsonObject(value) && maxProperties !== undefined) {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`key-${index}`, Object.values(value)[0] ?? null]),
      );
    result.push(
      change(
        `maxProperties ${maxProperties}`,
        `with ${maxProperties} entries`,
        'accepted',
        many(maxProperties),
      ),
    );
    result.push(
      change(
        `maxProperties ${maxProperties}`,
        `with ${maxProperties + 1} entries`,
        'refused',
        many(maxProperties + 1),
      ),
    );
  }
  return result;
}

/** Another item of the same kind, so that a list has no two equal ones. */
function vary(item: Json, index: number): Json {
  if (!isJsonObject(item)) return `${String(item)}${index}`;
  const changed: Record<string, Json> = { ...item };
  if (typeof item.name === 'string') changed.name = `${item.name}-${index}`;
  if (typeof item.port === 'number') changed.port = 1000 + index;
  if (typeof item.value === 'string') changed.value = `192.0.2.${index}`;
  return changed;
}

function applyContext(full: JsonObject, path: Path): JsonObject {
  const fields = CONTEXTS[generic(path)] ?? {};
  return Object.entries(fields).reduce((object, [field, value]) => {
    const up = field.startsWith('../');
    const parent = path.slice(0, up ? -2 : -1);
    return withValue(object, [...parent, up ? field.slice(3) : field], value);
  }, full);
}

/** A path as the table shows it: `spec.listeners[].port`. */
function generic(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? '[]' : `.${step}`))
    .join('')
    .slice(1);
}

// As the server writes the path of an unknown field: keys are not quoted.
function concrete(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}
