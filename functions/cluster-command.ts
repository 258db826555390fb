import { constants } from 'node:os';
import process from 'node:process';
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

/** Enough to keep a server busy, and few enough to leave it to others as well. */
export const GATEWAYS_AT_A_TIME = 8;

/** What a command has to work with. */
export interface ClusterSession {
  readonly transport: Transport;
  /** Aborted when the user has had enough. */
  readonly signal: AbortSignal;
  /** Is told of each change. */
  readonly onChange: (change: Change) => void;
}

/** Something that keeps a command from its work; the message says all in one line. */
export class ClusterProblem extends Error {
  override readonly name = 'ClusterProblem';
}

const INTERRUPTIONS = ['SIGINT', 'SIGTERM'] as const;

class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: (typeof INTERRUPTIONS)[number]) {
    super('interrupted; another run finishes what is left');
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Connects, does the work, prints each change and at the end what went wrong; returns the exit code. On
 * SIGINT and SIGTERM the work is ended in order.
 */
export async function withCluster(
  flags: ClusterFlags,
  io: Io,
  work: (session: ClusterSession) => Promise<void>,
): Promise<number> {
  const problems = new Set<string>();
  const printed = new Set<string>();
  const dryRun = flags.dryRun === 'server';
  const tell = (message: string): void => io.stderr(`error: ${message}\n`);
  const onChange = (change: Change): void => {
    const line = formatChange(change, dryRun);
    if (isProblem(change)) problems.add(line);
    // The binding is many Gateways': what is said of it twice says nothing.
    else if (!printed.has(line)) io.stdout(`${line}\n`);
    printed.add(line);
  };
  const interruption = new AbortController();
  const interrupt = (signal: (typeof INTERRUPTIONS)[number]): void =>
    interruption.abort(new Interrupted(signal));
  for (const signal of INTERRUPTIONS) process.once(signal, interrupt);
  let transport: Transport | undefined;
  try {
    transport = new Transport(await loadCredentials(flags));
    await work({ transport, signal: interruption.signal, onChange });
    for (const problem of problems) tell(problem);
    return problems.size === 0 ? 0 : 1;
  } catch (error) {
    // What had gone wrong until then must not be lost.
    for (const problem of problems) tell(problem);
    tell(explain(error));
    return error instanceof Interrupted ? error.exitCode : 1;
  } finally {
    for (const signal of INTERRUPTIONS) process.off(signal, interrupt);
    await transport?.close();
  }
}

function explain(error: unknown): string {
  if (
    error instanceof NoCredentials ||
    error instanceof UnreachableError ||
    error instanceof ClusterProblem ||
    error instanceof Interrupted
  ) {
    return error.message;
  }
  if (!(error instanceof StatusError)) return `unexpected: ${String(error).split('\n')[0]}`;
  if (error.code === 401) return 'the server does not take the credentials; they may have expired';
  return error.message;
}
