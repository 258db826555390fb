import { type Change, formatChange, isProblem } from '../k8s/change-set.ts';
import { loadCredentials, NoCredentials } from '../k8s/credentials.ts';
import { StatusError } from '../k8s/status-error.ts';
import { Transport, UnreachableError } from '../k8s/transport.ts';
import type { Io } from './io.ts';

/** The flags of a command that talks to a cluster. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly dryRun?: 'server';
}

/** What a command does with a cluster; it tells of each change. */
export type ClusterWork = (transport: Transport, onChange: (change: Change) => void) => Promise<void>;

/** Something that keeps a command from its work; the message says all in one line. */
export class ClusterProblem extends Error {
  override readonly name = 'ClusterProblem';
}

/** Connects, does the work, prints each change and at the end what went wrong; returns the exit code. */
export async function withCluster(flags: ClusterFlags, io: Io, work: ClusterWork): Promise<number> {
  const problems: Change[] = [];
  const dryRun = flags.dryRun === 'server';
  const tell = (message: string): void => io.stderr(`error: ${message}\n`);
  let transport: Transport | undefined;
  try {
    transport = new Transport(await loadCredentials(flags));
    await work(transport, (change) => {
      if (isProblem(change)) problems.push(change);
      else io.stdout(`${formatChange(change, dryRun)}\n`);
    });
    for (const problem of problems) tell(formatChange(problem, dryRun));
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    // What had gone wrong until then must not be lost.
    for (const problem of problems) tell(formatChange(problem, dryRun));
    tell(explain(error));
    return 1;
  } finally {
    await transport?.close();
  }
}

function explain(error: unknown): string {
  if (
    error instanceof NoCredentials ||
    error instanceof UnreachableError ||
    error instanceof ClusterProblem
  ) {
    return error.message;
  }
  if (!(error instanceof StatusError)) return `unexpected: ${String(error).split('\n')[0]}`;
  if (error.code === 401) return 'the server does not take the credentials; they may have expired';
  return error.message;
}
