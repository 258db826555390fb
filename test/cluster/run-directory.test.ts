import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isRunning, recordOf } from './process-identity.ts';
import { createRunDirectory, removeStaleRuns } from './run-directory.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'gari-runs-'));
});
afterEach(() => {
  rmSync(parent, { recursive: true, force: true });
});

/** A running process that nobody else ends. */
function sleeper() {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  return { child, pid: child.pid as number };
}

/** A run directory whose owner has ended. */
function staleRun(name: string, processes: unknown[]): string {
  const path = join(parent, name);
  mkdirSync(path);
  const record = { owner: { pid: process.pid, identity: 'an earlier process of this id' }, processes };
  writeFileSync(join(path, 'run.json'), JSON.stringify(record));
  return path;
}

test('a run that is going on is left alone', () => {
  const run = createRunDirectory(parent);
  run.remember(process.pid);
  expect(removeStaleRuns(parent)).toEqual([]);
  expect(existsSync(run.path)).toBe(true);
  run.remove();
  expect(readdirSync(parent)).toEqual([]);
});

test('a killed run is removed and its processes are ended', async () => {
  const { child, pid } = sleeper();
  const path = staleRun('run-killed', [recordOf(pid)]);
  const ended = once(child, 'exit');
  expect(removeStaleRuns(parent)).toEqual([expect.stringContaining('ended 1 of')]);
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(existsSync(path)).toBe(false);
});

test('a process that only has the same id is left alone', async () => {
  const { child, pid } = sleeper();
  staleRun('run-killed', [{ pid, identity: 'an earlier process of this id' }]);
  expect(removeStaleRuns(parent)).toEqual([expect.stringContaining('ended 0 of')]);
  expect(isRunning(recordOf(pid))).toBe(true);
  child.kill();
});

test('a directory without a record is removed only when it is old', () => {
  mkdirSync(join(parent, 'run-new'));
  expect(removeStaleRuns(parent)).toEqual([]);
  expect(readdirSync(parent)).toEqual(['run-new']);
});

test('the record is complete at any time', () => {
  const run = createRunDirectory(parent);
  run.remember(process.pid);
  const record = JSON.parse(readFileSync(join(run.path, 'run.json'), 'utf8')) as { processes: unknown[] };
  expect(record.processes).toEqual([recordOf(process.pid)]);
});
