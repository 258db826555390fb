import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Transport } from '../k8s/transport.ts';

/** Answers a request in place of the server; without `true` the server answers itself. */
export type Fault = (response: ServerResponse, url: URL) => boolean;

/** A request for all objects, or for a watch. */
export interface FaultServerRequest {
  readonly what: 'list' | 'watch';
  readonly query: URLSearchParams;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    uid: string;
    resourceVersion: string;
  };
  readonly data: string;
}

interface Event {
  readonly type: string;
  readonly object: object;
  readonly version: number;
}

/** An API server of one kind of object, in memory, for the faults that no real one can be asked for. */
export class FaultServer {
  readonly requests: FaultServerRequest[] = [];
  onList: Fault | undefined;
  onWatch: Fault | undefined;
  /** The most objects of one page. */
  pageSize = 500;
  readonly #objects = new Map<string, Stored>();
  #history: Event[] = [];
  readonly #watches = new Set<ServerResponse>();
  #version = 100;
  #uid = 0;
  #compacted = 0;

  /** How many watches are open. */
  get open(): number {
    return this.#watches.size;
  }

  /** Creates or changes an object. */
  put(name: string, data = ''): void {
    const before = this.#objects.get(name);
    const uid = before?.metadata.uid ?? `uid-${++this.#uid}`;
    const resourceVersion = String(++this.#version);
    const object = { metadata: { name, namespace: 'default', uid, resourceVersion }, data };
    this.#objects.set(name, object);
    this.#record(before === undefined ? 'ADDED' : 'MODIFIED', object);
  }

  /** Deletes an object. */
  delete(name: string): void {
    const before = this.#objects.get(name);
    if (before === undefined) throw new Error(`there is no ${name}`);
    this.#objects.delete(name);
    this.#record('DELETED', {
      ...before,
      metadata: { ...before.metadata, resourceVersion: String(++this.#version) },
    });
  }

  /** Tells the watches how far they are. */
  bookmark(): void {
    this.#record('BOOKMARK', { metadata: { resourceVersion: String(++this.#version) } });
  }

  /** Forgets what has been: a watch that starts before now is too old. */
  compact(): void {
    this.#history = [];
    this.#compacted = this.#version;
  }

  /** Sends text to all open watches. */
  send(text: string): void {
    for (const response of this.#watches) response.write(text);
  }

  /** Ends all open watches; cut off, they end without a word. */
  endWatches(how: 'orderly' | 'cut off' = 'orderly'): void {
    for (const response of this.#watches) {
      if (how === 'orderly') response.end();
      else response.socket?.resetAndDestroy();
    }
    this.#watches.clear();
  }

  /** The names and data of all objects, as a store should have them. */
  get content(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#objects].map(([name, { data }]) => [name, data]));
  }

  /** Answers a request. */
  answer(response: ServerResponse, url: URL): void {
    const what = url.searchParams.get('watch') === 'true' ? 'watch' : 'list';
    this.requests.push({ what, query: url.searchParams, at: performance.now() });
    if ((what === 'watch' ? this.onWatch : this.onList)?.(response, url)) return;
    if (what === 'watch') this.#watch(response, url.searchParams);
    else this.#list(response, url.searchParams);
  }

  #list(response: ServerResponse, query: URLSearchParams): void {
    const start = Number(query.get('continue') ?? 0);
    const all = [...this.#objects.values()];
    const end = Math.min(start + Math.min(this.pageSize, Number(query.get('limit'))), all.length);
    const metadata = {
      resourceVersion: String(this.#version),
      ...(end < all.length ? { continue: String(end) } : {}),
    };
    response.end(JSON.stringify({ kind: 'ConfigMapList', metadata, items: all.slice(start, end) }));
  }

  #watch(response: ServerResponse, query: URLSearchParams): void {
    const since = Number(query.get('resourceVersion'));
    response.flushHeaders();
    if (since < this.#compacted) {
      response.end(line('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }));
      return;
    }
    for (const { type, object, version } of this.#history)
      if (version > since) response.write(line(type, object));
    this.#watches.add(response);
    response.on('close', () => this.#watches.delete(response));
  }

  #record(type: string, object: object): void {
    this.#history.push({ type, object, version: this.#version });
    this.send(line(type, object));
  }
}

/** A server for the running test, and a transport to it that waits `timeoutMs` for answers. */
export async function faultServer(timeoutMs = 1_000): Promise<{ server: FaultServer; transport: Transport }> {
  const server = new FaultServer();
  const http = createServer((request, response) => {
    request.resume();
    server.answer(response, new URL(request.url ?? '', 'http://server'));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const transport = new Transport(
    { server: url, insecure: false, authorization: async () => ({}) },
    timeoutMs,
  );
  onTestFinished(async () => {
    await transport.close().catch(() => undefined);
    http.closeAllConnections();
    http.close();
  });
  return { server, transport };
}

/** An event as a watch sends it. */
export function line(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}

/** A refusal in the API server's words. */
export function refuse(code: number, reason: string, retryAfter?: number): Fault {
  return (response) => {
    response.writeHead(code, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
    response.end(JSON.stringify({ kind: 'Status', code, reason, message: `refused: ${reason}` }));
    return true;
  };
}
