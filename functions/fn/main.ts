import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import manifest from '../../package.json' with { type: 'json' };
import type { Io } from '../io.ts';
import { processIo, runProcess } from '../process-io.ts';
import { readStdin } from '../read-stdin.ts';
import { CONFIG_KIND } from './function-config.ts';
import { DOC, helpText } from './help.ts';
import { runKustomizePlugin } from './kustomize-plugin.ts';
import { runStdin } from './run-stdin.ts';

runProcess(main(process.argv.slice(1), processIo));

async function main([program = '', ...args]: readonly string[], io: Io): Promise<number> {
  const [first] = args;
  // kustomize finds a plugin by the name of its kind, and gives it the configuration as a file.
  if (basename(program) === CONFIG_KIND && first !== undefined) {
    return runKustomizePlugin(readFileSync(first, 'utf8'), await readStdin(), io);
  }
  switch (first) {
    case undefined:
      return runStdin(io);
    case '--help':
    case '-h':
      io.stdout(helpText());
      return 0;
    case '--doc':
      io.stdout(`${JSON.stringify({ ...DOC, name: 'gari-fn', version: manifest.version })}\n`);
      return 0;
    case '--version':
      io.stdout(`${manifest.version}\n`);
      return 0;
    default:
      io.stderr(
        `error: gari-fn takes no argument ${first}; options stand in the functionConfig, see gari-fn --help\n`,
      );
      return 2;
  }
}
