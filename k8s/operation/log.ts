import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { GATEWAY_API_GROUP } from '../../render/gateway-api.ts';

/** The controller's log: one JSON object a line, with the keys of controller-runtime. */
export type Log = Logger;

/** From the most to the least that is said. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

/** How much is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A log on `stream`, by default standard output. */
export function createLog(level: LogLevel, stream: DestinationStream = standardOutput()): Log {
  const options = {
    level,
    base: { logger: 'gari' },
    timestamp: () => stdTimeFunctions.isoTime().replace('"time"', '"ts"'),
    // A copy: pino adds the fields of the line to it.
    mixin: () => ({ ...current.getStore() }),
    formatters: { level: (label: string) => ({ level: label }), log: withError },
  };
  return pino(options, stream);
}

/** Each line is written before the next thing is done: the last one before an end says why. */
function standardOutput(): DestinationStream {
  return destination({ fd: 1, sync: true });
}

/** What a run of the queue is about. */
export interface ReconcileTarget {
  /** The controller: `gateway`, `gatewayclass` and so on. */
  readonly controller: string;
  readonly namespace?: string;
  readonly name?: string;
}

const current = new AsyncLocalStorage<object>();

/** Does the work of one reconcile: each line that is logged until its end says of what, and in which run. */
export function duringReconcile<T>(
  { controller, namespace, name }: ReconcileTarget,
  work: () => Promise<T>,
): Promise<T> {
  const kind = KINDS[controller];
  const fields = {
    controller,
    ...(kind === undefined
      ? {}
      : { controllerGroup: GATEWAY_API_GROUP, controllerKind: kind, [kind]: { name, namespace } }),
    ...{ namespace, name },
    reconcileID: randomUUID(),
  };
  return current.run(fields, work);
}

const KINDS: Readonly<Record<string, string>> = { gateway: 'Gateway', gatewayclass: 'GatewayClass' };

/** An error as controller-runtime logs it: its message; where it came from only if it is a bug of ours. */
function withError(fields: Record<string, unknown>): Record<string, unknown> {
  const { error } = fields;
  if (!(error instanceof Error)) return fields;
  const isBug = BUGS.some((bug) => error instanceof bug);
  return { ...fields, error: error.message, ...(isBug ? { stacktrace: error.stack } : {}) };
}

const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];
