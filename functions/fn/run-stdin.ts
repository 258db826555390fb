import process from 'node:process';
import type { Io } from '../io.ts';
import { readStdin } from '../read-stdin.ts';
import { runFunction } from './run-function.ts';

/** Runs the function on standard input; 2 where there is none to read. */
export async function runStdin(io: Io): Promise<number> {
  const text = process.stdin.isTTY ? '' : await readStdin();
  if (text.trim() !== '') return runFunction(text, io);
  io.stderr(
    'error: standard input is empty; gari-fn reads a ResourceList, as in: kpt fn source PACKAGE | gari-fn (or kpt fn eval PACKAGE --exec gari-fn)\n',
  );
  return 2;
}
