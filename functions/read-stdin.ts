import process from 'node:process';

/**
 * All of standard input. Not with `readFileSync`: a pipe that does not block, as kpt's, has nothing
 * for a moment, and the read fails with EAGAIN.
 */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
