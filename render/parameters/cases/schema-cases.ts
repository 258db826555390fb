import { isJsonObject, type Json, type JsonObject, type Path } from '../../json.ts';
import { makeCase, type ValidationCase, type Verdict } from '../../validation/cases/case.ts';
import type { StructuralSchema } from '../../validation/structural-schema.ts';
import { DATA_PLANE } from '../data-plane-schema.ts';
import { sampleOf, textsFor } from './sample.ts';

// What rules demand beside a value.
const BESIDE: Readonly<Record<string, (value: Json | undefined) => JsonObject>> = {
  'spec.service.requestedAddress.annotation': () => ({ via: 'Annotation' }),
  'spec.service.requestedAddress.via': (value) => (value === 'Annotation' ? { annotation: 'a' } : {}),
};
// Where a rule refuses the smallest value.
const SAMPLES: Readonly<Record<string, JsonObject>> = { 'spec.container.preStop': { sleep: { seconds: 1 } } };
// Rules need these where they stand, so null is not as good as nothing.
const NEEDED = /^spec\.(container\.preStop\.\w+|service\.requestedAddress\.annotation)$/;

/** A value at a place and whether it may be there. */
interface Change {
  readonly constraint: string;
  readonly what: string;
  readonly value: Json | undefined;
  readonly expected: Verdict;
}

/** A case with this spec. */
export function dataPlaneCase(constraint: string, what: string, spec: Json | undefined, expected: Verdict) {
  const object: JsonObject = {
    apiVersion: `${DATA_PLANE.group}/${DATA_PLANE.version}`,
    kind: DATA_PLANE.kind,
    metadata: { name: 'case', namespace: 'default' },
    ...(spec === undefined ? {} : { spec }),
  };
  return makeCase(DATA_PLANE.kind, constraint, what, object, expected);
}

/**
 * Cases for every constraint of the schema of `spec`: what each field must not be, and what it may be at
 * its limits. Each spec holds that one field, and beside it only what that needs.
 */
export function schemaCases(spec: StructuralSchema): readonly ValidationCase[] {
  return casesAt(spec, spec, [], true);
}

function casesAt(
  root: StructuralSchema,
  schema: StructuralSchema,
  path: Path,
  required: boolean,
): ValidationCase[] {
  const place = placeOf(path);
  const own = changes(schema, place, typeof path.at(-1) === 'number', required).map(
    ({ constraint, what, value, expected }) =>
      dataPlaneCase(`${place} ${constraint}`, what, around(root, path, [], value), expected),
  );
  const { properties = {}, items, additionalProperties: others } = schema;
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, below]) =>
      casesAt(root, below, [...path, name], schema.required?.includes(name) === true),
    ),
    ...(items === undefined ? [] : casesAt(root, items, [...path, 0], false)),
    ...(typeof others === 'object' ? casesAt(root, others, [...path, 'a'], false) : []),
  ];
}

/** The smallest value with another one at a path below it; undefined takes that away. */
function around(
  schema: StructuralSchema,
  [step, ...rest]: Path,
  above: Path,
  value: Json | undefined,
): Json | undefined {
  if (step === undefined) return value;
  const path = [...above, step];
  if (typeof step === 'number') {
    const item = around(schema.items ?? {}, rest, path, value);
    return item === undefined ? [] : [item];
  }
  const { properties = {}, additionalProperties } = schema;
  const below = properties[step] ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
  const { [step]: _, ...others } = sampleOf(schema) as JsonObject;
  const found = around(below, rest, path, value);
  return {
    ...(additionalProperties === undefined ? others : {}),
    ...(rest.length === 0 ? BESIDE[placeOf(path)]?.(value) : {}),
    ...(found === undefined ? {} : { [step]: found }),
  };
}

function changes(
  schema: StructuralSchema,
  place: string,
  isItem: boolean,
  required: boolean,
): readonly Change[] {
  const sample = SAMPLES[place] ?? sampleOf(schema);
  const missing = required || isItem ? 'refused' : 'accepted';
  return [
    { constraint: 'value', what: JSON.stringify(sample), value: sample, expected: 'accepted' },
    ...(NEEDED.test(place) ? [] : [change(required ? 'required' : 'optional', 'null', null, missing)]),
    ...(required ? [change('required', 'absent', undefined, 'refused')] : []),
    ...wrongTypes(schema),
    ...unknownField(schema, sample),
    ...(schema.enum ?? []).slice(0, 10).map((one) => change('enum', JSON.stringify(one), one, 'accepted')),
    ...(schema.enum === undefined
      ? []
      : ['', 'Other'].map((one) => change('enum', `"${one}"`, one, 'refused'))),
    ...textChanges(schema),
    ...numberChanges(schema),
    ...sizeChanges(schema),
  ];
}

