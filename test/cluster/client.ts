import { Agent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

/** Where a client connects and as whom. */
export interface Connection {
  readonly server: string;
  /** PEM certificates. */
  readonly ca: string;
  /** Bearer token; without one the request is anonymous. */
  readonly token?: string;
}

/** A Kubernetes object. Where a test reads into it, it says what it expects: `client.get<{ spec: … }>(path)`. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

/** One answer of the server, whatever its status. */
interface Answer<T = KubeObject> {
  readonly status: number;
  readonly body: T;
  /** Texts of the `Warning` headers. */
  readonly warnings: readonly string[];
}

/** Query parameters, headers and body of {@link Client.request}. */
interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is a string. */
  readonly body?: unknown;
  readonly contentType?: string;
}

/** Options of a server-side apply. */
interface ApplyOptions {
  /** Default `test`. */
  readonly fieldManager?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  readonly subresource?: string;
}

/** A small client for raw requests. The verbs throw {@link ApiError} on anything but success, `request` never does. */
export interface Client {
  request<T = KubeObject>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>>;
  get<T = KubeObject>(path: string): Promise<T>;
  list<T = KubeObject>(path: string, query?: RequestOptions['query']): Promise<T[]>;
  create<T = KubeObject>(object: unknown): Promise<T>;
  apply<T = KubeObject>(object: unknown, options?: ApplyOptions): Promise<T>;
  delete(path: string, query?: RequestOptions['query']): Promise<void>;
  /** Path of an object, or of its collection, by what the server says about its kind. */
  pathOf(object: unknown, what?: 'object' | 'collection'): Promise<string>;
  /** The same server as somebody else. */
  as(token: string | undefined): Client;
}

/** An answer that is not a success. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly reason: string;

  constructor(what: string, answer: Answer<unknown>) {
    const { message, reason } = (answer.body ?? {}) as { message?: string; reason?: string };
    super(`${what}: ${answer.status} ${message ?? JSON.stringify(answer.body)}`);
    this.status = answer.status;
    this.reason = reason ?? '';
  }
}

/** A client for a cluster; it keeps its connections open until they are idle for long. */
export function createClient(connection: Connection, agent = newAgent(connection)): Client {
  async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    const url = new URL(path, connection.server);
    for (const [key, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    const { body } = options;
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      accept: 'application/json',
      ...(payload === undefined ? {} : { 'content-type': options.contentType ?? 'application/json' }),
      ...(connection.token === undefined ? {} : { authorization: `Bearer ${connection.token}` }),
      ...options.headers,
    };
    return new Promise((resolve, reject) => {
      const sent = httpsRequest(url, { method, headers, agent }, (response) => {
        text(response).then((content) => {
          const json = response.headers['content-type']?.startsWith('application/json');
          resolve({
            status: response.statusCode ?? 0,
            body: (json ? JSON.parse(content) : content) as T,
            warnings: (response.headersDistinct.warning ?? []).map(warningText),
          });
        }, reject);
      });
      sent.on('error', reject).end(payload);
    });
  }

  async function succeed<T>(method: string, path: string, options?: RequestOptions): Promise<T> {
    const answer = await request<T>(method, path, options);
    if (answer.status < 200 || answer.status > 299) throw new ApiError(`${method} ${path}`, answer);
    return answer.body;
  }

  const known = new Map<string, ApiResource>();
  async function resourceOf(group: string, kind: string): Promise<ApiResource> {
    const key = `${group} ${kind}`;
    let resource = known.get(key);
    if (resource === undefined) {
      const { resources } = await succeed<{ resources: ApiResource[] }>('GET', group);
      resource = resources.find((candidate) => candidate.kind === kind && !candidate.name.includes('/'));
      if (resource === undefined) throw new Error(`the server does not serve ${kind} in ${group}`);
      known.set(key, resource);
    }
    return resource;
  }

  async function pathOf(object: unknown, what: 'object' | 'collection' = 'object'): Promise<string> {
    const { apiVersion, kind, metadata } = object as KubeObject;
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const resource = await resourceOf(group, kind);
    const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
    return `${group}${namespace}/${resource.name}${what === 'object' ? `/${metadata.name}` : ''}`;
  }

  return {
    request,
    pathOf,
    get: (path) => succeed('GET', path),
    list: async <T>(path: string, query = {}) =>
      (await succeed<{ items: T[] }>('GET', path, { query })).items,
    create: async (object) => succeed('POST', await pathOf(object, 'collection'), { body: object }),
    apply: async (object, options = {}) => {
      const { fieldManager = 'test', force, dryRun, fieldValidation, subresource } = options;
      const path = await pathOf(object);
      return succeed('PATCH', subresource === undefined ? path : `${path}/${subresource}`, {
        query: { fieldManager, force, fieldValidation, dryRun: dryRun ? 'All' : undefined },
        body: object,
        contentType: 'application/apply-patch+yaml',
      });
    },
    delete: async (path, query = {}) => {
      await succeed('DELETE', path, { query });
    },
    as: (token) => {
      const { server, ca } = connection;
      return createClient(token === undefined ? { server, ca } : { server, ca, token }, agent);
    },
  };
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

function newAgent(connection: Connection): Agent {
  return new Agent({ ca: connection.ca, keepAlive: true });
}

/** The text of a header `299 - "text"`. */
function warningText(header: string): string {
  const quoted = /^\d{3} \S+ (".*")$/.exec(header)?.[1];
  return quoted === undefined ? header : quoted.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}
