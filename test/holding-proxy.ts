import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { ClusterInfo } from './cluster/cluster.ts';

/** A request that passes. */
export interface PassingRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/** What a proxy says in place of the server. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** A proxy in front of an API server. */
export interface HoldingProxy {
  /** Path of a kubeconfig that goes through it. */
  readonly kubeconfig: string;
  /** What has passed, in order: `PATCH /api/v1/…`. */
  readonly passed: string[];
}

/**
 * Starts a proxy for the running test. Before it passes a request on, it waits for `hold`, so that something can
 * happen between what a client has read and what it writes. An answer that `lose` says yes to never arrives; what
 * `refuse` has an answer for never reaches the server.
 */
export async function holdingProxy(
  cluster: Pick<ClusterInfo, 'server' | 'ca' | 'token' | 'directory'>,
  hold: (request: PassingRequest) => Promise<void> | undefined,
  lose: (request: PassingRequest, status: number) => boolean = () => false,
  refuse: (request: PassingRequest) => Refusal | undefined = () => undefined,
): Promise<HoldingProxy> {
  const passed: string[] = [];
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = incoming;
    const path = new URL(url, cluster.server).pathname;
    const body = await buffer(incoming);
    await hold({ method, path });
    const refusal = refuse({ method, path });
    if (refusal !== undefined) {
      const { code, message, retryAfter } = refusal;
      outgoing.writeHead(code, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
      outgoing.end(JSON.stringify({ apiVersion: 'v1', kind: 'Status', status: 'Failure', code, message }));
      return;
    }
    passed.push(`${method} ${path}`);
    const send = cluster.server.startsWith('https:') ? httpsRequest : httpRequest;
    const { host: _, ...rest } = headers;
    const upstream = send(
      new URL(url, cluster.server),
      { method, headers: rest, ca: cluster.ca, agent: false },
      (answer) => {
        if (lose({ method, path }, answer.statusCode ?? 502)) {
          outgoing.destroy();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    upstream.on('error', () => outgoing.destroy());
    upstream.end(body);
  };
  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(cluster.directory, `proxy-${randomBytes(4).toString('hex')}.json`);
  const named = { name: 'proxy', context: { cluster: 'proxy', user: 'proxy' } };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'proxy',
          cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true },
        },
      ],
      contexts: [named],
      users: [{ name: 'proxy', user: { token: cluster.token } }],
      'current-context': 'proxy',
    }),
  );
  return { kubeconfig, passed };
}
