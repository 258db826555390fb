import {
  CORE_SCHEMA,
  DUMP_SCHEMA,
  defineScalarTag,
  dump,
  loadAll,
  mergeTag,
  NOT_RESOLVED,
  YAMLException,
} from 'js-yaml';
import type { Json } from '../render/json.ts';

// YAML as kubectl reads it (sigs.k8s.io/yaml on go-yaml v2): YAML 1.1's booleans and octal numbers,
// but no dates and no base 60. What is a string to kubectl is one here, and the other way round.
const TRUE = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']);
const FALSE = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']);
const NUMBER = /^[-+]?(0b[01]+|0o?[0-7]+|0x[0-9a-f]+|(\.[0-9]+|[0-9]+(\.[0-9]*)?)(e[-+]?[0-9]+)?)$/i;

const bool = defineScalarTag('tag:yaml.org,2002:bool', {
  implicit: true,
  resolve: (text) => (TRUE.has(text) ? true : FALSE.has(text) ? false : NOT_RESOLVED),
  identify: () => false,
});

const int = defineScalarTag('tag:yaml.org,2002:int', {
  implicit: true,
  resolve: (text) => {
    // To go-yaml an underscore is nothing, wherever it stands; if a dot comes first, between digits only.
    const plain = text.replaceAll(/^[._]/.test(text) ? /(?<=\d)_(?=\d)/g : '_', '');
    const value = NUMBER.test(plain) ? parseNumber(plain) : Number.NaN;
    // It takes a number that is too large, such as 1e999 or 0x with 17 digits, for a string.
    const limit = /^[-+]?0[box]/i.test(text) ? 2 ** 64 : Infinity;
    return Math.abs(value) < limit ? value : NOT_RESOLVED;
  },
  identify: () => false,
});

const READ_SCHEMA = CORE_SCHEMA.withTags(bool, int, mergeTag);

// For writing: all that any reader could take for a number is quoted, however large. A hash can look like 1e999.
const numberLike = defineScalarTag('tag:gari.dev,2026:number-like', {
  implicit: true,
  resolve: (text) => (NUMBER.test(text.replaceAll('_', '')) ? text : NOT_RESOLVED),
  identify: () => false,
});

const WRITE_SCHEMA = DUMP_SCHEMA.withTags(numberLike);

function parseNumber(text: string): number {
  const digits = text.replace(/^[-+]/, '');
  const octal = /^0o?([0-7]+)$/i.exec(digits)?.[1];
  const value = octal === undefined ? Number(digits) : Number.parseInt(octal, 8);
  return text.startsWith('-') ? -value : value;
}

/** Where and why a text is not YAML. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  /** Counted from 1. */
  readonly line: number;

  constructor(reason: string, line: number) {
    super(reason);
    this.line = line;
  }
}

/**
 * Parses one YAML document; undefined for an empty one.
 * @throws {YamlError} if the text is not YAML.
 */
export function parseYaml(text: string): unknown {
  try {
    const value = loadAll(text, { schema: READ_SCHEMA })[0];
    if (text.includes('&') && countNodes(value, MOST_NODES) > MOST_NODES) {
      throw new YamlError('its aliases stand for too much, or for themselves', 1);
    }
    return value;
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const twice = error.reason === 'duplicated mapping key';
    const reason = twice ? 'a key is there twice in one map' : `not YAML: ${error.reason}`;
    throw new YamlError(reason, (error.mark?.line ?? 0) + 1);
  }
}

// Far more than any manifest has; a few lines of nested aliases can stand for billions.
const MOST_NODES = 1_000_000;
const MOST_LEVELS = 100;

/** The nodes of a value with its aliases written out, counted up to one more than `most`. */
function countNodes(value: unknown, most: number, level = 0): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (level > MOST_LEVELS) return most + 1;
  let count = 1;
  for (const child of Object.values(value)) {
    if (count > most) break;
    count += countNodes(child, most - count, level + 1);
  }
  return count;
}

/** One object as YAML that readers of YAML 1.1 and 1.2 understand alike, in kubectl's style. */
export function formatYaml(value: Json): string {
  return dump(value, {
    schema: WRITE_SCHEMA,
    lineWidth: -1,
    noRefs: true,
    seqNoIndent: true,
    quoteStyle: 'double',
  });
}
