import process from 'node:process';
import { run } from './cli.ts';
import type { Io } from './io.ts';

// Whoever reads our output may stop early (`| head`): that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const io: Io = {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
};
void run(process.argv.slice(2), io).then((exitCode) => {
  process.exitCode = exitCode;
});
