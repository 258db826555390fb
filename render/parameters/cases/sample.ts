import type { Json, JsonObject } from '../../json.ts';
import type { StructuralSchema } from '../../validation/structural-schema.ts';

/** Texts for one pattern. */
interface Texts {
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
  /** A text of that many characters that matches. */
  readonly ofLength: (length: number) => string;
}

const letters = (length: number) => 'a'.repeat(length);
const QUANTITY: Texts = {
  accepted: ['0', '100m', '1.5Gi', '.5', '1e3', '-1', '+1Ki'],
  refused: ['', 'much', '1GB', '1 Gi', '1Gi\n', '1e', '--1'],
  ofLength: (length) => '1'.repeat(length),
};
const TEXTS: Readonly<Record<string, Texts>> = {
  '^\\S+$': {
    accepted: ['envoy:1', 'registry.example.com:5000/a/b@sha256:0', 'ä'],
    refused: ['a b', ' a', 'a\n', '\t'],
    ofLength: letters,
  },
  '^[a-zA-Z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)*$': {
    accepted: ['docker.io', 'localhost:5000', 'registry.example.com:5000/mirror/of-all'],
    refused: ['', 'https://docker.io', 'docker.io/', 'a:b', 'a/B', 'a b', 'a\n'],
    ofLength: letters,
  },
  '^/\\S*$': {
    accepted: ['/', '/ready', '/a?b=c'],
    refused: ['', 'ready', '/a b', '/a\n'],
    ofLength: (length) => `/${letters(length - 1)}`,
  },
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$': {
    accepted: ['a', '9', 'metrics-1'],
    refused: ['', 'A', '-a', 'a-', 'a_b', 'a.b', 'a\n'],
    ofLength: letters,
  },
};

/** Texts that match a pattern of the schema, and texts that do not. */
export function textsFor(pattern: string): Texts {
  const texts = pattern.includes('[numkMGTPE]') ? QUANTITY : TEXTS[pattern];
  if (texts === undefined) throw new Error(`render/parameters/cases/sample.ts has no texts for ${pattern}`);
  return texts;
}

/** A small value that the schema accepts; with another number, one that a list may hold beside it. */
export function sampleOf(schema: StructuralSchema, number = 0): Json {
  if (schema.enum !== undefined) return schema.enum[number % schema.enum.length] ?? null;
  if (schema['x-kubernetes-int-or-string'] === true) return number + 1;
  switch (schema.type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return (schema.minimum ?? 1) + number;
    case 'array':
      return [sampleOf(schema.items ?? {}, number)];
    case 'object':
      return objectSample(schema, number);
    default:
      return number === 0 ? textSample(schema) : `${textSample(schema)}${number}`;
  }
}

function textSample({ pattern, minLength = 1 }: StructuralSchema): string {
  const text = pattern === undefined ? letters(minLength) : textsFor(pattern).accepted[0];
  return text ?? '';
}

function objectSample(
  { required = [], properties, additionalProperties }: StructuralSchema,
  number: number,
): JsonObject {
  if (typeof additionalProperties === 'object') return { a: sampleOf(additionalProperties, number) };
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties?.[name] ?? {}, number)]));
}
