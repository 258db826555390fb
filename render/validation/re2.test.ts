import { expect, test } from 'vitest';
import { translatePattern } from './re2.ts';

test.each<[pattern: string, matches: readonly string[], others: readonly string[]]>([
  ['^a.b$', ['a b', 'a\rb', 'a\u2028b', 'a😀b'], ['a\nb']],
  ['\\Aa\\z', ['a'], ['a\n', 'ba']],
  ['^\\s$', [' ', '\t', '\f'], ['\u00a0', '\v', '\ufeff']],
  ['^[\\s]$', [' ', '\n'], ['\u00a0', '\v']],
  ['^\\S$', ['\u00a0'], [' ']],
  ['^[[:alpha:][:digit:]]$', ['a', 'Z', '0'], ['-', ':', '[']],
  ['^[]a]$', [']', 'a'], ['[', 'b']],
  ['^[^]a]$', ['['], [']', 'a']],
  ['^[[]$', ['['], [']']],
  ["^[a\\-'!]$", ['-', 'a', "'"], ['b']],
  ["^\\'\\-\\/$", ["'-/"], []],
  ['^(?P<name>a)$', ['a'], ['b']],
  ['^(?:a|b)$', ['a', 'b'], ['c']],
  ['^a|b$', ['ax', 'xb'], ['xa']],
  ['^\\d\\w\\x41\\pL$', ['1aAä'], ['١aAä']],
])('%s means the same', (pattern, matches, others) => {
  const regExp = new RegExp(translatePattern(pattern), 'u');
  for (const text of matches) expect(regExp.test(text), text).toBe(true);
  for (const text of others) expect(regExp.test(text), text).toBe(false);
});

test.each(['(?i)a', '(?s:.)', '[[:^alpha:]]', '\\Qa\\E', '\\C'])(
  '%s is refused, as it would mean something else',
  (pattern) => {
    expect(() => new RegExp(translatePattern(pattern), 'u')).toThrow(SyntaxError);
  },
);
