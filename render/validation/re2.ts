// The server's patterns are Go's RE2. Most are valid in JavaScript with the same meaning; this
// translates the constructs that mean something else there (https://github.com/google/re2/wiki/Syntax).

const ESCAPES: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  // RE2's are ASCII only.
  s: '[\\t\\n\\f\\r ]',
  S: '[^\\t\\n\\f\\r ]',
  a: '\\x07',
};
const ESCAPES_IN_CLASS: Readonly<Record<string, string>> = { s: '\\t\\n\\f\\r ', a: '\\x07' };
const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};
// What a JavaScript pattern with the flag u may escape.
const ESCAPABLE = /[\^$\\.*+?()[\]{}|/]/;

/** An RE2 pattern as a JavaScript one for the flag `u`; throws where it cannot say the same. */
export function translatePattern(pattern: string): string {
  let output = '';
  let inClass = false;
  for (let index = 0; index < pattern.length; index += 1) {
    const rest = pattern.slice(index);
    const posix = inClass ? /^\[:(\w+):\]/.exec(rest) : null;
    const [first = '', second = ''] = rest;
    if (posix !== null) {
      output += found(POSIX_CLASSES[posix[1] ?? ''], pattern);
      index += posix[0].length - 1;
    } else if (/^\\[pP][A-Z]/.test(rest)) {
      // A class of one letter needs no braces in RE2.
      output += `\\${second}{${rest[2]}}`;
      index += 2;
    } else if (first === '\\') {
      output += escapeSequence(second, inClass, pattern);
      index += 1;
    } else if (first === '[' && !inClass) {
      inClass = true;
      const negated = second === '^';
      output += negated ? '[^' : '[';
      index += negated ? 1 : 0;
      // A bracket that comes first stands for itself.
      if (pattern[index + 1] === ']') {
        output += '\\]';
        index += 1;
      }
    } else if (first === ']' && inClass) {
      inClass = false;
      output += ']';
    } else if (rest.startsWith('(?P<')) {
      output += '(?<';
      index += 3;
    } else if (!inClass && /^\(\?[a-zA-Z-]+[:)]/.test(rest)) {
      throw new SyntaxError(`flags inside the pattern ${pattern} are not supported`);
    } else if (!inClass && first === '.') {
      output += '[^\\n]';
    } else {
      output += inClass && first === '[' ? '\\[' : first;
    }
  }
  return output;
}

function escapeSequence(character: string, inClass: boolean, pattern: string): string {
  const translated = (inClass ? ESCAPES_IN_CLASS : ESCAPES)[character];
  if (translated !== undefined) return translated;
  if (/[a-zA-Z0-9]/.test(character)) {
    if (/[bBdDfnrtvwWxpP]/.test(character)) return `\\${character}`;
    throw new SyntaxError(`\\${character} in the pattern ${pattern} is not supported`);
  }
  return ESCAPABLE.test(character) || (inClass && character === '-') ? `\\${character}` : character;
}

function found(characters: string | undefined, pattern: string): string {
  if (characters === undefined) throw new SyntaxError(`a character class in ${pattern} is not supported`);
  return characters;
}
