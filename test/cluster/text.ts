import { readFileSync } from 'node:fs';

/** The last non-empty lines of a log file on one line, for an error message. */
export function lastLines(file: string, count = 3, width = 300): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return '(no log)';
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return '(empty log)';
  return lines
    .slice(-count)
    .map((line) => (line.length > width ? `${line.slice(0, width)}…` : line))
    .join(' | ');
}

/** An error whose message is complete by itself: one line that says what is wrong and what to do. */
export class ClusterUnavailable extends Error {
  override name = 'ClusterUnavailable';
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
