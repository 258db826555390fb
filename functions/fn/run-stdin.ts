import { fstatSync } from 'node:fs';
import type { Io } from '../io.ts';
import { readStdin } from '../read-stdin.ts';
import { runFunction } from './run-function.ts';

/** Runs the function on standard input; 2 where there is none to read. */
export async function runStdin(io: Io): Promise<number> {
  const text = isTerminal() ? '' : await readStdin();
  if (text.trim() !== '') return runFunction(text, io);
  io.stderr(
    'error: standard input is empty; gari-fn reads a ResourceList, as in: kpt fn source PACKAGE | gari-fn (or kpt fn eval PACKAGE --exec gari-fn)\n',
  );
  return 2;
}

// Not `process.stdin.isTTY`: to set up the stream costs a run milliseconds. Nobody sends a list from
// another device, as /dev/null is.
function isTerminal(): boolean {
  return fstatSync(0).isCharacterDevice();
}
