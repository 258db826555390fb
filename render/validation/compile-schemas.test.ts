import { describe, expect, test } from 'vitest';
import { findGatewayApiModule, readExamples } from '../../scripts/gateway-api-module.ts';
import { compileSchemas, UnusableCrds } from './compile-schemas.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { canValidate, validate } from './validate.ts';

function crd(spec: StructuralSchema) {
  return {
    kind: 'CustomResourceDefinition',
    spec: {
      group: 'gateway.networking.k8s.io',
      scope: 'Namespaced',
      names: { kind: 'Gateway', plural: 'gateways' },
      versions: [
        {
          name: 'v1',
          served: true,
          schema: { openAPIV3Schema: { type: 'object', description: 'A thing', properties: { spec } } },
        },
        { name: 'v0', served: false, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  };
}

async function judge(spec: StructuralSchema, value: unknown): Promise<string[]> {
  const object = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'a' },
    spec: value,
  };
  const { problems } = await validate(object, await compileSchemas([crd(spec)]));
  return problems.map(({ field, message }) => `${field} ${message}`);
}

test.each<[string, StructuralSchema, unknown, string[]]>([
  ['int-or-string', { 'x-kubernetes-int-or-string': true }, 1, []],
  ['int-or-string', { 'x-kubernetes-int-or-string': true }, 'a', []],
  [
    'int-or-string',
    { 'x-kubernetes-int-or-string': true },
    true,
    ['spec must be a whole number or a string, not true'],
  ],
  [
    'int32',
    { type: 'integer', format: 'int32' },
    2 ** 31,
    ['spec must be between -2147483648 and 2147483647, not 2147483648'],
  ],
  ['int64', { type: 'integer' }, 2 ** 62, []],
  [
    'exclusive limits',
    { type: 'number', minimum: 1, exclusiveMinimum: true },
    1,
    ['spec must be more than 1, not 1'],
  ],
  [
    'exclusive limits',
    { type: 'number', maximum: 1, exclusiveMaximum: true },
    1,
    ['spec must be less than 1, not 1'],
  ],
  ['one limit', { type: 'number', minimum: 1.5 }, 1, ['spec must be at least 1.5, not 1']],
  ['multiples', { type: 'integer', multipleOf: 3 }, 4, ["spec does not satisfy the schema's multipleOf"]],
  [
    'minProperties',
    { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
    {},
    ['spec must have at least 1 entry'],
  ],
  ['nullable', { type: 'string', nullable: true }, null, []],
  ['booleans', { type: 'boolean' }, 'yes', ['spec must be true or false, not the string "yes"']],
  [
    'times',
    { type: 'string', format: 'date-time' },
    '2026-02-30T00:00:00Z',
    ['spec must be a time such as 2026-01-31T12:00:00Z, not "2026-02-30T00:00:00Z"'],
  ],
  ['formats that the server does not know', { type: 'string', format: 'uint' }, 'x', []],
  [
    'choices',
    { type: 'string', anyOf: [{ pattern: '^a' }, { pattern: '^b' }] },
    'c',
    ['spec does not satisfy exactly one of the choices in the schema'],
  ],
  ['lengths in code points', { type: 'string', maxLength: 2 }, '😀😀', []],
  [
    'rules',
    { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1', message: 'more' }] },
    1,
    ['spec breaks the rule "more"'],
  ],
])('%s', async (_, spec, value, expected) => {
  expect(await judge(spec, value)).toEqual(expected);
});

test('a version that is not served is refused', async () => {
  const object = { apiVersion: 'gateway.networking.k8s.io/v0', kind: 'Gateway', metadata: { name: 'a' } };
  const { problems } = await validate(object, await compileSchemas([crd({ type: 'string' })]));
  expect(problems[0]?.message).toBe(
    'must be gateway.networking.k8s.io/v1, not "gateway.networking.k8s.io/v0"',
  );
});

test('objects that are no CRDs, and CRDs of other kinds, do not count', async () => {
  const other = crd({ type: 'string', pattern: '(?i)a' });
  const things = { ...other, spec: { ...other.spec, group: 'example.com' } };
  const { kinds } = await compileSchemas([null, 'text', { kind: 'ConfigMap' }, things]);
  expect(kinds).toEqual([]);
});

test.each([
  ['no spec', { kind: 'CustomResourceDefinition' }, 'spec of a CRD is not an object'],
  [
    'a pattern that means something else',
    crd({ type: 'string', pattern: '(?i)a' }),
    'flags inside the pattern (?i)a',
  ],
  ['a pattern that is none', crd({ type: 'string', pattern: '(' }), 'Invalid regular expression'],
])('%s is an error that says so', async (_, input, message) => {
  const error = await compileSchemas([input]).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(UnusableCrds);
  expect((error as Error).message).toContain(message);
});

const module = findGatewayApiModule();
const reason = 'missing' in module ? ` [SKIPPED: ${module.missing}]` : '';

describe.runIf('directory' in module)(`another channel of the Gateway API${reason}`, () => {
  test('its schemas compile and judge its own examples', async () => {
    if (!('directory' in module)) return;
    const crds = readExamples(module.directory, 'config/crd/experimental').map(({ object }) => object);
    const schemas = await compileSchemas(crds);
    expect(schemas.kinds.map(({ kind }) => kind).sort()).toEqual([
      'Gateway',
      'GatewayClass',
      'ListenerSet',
      'ReferenceGrant',
    ]);
    const examples = readExamples(module.directory, 'examples/experimental').filter(({ object }) =>
      canValidate(object, schemas),
    );
    expect(examples.length).toBeGreaterThan(0);
    for (const { file, object } of examples) {
      const { problems, warnings } = await validate(object, schemas);
      expect({ file, problems, warnings }).toEqual({ file, problems: [], warnings: [] });
    }
  });
});
