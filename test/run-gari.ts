import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../functions/cli.ts';

/** What a run of the command line has printed. */
export interface GariResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `gari COMMAND FILE FLAGS…` in this process, with a file that holds these objects. */
export async function runGari(
  command: string,
  objects: readonly object[],
  ...flags: readonly string[]
): Promise<GariResult> {
  const file = join(tmpdir(), `gari-${randomBytes(6).toString('hex')}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  try {
    return await gari(command, file, ...flags);
  } finally {
    rmSync(file);
  }
}

/** Runs `gari ARGUMENTS…` in this process. */
export async function gari(...args: readonly string[]): Promise<GariResult> {
  let [stdout, stderr] = ['', ''];
  const io = {
    stdout: (text: string) => {
      stdout += text;
    },
    stderr: (text: string) => {
      stderr += text;
    },
  };
  return { exitCode: await run(args, io), stdout, stderr };
}