function change(constraint: string, what: string, value: Json | undefined, expected: Verdict): Change {
  return { constraint, what, value, expected };
}

const WRONG: Readonly<Record<string, readonly Json[]>> = {
  array: [{}, 'text', 1],
  boolean: ['true', 1, {}],
  integer: ['80', 80.5, true, []],
  object: ['text', [], 1],
  string: [1, true, ['text'], {}],
};

function wrongTypes(schema: StructuralSchema): Change[] {
  const wrong =
    schema['x-kubernetes-int-or-string'] === true ? [1.5, true, [], {}] : (WRONG[schema.type ?? ''] ?? []);
  return wrong.map((value) => change('type', JSON.stringify(value), value, 'refused'));
}

function unknownField(schema: StructuralSchema, sample: Json): Change[] {
  if (schema.properties === undefined || !isJsonObject(sample)) return [];
  return [change('unknown field', 'with one', { ...sample, notAField: 1 }, 'refused')];
}

function textChanges({ pattern, minLength = 0, maxLength }: StructuralSchema): Change[] {
  const {
    accepted = [],
    refused = [],
    ofLength = undefined,
  } = pattern === undefined ? {} : textsFor(pattern);
  const letters = ofLength ?? ((length: number) => '😀'.repeat(length));
  const limit = (constraint: string, length: number, expected: Verdict) =>
    change(constraint, `of ${length} characters`, letters(length), expected);
  return [
    ...accepted.map((text) => change('pattern', JSON.stringify(text), text, 'accepted')),
    ...refused.map((text) => change('pattern', JSON.stringify(text), text, 'refused')),
    ...(minLength === 0
      ? []
      : [
          limit(`minLength ${minLength}`, minLength, 'accepted'),
          change(`minLength ${minLength}`, 'short', letters(minLength - 1), 'refused'),
        ]),
    ...(maxLength === undefined
      ? []
      : [
          limit(`maxLength ${maxLength}`, maxLength, 'accepted'),
          limit(`maxLength ${maxLength}`, maxLength + 1, 'refused'),
        ]),
  ];
}

function numberChanges({ type, format, minimum, maximum }: StructuralSchema): Change[] {
  if (type !== 'integer') return [];
  const at = (constraint: string, value: number, expected: Verdict) =>
    change(constraint, `${value}`, value, expected);
  return [
    ...(minimum === undefined
      ? []
      : [at(`minimum ${minimum}`, minimum, 'accepted'), at(`minimum ${minimum}`, minimum - 1, 'refused')]),
    ...(maximum === undefined
      ? []
      : [at(`maximum ${maximum}`, maximum, 'accepted'), at(`maximum ${maximum}`, maximum + 1, 'refused')]),
    ...(format === 'int32' && maximum === undefined
      ? [at('format int32', 2 ** 31 - 1, 'accepted'), at('format int32', 2 ** 31, 'refused')]
      : []),
  ];
}

function sizeChanges(schema: StructuralSchema): Change[] {
  const { items = {}, minItems, maxItems, maxProperties, additionalProperties: others } = schema;
  const list = (count: number) => Array.from({ length: count }, (_, index) => sampleOf(items, index));
  const map = (count: number) =>
    Object.fromEntries(list(count).map((_, index) => [`a${index}`, sampleOf(others as StructuralSchema)]));
  const most = Math.min(maxItems ?? 0, items.enum?.length ?? Number.POSITIVE_INFINITY);
  const listType = schema['x-kubernetes-list-type'];
  return [
    ...(schema.type === 'array'
      ? [change('minItems', 'empty', [], minItems === undefined ? 'accepted' : 'refused')]
      : []),
    ...(maxItems === undefined
      ? []
      : [
          change(`maxItems ${maxItems}`, `with ${most} items`, list(most), 'accepted'),
          change(`maxItems ${maxItems}`, `with ${maxItems + 1} items`, list(maxItems + 1), 'refused'),
        ]),
    ...(listType === 'set' || listType === 'map'
      ? [
          change(`list of type ${listType}`, 'twice the same', [sampleOf(items), sampleOf(items)], 'refused'),
          change(`list of type ${listType}`, 'two', list(2), 'accepted'),
        ]
      : []),
    ...(maxProperties === undefined
      ? []
      : [
          change(
            `maxProperties ${maxProperties}`,
            `with ${maxProperties} entries`,
            map(maxProperties),
            'accepted',
          ),
          change(
            `maxProperties ${maxProperties}`,
            `with ${maxProperties + 1} entries`,
            map(maxProperties + 1),
            'refused',
          ),
        ]),
  ];
}

/** A path as people write it: `spec.service.extraPorts[].name`. */
function placeOf(path: Path): string {
  return ['spec', ...path]
    .map((step) => (typeof step === 'number' ? '[]' : `.${step}`))
    .join('')
    .slice(1);
}
