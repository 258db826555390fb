/** Texts for one pattern. */
export interface Samples {
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
  /** A text of that many characters that matches the pattern. */
  ofLength(length: number): string;
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const NAME = `${LABEL}(\\.${LABEL})*`;
const letters = (length: number) => 'a'.repeat(length);
const NOT_NAMES = ['Example', 'a_b', '-a', 'a-', 'a..b', '.a', 'a.', 'ä', 'a b', 'a\n', `\${NAME}`];

// The patterns are not anchored as one would think: `|` binds less than `^` and `$`.
const SAMPLES: Readonly<Record<string, Samples>> = {
  [`^${LABEL}$`]: {
    accepted: ['a', 'a-1', '1'],
    refused: ['A', 'a.b', '-a', 'a-', 'ä', 'a b', 'a\n'],
    ofLength: letters,
  },
  [`^${NAME}$`]: { accepted: ['a', 'a.b', '1.2', 'a--b'], refused: NOT_NAMES, ofLength: letters },
  [`^$|^${NAME}$`]: { accepted: ['', 'example.com'], refused: NOT_NAMES, ofLength: letters },
  [`^(\\*\\.)?${NAME}$`]: {
    accepted: ['a', '*.example.com', '192.0.2.1'],
    refused: [...NOT_NAMES, '*', '*.', 'a.*.b', '**.a', '{{ .Values.host }}'],
    ofLength: letters,
  },
  '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$': {
    accepted: ['A', 'a-B-1'],
    refused: ['1a', 'a-', 'a.b', 'a_b', '\u017f', '\u212a'],
    ofLength: letters,
  },
  '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$': {
    accepted: ['A', 'a_b,c:d'],
    refused: ['1', 'a:', 'a-b'],
    ofLength: letters,
  },
  '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$': {
    accepted: ['', 'a', 'A_b.c-1'],
    refused: ['-a', 'a-', 'a b', 'a/b', 'ä'],
    ofLength: letters,
  },
  [`^(${NAME}/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`]: {
    accepted: ['a', 'example.com/A_b'],
    refused: ['', '/a', 'a/', 'A/b', 'a/b/c'],
    ofLength: letters,
  },
  [`^${NAME}\\/[A-Za-z0-9\\/\\-._~%!$&'()*+,;=:]+$`]: {
    accepted: ['a/b', "example.com/A/b-._~%!$&'()*+,;=:"],
    refused: ['a', 'a/', '/a', 'A/b', 'a/ä', 'a/b?', 'a/b@c', 'a/b\n'],
    ofLength: (length) => `a/${letters(length - 2)}`,
  },
  [`^Hostname|IPAddress|NamedAddress|${NAME}\\/[A-Za-z0-9\\/\\-._~%!$&'()*+,;=:]+$`]: {
    accepted: ['IPAddress', 'Hostname', 'NamedAddress', 'Hostname?', '?IPAddress?', 'a/b', 'A/a/b'],
    refused: ['?Hostname', 'ipaddress', 'example.com', 'a/', 'a/b?'],
    ofLength: (length) => `a/${letters(length - 2)}`,
  },
  [`^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$|${NAME}\\/[A-Za-z0-9]+$`]: {
    accepted: ['HTTP', 'a-1', 'example.com/Name', '?a/B'],
    refused: ['-a', 'a_b', 'a/', 'a/b-c', 'a.b'],
    ofLength: letters,
  },
};

/** The samples of a pattern; a new pattern in the schemas needs new ones. */
export function samplesOf(pattern: string | undefined): Samples {
  if (pattern === undefined) return { accepted: [], refused: [], ofLength: (length) => '😀'.repeat(length) };
  const samples = SAMPLES[pattern];
  if (samples === undefined)
    throw new Error(`render/validation/cases/samples.ts has no texts for ${pattern}`);
  return samples;
}
