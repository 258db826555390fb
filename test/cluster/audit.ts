import { randomUUID } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { createClient } from './client.ts';
import type { ClusterInfo } from './cluster.ts';
import { eventually } from './eventually.ts';

/** One line of the audit log, as far as tests read it. */
export interface AuditEvent {
  readonly stage: 'ResponseStarted' | 'ResponseComplete' | 'Panic';
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly subresource?: string;
  };
  /** When the request arrived, and when this stage was reached. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly responseStatus?: { readonly code?: number };
}

/** A place in the audit log, behind all that has been asked before. */
export async function auditMark(cluster: ClusterInfo): Promise<number> {
  // An event is written just after its answer was sent: a request of our own is waited for, which is behind them.
  const { size: before } = await stat(cluster.auditLog);
  const path = `/version?mark=${randomUUID()}`;
  await createClient(cluster).request('GET', path);
  return eventually('the audit log has the mark', async () => {
    const text = await readFrom(cluster.auditLog, before);
    const position = text.indexOf(path);
    const end = text.indexOf('\n', position);
    return position !== -1 && end !== -1 && before + Buffer.byteLength(text.slice(0, end + 1));
  });
}

/**
 * The requests that were answered since a mark, in order. Count with a filter on `user.username`: the controllers
 * of the cluster never rest. A watch appears twice, as ResponseStarted and, once it ends, as ResponseComplete.
 */
export async function auditEvents(cluster: ClusterInfo, since = 0): Promise<AuditEvent[]> {
  const end = await auditMark(cluster);
  const text = Buffer.from(await readFrom(cluster.auditLog, since))
    .subarray(0, end - since)
    .toString();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter((event) => !event.requestURI.startsWith('/version?mark='));
}

async function readFrom(file: string, position: number): Promise<string> {
  const handle = await open(file);
  try {
    const length = Math.max(0, (await handle.stat()).size - position);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead).toString();
  } finally {
    await handle.close();
  }
}
