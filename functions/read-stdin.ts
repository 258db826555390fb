import { readSync } from 'node:fs';
import process from 'node:process';
import { isSystemError } from './system-error.ts';

const CHUNK_BYTES = 64 * 1024;

/**
 * All of standard input. Read at once, as setting up a stream costs a run milliseconds; the rest as a
 * stream where a pipe that does not block, as kpt's, has nothing for a moment (EAGAIN).
 */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  if (!readAvailable(chunks)) for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads what is there; false where more may come later. */
function readAvailable(chunks: Buffer[]): boolean {
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const size = readSync(0, chunk);
      if (size === 0) return true;
      chunks.push(chunk.subarray(0, size));
    }
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'EAGAIN') throw error;
    return false;
  }
}
