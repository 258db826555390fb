import process from 'node:process';
import type { Io } from './io.ts';
import { isSystemError, systemReason } from './system-error.ts';

/** The process's own streams. */
export const processIo: Io = {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
};

/**
 * Runs a command and sets the process's exit code: what nobody foresaw is one line too, and exit code 1.
 * Whoever reads our output may stop early (`| head`): that is no error.
 */
export function runProcess(command: Promise<number>): void {
  const fail = (error: unknown): void => {
    const why = isSystemError(error)
      ? `${error.path ?? 'standard input'}: ${systemReason(error)}`
      : oneLine(error);
    process.stderr.write(`error: ${why}\n`);
    process.exitCode = 1;
  };
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(
      `error: standard output: ${isSystemError(error) ? systemReason(error) : error.message}\n`,
    );
    process.exit(1);
  });
  command.then((exitCode) => {
    process.exitCode = exitCode;
  }, fail);
}

function oneLine(error: unknown): string {
  return `${String(error).split('\n')[0]} (a fault in gari; please report it)`;
}
