import { readFileSync } from 'node:fs';
import { run } from '../functions/cli.ts';

/** What `gari render` did. */
export interface RenderRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The flags of a fixture: what its first line, `# gari render [FLAGS]`, says. */
export function flagsOf(path: string): readonly string[] {
  const [firstLine = ''] = readFileSync(path, 'utf8').split(/\r?\n/);
  const flags = /^# gari render ?(.*)$/.exec(firstLine)?.[1];
  if (flags === undefined) throw new Error(`${path}: the first line must be "# gari render [FLAGS]"`);
  return flags.split(' ').filter((flag) => flag !== '');
}

/** Runs `gari render` in this process. */
export async function gariRender(...args: readonly string[]): Promise<RenderRun> {
  let [stdout, stderr] = ['', ''];
  const exitCode = await run(['render', ...args], {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
  });
  return { exitCode, stdout, stderr };
}
