import process from 'node:process';
import { run } from './cli.ts';
import { endSilentlyOnBrokenPipe, processIo } from './process-io.ts';

endSilentlyOnBrokenPipe();
void run(process.argv.slice(2), processIo).then((exitCode) => {
  process.exitCode = exitCode;
});
