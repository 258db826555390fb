/** A cause that the API server names in a Status. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** An answer of the API server that is no success: its Status, typed. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  /** The HTTP code. */
  readonly code: number;
  /** The server's word, such as `Conflict`; empty where it gives none. */
  readonly reason: string;
  readonly causes: readonly StatusCause[];
  /** Seconds that the server asks to wait before a retry. */
  readonly retryAfter: number | undefined;

  constructor(code: number, body: string, retryAfter: number | undefined) {
    const status = parseStatus(body);
    super(status.message ?? `HTTP ${code}${body === '' ? '' : `: ${body.slice(0, 200)}`}`);
    this.code = code;
    this.reason = status.reason ?? '';
    this.causes = status.details?.causes ?? [];
    this.retryAfter = retryAfter;
  }

  /** Whether the uid that was a precondition is not the object's: it was made anew in between. */
  get isOtherObject(): boolean {
    return this.code === 422 && this.causes.some(({ field }) => field === 'metadata.uid');
  }

  /**
   * Whether trying again changes nothing, until what is wanted or what is there changes: the server
   * cannot take the object. Some of that is a 500: unknown fields, list keys that are there twice and
   * values of the wrong type in server-side apply, and what is too large for etcd.
   */
  get isTerminal(): boolean {
    if (this.code === 500) return TERMINAL_500.test(this.message);
    return TERMINAL.has(this.code) && !this.isOtherObject;
  }
}

const TERMINAL = new Set([400, 405, 406, 413, 415, 422]);
const TERMINAL_500 = /typed patch object|request is too large/;

interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly StatusCause[] };
}

function parseStatus(body: string): Status {
  try {
    const status: unknown = JSON.parse(body);
    return typeof status === 'object' && status !== null ? (status as Status) : {};
  } catch {
    return {};
  }
}
