import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is answered. */
export interface Answer {
  readonly ok: boolean;
  readonly body: string;
  readonly contentType?: string;
}

/** What is asked for, by path. */
export type Routes = Readonly<Record<string, () => Answer | Promise<Answer>>>;

/** A running server. */
export interface HealthServer {
  /** Where it listens; another than asked for where that was 0. */
  readonly port: number;
  close(): Promise<void>;
}

/** A port that cannot be listened on; the message says which and why. */
class PortUnavailable extends Error {
  override readonly name = 'PortUnavailable';
}

/**
 * Answers probes and scrapes: 200, or 503 where the answer is not ok.
 * @throws {PortUnavailable} if the port is taken or not allowed.
 */
export async function startHealthServer(port: number, routes: Routes): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) {
      response.writeHead(404).end();
      return;
    }
    Promise.resolve()
      .then(route)
      .catch((error: unknown): Answer => ({ ok: false, body: `${String(error)}\n` }))
      .then(({ ok, body, contentType = 'text/plain; charset=utf-8' }) => {
        response.writeHead(ok ? 200 : 503, { 'content-type': contentType }).end(body);
      });
  });
  await listen(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // A scraper keeps its connection open.
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }) =>
      reject(new PortUnavailable(`port ${port} cannot be listened on: ${message}`)),
    );
    server.listen(port, resolve);
  });
}
