// Faults that a real API server cannot be asked for.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StatusError } from './status-error.ts';
import { Transport, UnreachableError } from './transport.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that gives these answers in turn, the last one for ever. */
async function server(...answers: Answer[]) {
  return serverWith({}, ...answers);
}

async function serverWith({ timeoutMs }: { timeoutMs?: number }, ...answers: Answer[]) {
  const requests: IncomingMessage[] = [];
  const http = createServer((request, response) => {
    const answer = answers[Math.min(requests.push(request), answers.length) - 1];
    request.resume();
    answer?.(response, request);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  let token = 0;
  const credentials = {
    server: url,
    insecure: false,
    authorization: async (refresh: boolean) => ({
      authorization: `Bearer ${++token}${refresh ? ' fresh' : ''}`,
    }),
  };
  const transport = new Transport(credentials, timeoutMs);
  onTestFinished(async () => {
    await transport.close().catch(() => undefined);
    http.closeAllConnections();
    http.close();
  });
  return { transport, requests, http, url };
}

const answer =
  (code: number, body: object | string = {}, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

describe('Transport', () => {
  it('keeps its connections, and asks for the credentials anew each time', async () => {
    const sockets = new Set<unknown>();
    const { transport, requests } = await server((response, request) => {
      sockets.add(request.socket);
      response.end('{"a": 1, "unknown": [null]}');
    });
    for (let count = 0; count < 20; count++) {
      expect(await transport.request('GET', '/x')).toEqual({ a: 1, unknown: [null] });
    }
    // One, or a second where the first was not free yet.
    expect(sockets.size).toBeLessThanOrEqual(2);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(
      requests.map((_, index) => `Bearer ${index + 1}`),
    );
  });

  it('finds a server behind a path', async () => {
    const { url, requests } = await server(answer(200));
    for (const path of ['/k8s/clusters/c-1', '/k8s/clusters/c-1/']) {
      const credentials = { server: `${url}${path}`, insecure: false, authorization: async () => ({}) };
      const transport = new Transport(credentials);
      onTestFinished(() => transport.close());
      await transport.request('GET', '/api/v1/x', { query: { limit: '1' } });
    }
    expect(requests.map((request) => request.url)).toEqual(
      Array(2).fill('/k8s/clusters/c-1/api/v1/x?limit=1'),
    );
  });

  it('waits as long as the server asks for, and tries again', async () => {
    const { transport, requests } = await server(
      answer(429, {}, { 'retry-after': '0' }),
      answer(429, {}, { 'retry-after': '0' }),
      answer(200, { done: true }),
    );
    expect(await transport.request('GET', '/x')).toEqual({ done: true });
    expect(requests).toHaveLength(3);
  });

  it('gives up when the server is too busy for long', async () => {
    const { transport, requests } = await server(
      answer(429, { message: 'too many' }, { 'retry-after': '0' }),
    );
    await expect(transport.request('GET', '/x')).rejects.toMatchObject({
      code: 429,
      message: 'too many',
      retryAfter: 0,
    });
    expect(requests).toHaveLength(5);
  });

  it('waits where the server asks for it with a 5xx, and not where it only fails', async () => {
    const starting = await server(answer(503, {}, { 'retry-after': '0' }), answer(200, { done: true }));
    expect(await starting.transport.request('GET', '/x')).toEqual({ done: true });
    const broken = await server(answer(503));
    await expect(broken.transport.request('GET', '/x')).rejects.toMatchObject({ code: 503 });
    expect(broken.requests).toHaveLength(1);
  });

  it.each(['31', 'Wed, 01 Dec 2100 00:00:00 GMT'])(
    'leaves it to others to wait for a 503 with Retry-After: %s',
    async (after) => {
      const { transport, requests } = await server(answer(503, {}, { 'retry-after': after }));
      await expect(transport.request('GET', '/x')).rejects.toMatchObject({ code: 503 });
      expect(requests).toHaveLength(1);
    },
  );

  it('asks once for fresh credentials when they are refused', async () => {
    const { transport, requests } = await server(answer(401), answer(200, { done: true }), answer(401));
    expect(await transport.request('GET', '/x')).toEqual({ done: true });
    await expect(transport.request('GET', '/x')).rejects.toMatchObject({ code: 401 });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      ...['Bearer 1', 'Bearer 2 fresh', 'Bearer 3', 'Bearer 4 fresh'],
    ]);
  });

  it('goes through a proxy', async () => {
    const { url } = await server(answer(200, { done: true }));
    const asked: (string | undefined)[] = [];
    const proxy = createServer().on('connect', (request: IncomingMessage, socket: Socket) => {
      asked.push(request.url);
      const upstream = connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const transport = new Transport({
      server: url,
      insecure: false,
      proxy: `http://127.0.0.1:${port}`,
      authorization: async () => ({}),
    });
    onTestFinished(async () => {
      await transport.close();
      proxy.close();
    });
    expect(await transport.request('GET', '/x')).toEqual({ done: true });
    expect(asked).toEqual([new URL(url).host]);
  });

  it('says what the server says', async () => {
    const status = { message: 'no', reason: 'Conflict', details: { causes: [{ reason: 'X', field: 'a' }] } };
    const { transport } = await server(answer(409, status));
    const error = await transport.request('PATCH', '/x', { body: '{}' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'no',
      causes: status.details.causes,
    });
  });

  it.each([
    [400, '', true],
    [422, '', true],
    [500, 'failed to create typed patch object (…): duplicate entries for key', true],
    [500, 'etcdserver: request is too large', true],
    [500, 'etcdserver: request timed out', false],
    [405, '', true],
    [413, '', true],
    [415, '', true],
    [401, '', false],
    [403, '', false],
    [404, '', false],
    [409, '', false],
    [429, '', false],
    [503, '', false],
    [504, '', false],
  ])('%d %s is terminal: %s', (code, message, terminal) => {
    expect(new StatusError(code, JSON.stringify({ message }), undefined).isTerminal).toBe(terminal);
  });

  it('shows an answer that is no Status', async () => {
    const { transport } = await server(answer(502, '<html>bad gateway</html>'));
    await expect(transport.request('GET', '/x')).rejects.toThrow('HTTP 502: <html>bad gateway</html>');
  });

  it('says that there is no answer', async () => {
    const { transport, url } = await server((response) => response.destroy());
    await expect(transport.request('GET', '/x')).rejects.toThrow(UnreachableError);
    await expect(transport.request('GET', '/x')).rejects.toThrow(`${url} cannot be reached: `);
  });

  it.each([
    ['begin', (() => undefined) as Answer],
    [
      'go on',
      ((response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{');
      }) as Answer,
    ],
  ])('does not wait for ever for an answer to %s', async (_, silent) => {
    const { transport, requests } = await serverWith({ timeoutMs: 100 }, silent);
    await expect(transport.request('GET', '/x')).rejects.toThrow(/cannot be reached: .*[Tt]imeout/);
    expect(requests).toHaveLength(1);
  });

  it('says that the answer broke off', async () => {
    const { transport } = await server((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    });
    await expect(transport.request('GET', '/x')).rejects.toThrow(UnreachableError);
  });

  it('says that it is not an API server that answers', async () => {
    const { transport, url } = await server(answer(200, '<html>log in</html>'));
    await expect(transport.request('GET', '/x')).rejects.toThrow(
      `${url} is no API server: it answers "<html>log in</html>"`,
    );
  });

  it('can be aborted', async () => {
    const abort = new AbortController();
    const { transport } = await server(() => abort.abort(new Error('enough')));
    await expect(transport.request('GET', '/x', { signal: abort.signal })).rejects.toThrow('enough');
  });

  it('can be aborted while it waits for what the server asks for, and before it begins', async () => {
    const abort = new AbortController();
    const { transport, requests } = await server((response, request) => {
      answer(429, {}, { 'retry-after': '30' })(response, request);
      response.on('close', () => setImmediate(() => abort.abort(new Error('enough'))));
    });
    const aborted = () => transport.request('GET', '/x', { signal: abort.signal });
    await expect(aborted()).rejects.toThrow('enough');
    await expect(aborted()).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });

  it('lets any number of requests share a signal', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => {
      process.off('warning', note);
    });
    const { transport } = await server(answer(200));
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 50 }, () => transport.request('GET', '/x', { signal })));
    expect(warnings).toEqual([]);
  });

  it('sends the query and the content type', async () => {
    const { transport, requests } = await server(answer(200));
    const query = { fieldManager: 'gari', force: true, dryRun: undefined };
    await transport.request('PATCH', '/x', {
      query,
      body: '{}',
      contentType: 'application/apply-patch+yaml',
    });
    expect(requests[0]?.url).toBe('/x?fieldManager=gari&force=true');
    expect(requests[0]?.headers['content-type']).toBe('application/apply-patch+yaml');
  });

  describe('watch', () => {
    const forever = new AbortController().signal;
    const events = async (transport: Transport, signal = forever) => {
      const seen: unknown[] = [];
      for await (const event of transport.watch('/x', { resourceVersion: '5' }, signal)) seen.push(event);
      return seen;
    };

    it('yields events however the text is cut, and holds up no request', async () => {
      const text = Buffer.from('{"type": "ADDED", "name": "é"}\n{"type": "BOOKMARK"}\n');
      let end: () => void = () => undefined;
      const { transport, requests } = await server(
        (response) => {
          for (const byte of text) response.write(Buffer.of(byte));
          end = () => response.end();
        },
        answer(200, { done: true }),
      );
      const seen = events(transport);
      await expect.poll(() => requests.length).toBe(1);
      for (let count = 0; count < 20; count++) await transport.request('GET', '/y');
      end();
      expect(await seen).toEqual([{ type: 'ADDED', name: 'é' }, { type: 'BOOKMARK' }]);
      expect(requests[0]?.url).toBe('/x?resourceVersion=5&watch=true');
    });

    it('says that it was refused, with the time to wait', async () => {
      const { transport } = await server(
        answer(410, { message: 'too old', reason: 'Expired' }, { 'retry-after': '3' }),
      );
      await expect(events(transport)).rejects.toMatchObject({ code: 410, reason: 'Expired', retryAfter: 3 });
    });

    it('asks once for fresh credentials when they are refused', async () => {
      const { transport, requests } = await server(answer(401), (response) => response.end('{}\n'));
      expect(await events(transport)).toEqual([{}]);
      expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer 1', 'Bearer 2 fresh']);
    });

    it('says that it is not an API server that answers', async () => {
      const { transport, url } = await server(answer(200, '<html>\n'));
      await expect(events(transport)).rejects.toThrow(`${url} is no API server: it answers "<html>"`);
    });

    it('says that it broke off', async () => {
      const { transport } = await server((response) => {
        response.write('{}\n', () => response.destroy());
      });
      await expect(events(transport)).rejects.toThrow(/^the watch of \/x broke off: /);
    });

    it('can be ended from outside', async () => {
      const abort = new AbortController();
      const { transport } = await server((response) => {
        response.write('{}\n', () => abort.abort(new Error('enough')));
      });
      await expect(events(transport, abort.signal)).rejects.toThrow('enough');
    });
  });
});
