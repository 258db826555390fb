/** A text that cannot be sent to an API server. */
export class UnsendableText extends Error {
  override readonly name = 'UnsendableText';
}

/**
 * JSON for a server-side apply. The API server reads it as YAML: there, U+0085 would become a blank,
 * and other control characters and surrogates that are alone are refused.
 * @throws {UnsendableText} if a text holds half of a surrogate pair.
 */
export function applyBody(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify writes a surrogate that is alone as \udXXX.
  if (/(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F][0-9a-fA-F]{2}/.test(text)) {
    throw new UnsendableText('a text holds half of a surrogate pair, which no server takes');
  }
  return text.replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
