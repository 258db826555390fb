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

  /**
   * Whether trying again later can help. Not for an object that the server cannot take; unknown
   * fields and list keys that are there twice are 500 in server-side apply.
   */
  get isTerminal(): boolean {
    if (this.code === 400 || this.code === 422) return true;
    return this.code === 500 && this.message.includes('typed patch object');
  }
}

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
