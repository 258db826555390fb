import { type Diagnostic, formatDiagnostic } from '../../render/diagnostic.ts';

/** How diagnostics are written: for people, or one JSON object a line for machines. */
export type DiagnosticsFormat = 'text' | 'json';

/** Diagnostics as lines for stderr. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], format: DiagnosticsFormat): string {
  return diagnostics
    .map((each) => `${format === 'json' ? JSON.stringify(each) : formatLine(each)}\n`)
    .join('');
}

function formatLine(diagnostic: Diagnostic): string {
  const { severity, object, file, line } = diagnostic;
  // A diagnostic about a file names it in its message.
  const place =
    object === undefined || !file
      ? ''
      : ` (${file === '-' ? 'standard input' : file}${line === undefined ? '' : `:${line}`})`;
  return oneLine(`${severity}: ${formatDiagnostic(diagnostic)}${place}`);
}

// The user's text must not break the one-line form, nor reach the terminal as control characters.
function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
