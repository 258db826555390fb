import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { lastLines } from './text.ts';

const SUPERVISOR = fileURLToPath(new URL('./supervisor.mjs', import.meta.url));

/** A command that runs under the supervisor and ends with this process at the latest. */
export interface ManagedProcess {
  readonly name: string;
  /** Process id of the command itself (not of its supervisor). */
  readonly pid: number;
  readonly logFile: string;
  /** True once the command has ended. */
  readonly ended: boolean;
  /** Resolves when the command has ended. */
  readonly exited: Promise<unknown>;
  /** Sends a signal to the command and waits until it has ended. */
  signal(signal: NodeJS.Signals): Promise<void>;
  /** Kills the command and all it has started, and waits until it has ended. */
  stop(): Promise<void>;
}

/** What {@link startProcess} needs. */
export interface ProcessOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Gets standard output and error; appended to, so that a restart keeps the earlier lines. */
  readonly logFile: string;
}

/**
 * Spawns the supervisor with a command. The returned process's `stdin` is the life line: closing it kills the
 * command. `detached` keeps a Ctrl-C in the terminal away from it, so that we decide the order of the end.
 */
export function spawnSupervised(
  command: string,
  args: readonly string[],
  output: number | 'pipe',
  env: NodeJS.ProcessEnv = process.env,
  cwd?: string,
): ChildProcess {
  return spawn(process.execPath, [SUPERVISOR, command, ...args], {
    detached: true,
    stdio: ['pipe', output, output, 'pipe'],
    env,
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** Starts a long-running command; resolves as soon as it has a process id. */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  const log = openSync(options.logFile, 'a');
  const supervisor = spawnSupervised(options.command, options.args, log, { ...process.env, ...options.env });
  closeSync(log);
  const exited = once(supervisor, 'exit');
  // An end of the supervisor while we hold the pipe shows as EPIPE; the exit event says the same.
  supervisor.stdin?.on('error', () => {});
  const pid = await firstLine(supervisor.stdio[3] as Readable);
  if (pid === undefined) throw new Error(`${options.name} did not start: ${lastLines(options.logFile)}`);
  // Neither the pipes nor the supervisor may keep this process from ending by itself.
  supervisor.unref();
  return {
    name: options.name,
    pid: Number(pid),
    logFile: options.logFile,
    exited,
    get ended() {
      return supervisor.exitCode !== null || supervisor.signalCode !== null;
    },
    async signal(signal) {
      supervisor.ref();
      try {
        process.kill(Number(pid), signal);
      } catch {
        // Already ended.
      }
      await exited;
    },
    async stop() {
      supervisor.ref();
      supervisor.stdin?.end();
      await exited;
    },
  };
}

async function firstLine(stream: Readable): Promise<string | undefined> {
  const lines = createInterface({ input: stream });
  for await (const line of lines) {
    stream.destroy();
    return line;
  }
  return undefined;
}
