import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isRunning, type ProcessRecord, recordOf } from './process-identity.ts';

const RECORD = 'run.json';

interface RunRecord {
  readonly owner: ProcessRecord;
  readonly processes: readonly ProcessRecord[];
}

/** One cluster's temporary directory: data, keys, logs, and the record that lets a later run clean up. */
export interface RunDirectory {
  readonly path: string;
  /** Remembers a process that must not outlive this one. */
  remember(pid: number): void;
  remove(): void;
}

/** The directory that holds the run directories of this user. */
function runsDirectory(): string {
  return join(tmpdir(), `gari-cluster-${userInfo().uid}`);
}

/** Creates a run directory that belongs to this process. */
export function createRunDirectory(parent: string = runsDirectory()): RunDirectory {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const path = mkdtempSync(join(parent, 'run-'));
  const owner = recordOf(process.pid);
  const processes: ProcessRecord[] = [];
  const write = () => {
    const record: RunRecord = { owner, processes };
    // Renamed into place: a reader never sees half of it.
    writeFileSync(join(path, `${RECORD}.new`), JSON.stringify(record));
    renameSync(join(path, `${RECORD}.new`), join(path, RECORD));
  };
  write();
  return {
    path,
    remember(pid) {
      processes.push(recordOf(pid));
      write();
    },
    remove() {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/**
 * Ends and removes what killed runs have left. The supervisors have normally ended their processes already; this
 * is for the case that they were killed too. Only a process with the recorded id and start time is ended.
 * Returns one line per run that was cleaned up.
 */
export function removeStaleRuns(parent: string = runsDirectory()): string[] {
  const lines: string[] = [];
  for (const name of listRuns(parent)) {
    const path = join(parent, name);
    const record = readRecord(join(path, RECORD));
    if (record === undefined) {
      // Its owner is between the two steps of creating it, or was killed there. Nothing was started.
      if (Date.now() - statSync(path).mtimeMs > 60_000) rmSync(path, { recursive: true, force: true });
      continue;
    }
    if (isRunning(record.owner)) continue;
    const running = record.processes.filter(isRunning);
    for (const { pid } of running) kill(pid);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    lines.push(
      `removed what an earlier run (process ${record.owner.pid}) left, ended ${running.length} of its processes`,
    );
  }
  return lines;
}

function listRuns(parent: string): string[] {
  try {
    return readdirSync(parent).filter((name) => name.startsWith('run-'));
  } catch {
    return [];
  }
}

function readRecord(file: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunRecord;
  } catch {
    return undefined;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in between.
  }
}
