import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Something that differs between two processes that have had the same id: the start time.
 * `undefined` when no such process runs.
 */
function processIdentity(pid: number): string | undefined {
  try {
    // Field 22 of /proc/PID/stat; field 2 is the name in brackets and may hold blanks.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, whatever its parent still has to do.
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    if (process.platform === 'linux') return undefined;
  }
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    // Without blanks and dashes, so that it can be part of a file name.
    return started === '' ? undefined : started.replace(/\W+/g, '_');
  } catch {
    return undefined;
  }
}

/** A process as written to a file: the id alone could mean another one by the time it is read. */
export interface ProcessRecord {
  readonly pid: number;
  readonly identity: string;
}

/** The record of a running process. */
export function recordOf(pid: number): ProcessRecord {
  return { pid, identity: processIdentity(pid) ?? 'ended' };
}

/** True while the very process that was recorded is running. */
export function isRunning(record: ProcessRecord): boolean {
  return processIdentity(record.pid) === record.identity;
}
