import yaml from 'js-yaml';
import type { Json } from '../render/json.ts';

// YAML as kubectl reads it (sigs.k8s.io/yaml on go-yaml v2): YAML 1.1's booleans and octal numbers,
// no dates. What is a string to kubectl is one here, and the other way round.
const NUMBER =
  /^[-+]?(0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?)$/;
const NOT_FINITE = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;
const TRUE = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']);
const FALSE = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']);

const nothing = new yaml.Type('tag:yaml.org,2002:null', {
  kind: 'scalar',
  resolve: (text: unknown) => text === null || ['', '~', 'null', 'Null', 'NULL'].includes(String(text)),
  construct: () => null,
  predicate: (value) => value === null,
  represent: () => 'null',
});

const merge = new yaml.Type('tag:yaml.org,2002:merge', {
  kind: 'scalar',
  resolve: (text: unknown) => text === '<<',
});

const bool = new yaml.Type('tag:yaml.org,2002:bool', {
  kind: 'scalar',
  resolve: (text: unknown) => typeof text === 'string' && (TRUE.has(text) || FALSE.has(text)),
  construct: (text: string) => TRUE.has(text),
  predicate: (value) => typeof value === 'boolean',
  represent: String,
});

const number = new yaml.Type('tag:yaml.org,2002:int', {
  kind: 'scalar',
  resolve: (text: unknown) => typeof text === 'string' && NUMBER.test(text),
  construct: parseNumber,
  predicate: (value) => typeof value === 'number',
  represent: String,
});

const float = new yaml.Type('tag:yaml.org,2002:float', {
  kind: 'scalar',
  resolve: (text: unknown) => typeof text === 'string' && (NOT_FINITE.test(text) || NUMBER.test(text)),
  construct: (text: string) => (NOT_FINITE.test(text) ? text : parseNumber(text)),
});

const READ = yaml.FAILSAFE_SCHEMA.extend({
  implicit: [nothing, bool, number, float, merge],
});

// Only for writing: other YAML 1.1 readers take an unquoted one for a date.
const date = new yaml.Type('tag:yaml.org,2002:timestamp', {
  kind: 'scalar',
  resolve: (text: unknown) => typeof text === 'string' && /^\d{4}-\d\d?-\d\d?/.test(text),
  predicate: () => false,
});

const WRITE = READ.extend({ implicit: [date] });

function parseNumber(text: string): number {
  const digits = text.replaceAll('_', '').replace(/^[-+]/, '');
  const octal = /^0o?([0-7]+)$/.exec(digits)?.[1];
  const value = octal === undefined ? Number(digits) : Number.parseInt(octal, 8);
  return text.startsWith('-') ? -value : value;
}

/** Where and why a text is not YAML. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  /** Counted from 1, in the text that was parsed. */
  readonly line: number | undefined;

  constructor(reason: string, line: number | undefined) {
    super(reason);
    this.line = line;
  }
}

/** Called when the parser enters and leaves a node; the line counts from 0. */
export type NodeListener = (
  event: 'open' | 'close',
  node: { line: number; kind: string; result: unknown },
) => void;

/**
 * Parses one YAML document; undefined for an empty one.
 * @throws {YamlError} if the text is not YAML.
 */
export function parseYaml(text: string, listener?: NodeListener): unknown {
  try {
    return yaml.load(text, {
      schema: READ,
      ...(listener === undefined ? {} : { listener: listener as never }),
    });
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error;
    throw new YamlError(error.reason, error.mark === undefined ? undefined : error.mark.line + 1);
  }
}

/** One object as YAML that readers of YAML 1.1 and 1.2 understand alike, in kubectl's style. */
export function formatYaml(value: Json): string {
  return yaml.dump(value, {
    schema: WRITE,
    lineWidth: -1,
    noRefs: true,
    noArrayIndent: true,
    quotingType: '"',
  });
}
