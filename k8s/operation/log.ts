import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';

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
    formatters: { level: (label: string) => ({ level: label }), log: withError },
  };
  return pino(options, stream);
}

/** Each line is written before the next thing is done: the last one before an end says why. */
function standardOutput(): DestinationStream {
  return destination({ fd: 1, sync: true });
}

/** The log of one reconcile of one Gateway; `reconcileID` tells its lines from those of other runs. */
export function reconcileLog(log: Log, namespace: string, name: string, reconcileID: string): Log {
  return log.child({
    controller: 'gateway',
    controllerGroup: 'gateway.networking.k8s.io',
    controllerKind: 'Gateway',
    Gateway: { name, namespace },
    namespace,
    name,
    reconcileID,
  });
}

/** An error as controller-runtime logs it: its message; where it came from only if it is a bug of ours. */
function withError(fields: Record<string, unknown>): Record<string, unknown> {
  const { error } = fields;
  if (!(error instanceof Error)) return fields;
  const isBug = BUGS.some((bug) => error instanceof bug);
  return { ...fields, error: error.message, ...(isBug ? { stacktrace: error.stack } : {}) };
}

const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];
