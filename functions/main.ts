import process from 'node:process';
import { run } from './cli.ts';
import { processIo, runProcess } from './process-io.ts';

runProcess(run(process.argv.slice(2), processIo));
