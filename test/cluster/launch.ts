import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Assets } from './assets.ts';
import { eventually } from './eventually.ts';
import type { ChoosePorts } from './ports.ts';
import { type ManagedProcess, startProcess } from './process.ts';
import type { RunDirectory } from './run-directory.ts';
import { lastLines } from './text.ts';

/** What every program of a cluster is started with. */
export interface Launcher {
  readonly assets: Assets;
  readonly run: RunDirectory;
}

/** How one program is started. */
export interface Program {
  /** Name of the binary, the log file and the messages. */
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Resolves to true when the program does its work. */
  readonly ready: () => Promise<boolean>;
}

/** Starts a program and waits until it is ready; on failure it is stopped and its last words are in the error. */
export async function launch(launcher: Launcher, program: Program): Promise<ManagedProcess> {
  const { assets, run } = launcher;
  const { name, args, env = {} } = program;
  const logFile = join(run.path, `${name}.log`);
  const process = await startProcess({ name, command: assets.path(name), args, env, logFile });
  run.remember(process.pid);
  try {
    // A program that has ended is no longer asked: what answers at its address, or does not, is another one.
    const ready = () => Promise.race([program.ready(), process.exited.then(() => false)]);
    await eventually(`${name} is ready`, ready, {
      timeoutMs: 90_000,
      giveUp: () => (process.ended ? 'it has ended' : undefined),
    });
  } catch (error) {
    await process.stop();
    throw new Error(`${(error as Error).message}; its log (${logFile}) ends with: ${lastLines(logFile)}`);
  }
  return process;
}

/**
 * Launches a program that listens on ports; where one of them was taken meanwhile, once more with others.
 * `program` gets the ports.
 */
export async function launchOnFreePorts<T extends number[]>(
  launcher: Launcher,
  count: T['length'],
  program: (...ports: T) => Program,
  choose: ChoosePorts,
): Promise<{ process: ManagedProcess; ports: T }> {
  for (let attempt = 1; ; attempt += 1) {
    const ports = (await choose(count)) as T;
    const { name, ...rest } = program(...ports);
    try {
      return { process: await launch(launcher, { name, ...rest }), ports };
    } catch (error) {
      const log = readFileSync(join(launcher.run.path, `${name}.log`), 'utf8');
      if (attempt === 5 || !log.includes('address already in use')) throw error;
    }
  }
}
