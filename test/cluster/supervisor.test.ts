import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { eventually } from './eventually.ts';
import { startProcess } from './process.ts';
import { isRunning, type ProcessRecord, recordOf } from './process-identity.ts';

const PROCESS_MODULE = fileURLToPath(new URL('./process.ts', import.meta.url));
/** A command that starts another one and ignores polite signals, the worst case. */
const STUBBORN = ['-c', 'trap "" TERM INT HUP; sleep 600 & echo $!; wait; sleep 600'];

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gari-supervisor-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** A process that starts the stubborn command the way a test run starts a cluster's programs. */
async function startParent(): Promise<{ parent: ChildProcess; pids: ProcessRecord[] }> {
  const script = `
    const { startProcess } = await import(${JSON.stringify(PROCESS_MODULE)});
    const options = ${JSON.stringify({ name: 'stubborn', command: 'sh', args: STUBBORN, logFile: join(directory, 'log') })};
    console.log((await startProcess(options)).pid);
    // Should this test be killed, that process must not stay either.
    process.stdin.resume().on('close', () => process.exit());`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: parent.stdout as Readable }), 'line')) as [string];
  return { parent, pids: [recordOf(Number(line)), recordOf(await grandchild())] };
}

/** The stubborn command has written the process id of its own child to its log. */
function grandchild(): Promise<number> {
  return eventually('the command has started its own', () =>
    Number(readFileSync(join(directory, 'log'), 'utf8')),
  );
}

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'a parent ended by %s takes all with it',
  async (signal) => {
    const { parent, pids } = await startParent();
    expect(pids.map(isRunning)).toEqual([true, true]);
    parent.kill(signal);
    await once(parent, 'exit');
    await eventually('all have ended', () => !pids.some(isRunning));
  },
);

test('stop ends the command and what it has started', async () => {
  const process = await startProcess({
    name: 'stubborn',
    command: 'sh',
    args: STUBBORN,
    logFile: join(directory, 'log'),
  });
  onTestFinished(() => process.stop());
  const pids = [recordOf(process.pid), recordOf(await grandchild())];
  expect(process.ended).toBe(false);
  await process.stop();
  expect(process.ended).toBe(true);
  await eventually('all have ended', () => !pids.some(isRunning));
});

test('a command that cannot be started is an error that says so', async () => {
  const missing = {
    name: 'missing',
    command: join(directory, 'missing'),
    args: [],
    logFile: join(directory, 'log'),
  };
  await expect(startProcess(missing)).rejects.toThrow(/missing did not start: cannot start .*ENOENT/);
});
