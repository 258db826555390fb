import { describe, expect, it } from 'vitest';
import { applyBody, UnsendableText } from './json-body.ts';

describe('applyBody', () => {
  it.each([
    ['\u0085', '"\\u0085"'],
    ['\u007f\u009f', '"\\u007f\\u009f"'],
    ['\u2028\u2029\ufeff', '"\\u2028\\u2029\\ufeff"'],
    ['\ufffe\uffff', '"\\ufffe\\uffff"'],
    // As they are: JSON's own escapes, and what YAML can read.
    ['\u0000\n"\\', '"\\u0000\\n\\"\\\\"'],
    ['é\u00a0\u{1f600}/', '"é\u00a0\u{1f600}/"'],
    ['\\ud800', '"\\\\ud800"'],
  ])('%j', (text, expected) => {
    expect(applyBody(text)).toBe(expected);
    expect(JSON.parse(applyBody(text))).toBe(text);
  });

  it.each(['\ud800', 'a\udc00b', '\\\ud800'])('refuses half of a surrogate pair: %j', (text) => {
    expect(() => applyBody({ text })).toThrow(UnsendableText);
  });
});
