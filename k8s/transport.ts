import { setMaxListeners } from 'node:events';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import type { Credentials } from './credentials.ts';
import { pause } from './pause.ts';
import { StatusError } from './status-error.ts';

/** What a request carries. */
export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | boolean | undefined>>;
  /** Sent as it is. */
  readonly body?: string;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Is told of each request that was answered, by host and code, or was not (`<error>`). */
export type RequestObserver = (method: string, host: string, code: number | '<error>') => void;

/** An API server that cannot be reached at all; the message says which and why. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

const UNAUTHORIZED = 401;
const TOO_MANY_REQUESTS = 429;
const MOST_TRIES = 5;
const LONGEST_WAIT_S = 30;
const TIMEOUT_MS = 30_000;

/** Requests to one API server over a pool of connections that stay open. Objects are plain JSON, unknown fields included. */
export class Transport {
  readonly #credentials: Credentials;
  readonly #agent: Dispatcher;
  readonly #watchAgent: Dispatcher;
  readonly #observe: RequestObserver | undefined;

  /** An answer that does not begin, or does not go on, for `timeoutMs` is none. */
  constructor(credentials: Credentials, timeoutMs = TIMEOUT_MS, observe?: RequestObserver) {
    this.#observe = observe;
    const { ca, cert, key, insecure, serverName, proxy } = credentials;
    this.#credentials = credentials;
    const connect = {
      timeout: 10_000,
      rejectUnauthorized: !insecure,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(serverName === undefined ? {} : { servername: serverName }),
    };
    const agent = (options: Agent.Options): Dispatcher =>
      proxy === undefined
        ? new Agent({ ...options, connect })
        : new ProxyAgent({ ...options, uri: proxy, requestTls: connect });
    this.#agent = agent({ connections: 16, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
    // Connections of their own, as many as there are watches: no write ever queues behind one.
    this.#watchAgent = agent({ headersTimeout: timeoutMs, bodyTimeout: 0 });
  }

  /**
   * One request. Where the server asks to wait (429, and 5xx with a Retry-After of at most 30 seconds, as
   * it sends while it starts), it is tried again after that; after a 401 once, with fresh credentials.
   * @throws {StatusError} if the answer is no success.
   * @throws {UnreachableError} if there is none.
   * @throws the signal's reason once it is aborted.
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<unknown> {
    let refresh = false;
    for (let attempt = 1; ; attempt++) {
      const { code, text, retryAfter } = await this.#send(method, path, options, refresh);
      if (code < 300) return text === '' ? undefined : this.#parse(text);
      const error = new StatusError(code, text, retryAfter);
      if (code === UNAUTHORIZED && !refresh) {
        refresh = true;
        continue;
      }
      refresh = false;
      const seconds = secondsToWait(error);
      if (seconds === undefined || attempt === MOST_TRIES) throw error;
      await pause(seconds * 1000, options.signal);
    }
  }

  async #send(method: string, path: string, options: RequestOptions, refresh: boolean) {
    const { statusCode, headers, body } = await this.#open(method, path, options, this.#agent, refresh);
    try {
      return { code: statusCode, text: await body.text(), retryAfter: retryAfterOf(headers) };
    } catch (error) {
      throw this.#noAnswer(error, options.signal);
    }
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      // A proxy's login page, say.
      const message = `${this.#credentials.server} is no API server: it answers ${JSON.stringify(text.slice(0, 60))}`;
      throw new UnreachableError(message, { cause: error });
    }
  }

  #noAnswer(error: unknown, signal: AbortSignal | undefined): UnreachableError {
    signal?.throwIfAborted();
    return new UnreachableError(`${this.#credentials.server} cannot be reached: ${reasonOf(error)}`, {
      cause: error,
    });
  }

  async #open(
    method: string,
    path: string,
    options: RequestOptions,
    dispatcher: Dispatcher,
    refresh = false,
  ) {
    const { server, authorization } = this.#credentials;
    // A server may be behind a path, as a cluster in Rancher is.
    const url = new URL(`${server.replace(/\/+$/, '')}${path}`);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const credentials = await authorization(refresh);
    // As many requests as there are may share a signal.
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    try {
      const answer = await request(url, {
        dispatcher,
        method: method as 'GET',
        headers: {
          accept: 'application/json',
          'user-agent': 'gari',
          ...(options.body === undefined
            ? {}
            : { 'content-type': options.contentType ?? 'application/json' }),
          ...credentials,
        },
        ...(options.body === undefined ? {} : { body: options.body }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      this.#observe?.(method, url.host, answer.statusCode);
      return answer;
    } catch (error) {
      this.#observe?.(method, url.host, '<error>');
      throw this.#noAnswer(error, options.signal);
    }
  }

  /**
   * Opens a watch and yields its events as they come; `onOpen` is called when the server has accepted
   * it. It ends with the answer; the caller starts the next one, and gives a signal to end it from outside.
   * @throws {StatusError} if the watch is refused.
   * @throws {UnreachableError} if there is no answer, or it breaks off, or is no text of events.
   */
  async *watch(
    path: string,
    query: RequestOptions['query'],
    signal: AbortSignal,
    onOpen?: () => void,
  ): AsyncGenerator<unknown> {
    const options = { query: { ...query, watch: true }, signal };
    let answer = await this.#open('GET', path, options, this.#watchAgent);
    if (answer.statusCode === UNAUTHORIZED) {
      await answer.body.dump();
      answer = await this.#open('GET', path, options, this.#watchAgent, true);
    }
    const { statusCode, headers, body } = answer;
    const decoder = new TextDecoder();
    let rest = '';
    try {
      if (statusCode !== 200) throw new StatusError(statusCode, await body.text(), retryAfterOf(headers));
      onOpen?.();
      for await (const chunk of body) {
        const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line !== '') yield this.#parse(line);
      }
      if (rest !== '') throw new Error('it ended within an event');
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof StatusError || error instanceof UnreachableError) throw error;
      throw new UnreachableError(`the watch of ${path} broke off: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** Closes the connections; watches break off. */
  async close(): Promise<void> {
    await Promise.all([this.#agent.close(), this.#watchAgent.destroy()]);
  }
}

/** How long the server asks to wait before the same request is worth another try; undefined: it is not. */
function secondsToWait({ code, retryAfter }: StatusError): number | undefined {
  const seconds = retryAfter ?? (code === TOO_MANY_REQUESTS ? 1 : Number.POSITIVE_INFINITY);
  const isBusy = code === TOO_MANY_REQUESTS || code >= 500;
  return isBusy && seconds <= LONGEST_WAIT_S ? seconds : undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

function retryAfterOf(headers: Readonly<Record<string, string | string[] | undefined>>): number | undefined {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) ? seconds : undefined;
}
