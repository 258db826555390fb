import { createHash, randomBytes } from 'node:crypto';
import type { Transport } from '../transport.ts';
import type { Log } from './log.ts';
import { microTime } from './micro-time.ts';
import { TokenBuckets } from './token-buckets.ts';

/** An object that an event is about. */
export interface EventObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** None for what is in no namespace. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
}

/** What users shall see in `kubectl describe`. */
export interface RecordedEvent {
  readonly regarding: EventObject;
  /** Another object that has to do with it. */
  readonly related?: EventObject;
  readonly type: 'Normal' | 'Warning';
  /** Why, as one word: `ResourceConflict`. */
  readonly reason: string;
  /** What was done or tried, as one word: `Apply`. */
  readonly action: string;
  /** For people; cut at 1,024 bytes. */
  readonly note: string;
}

/** Tells users of what happens to their objects. */
export interface EventRecorder {
  /** Never throws and never waits. The same event again is counted, and one object cannot flood the others. */
  record(event: RecordedEvent): void;
}

/** Who reports. */
export interface ReporterOptions {
  /** As in GatewayClasses: `gari.dev/gateway-controller`. */
  readonly controller: string;
  /** Which process: the pod's name. */
  readonly instance: string;
}

// As client-go: an event that does not come again for so long is over, and the next is a new one.
const SERIES_MS = 360_000;
/** How often a series is written at most. */
const SERIES_WRITE_MS = 60_000;
const MOST_KNOWN = 4_096;
const MOST_WAITING = 1_000;
const MOST_NOTE_BYTES = 1_024;

interface Series {
  readonly path: string;
  readonly name: string;
  count: number;
  lastSeen: number;
  writtenAt: number;
  /** The event itself, while it waits to be created. */
  body: object | undefined;
  /** Writes how often it has come by then. */
  later: NodeJS.Timeout | undefined;
}

/** Records events of the API group events.k8s.io/v1, one request at a time. */
export class ClusterEventRecorder implements EventRecorder {
  readonly #transport: Transport;
  readonly #reporter: ReporterOptions;
  readonly #log: Log;
  readonly #known = new Map<string, Series>();
  readonly #buckets = new TokenBuckets({ most: 25, refillMs: 60_000 });
  readonly #waiting = new Set<Series>();
  #sending: Promise<void> | undefined;

  constructor(transport: Transport, reporter: ReporterOptions, log: Log) {
    this.#transport = transport;
    this.#reporter = reporter;
    this.#log = log;
  }

  record(event: RecordedEvent): void {
    const key = keyOf(event);
    const now = performance.now();
    const known = this.#known.get(key);
    if (known !== undefined && now - known.lastSeen < SERIES_MS) this.#again(known, now);
    else this.#first(key, event, now);
  }

  /** Sends what was to be sent later, and waits until all is sent. */
  async flush(): Promise<void> {
    for (const series of this.#known.values()) {
      if (series.later === undefined) continue;
      clearTimeout(series.later);
      series.later = undefined;
      this.#send(series);
    }
    await this.#sending;
  }

  #first(key: string, event: RecordedEvent, now: number): void {
    if (!this.#buckets.take(event.regarding.uid)) {
      this.#log.debug({ regarding: event.regarding, reason: event.reason }, 'too many events of one object');
      return;
    }
    const { regarding } = event;
    // As client-go does for what is in no namespace.
    const namespace = regarding.namespace ?? 'default';
    const start = regarding.name.slice(0, 200).replace(/[-.]+$/, '');
    const name = `${start}.${randomBytes(8).toString('hex')}`;
    const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
    const body = this.#eventOf(event, namespace, name);
    const series: Series = { path, name, count: 1, lastSeen: now, writtenAt: now, body, later: undefined };
    this.#known.delete(key);
    this.#known.set(key, series);
    if (this.#known.size > MOST_KNOWN) forgetOldest(this.#known);
    this.#send(series);
  }

  #again(series: Series, now: number): void {
    series.count += 1;
    series.lastSeen = now;
    if (series.body !== undefined || series.later !== undefined) return;
    const wait = series.count === 2 ? 0 : Math.max(0, series.writtenAt + SERIES_WRITE_MS - now);
    series.later = setTimeout(() => {
      series.later = undefined;
      this.#send(series);
    }, wait).unref();
  }

  #eventOf(event: RecordedEvent, namespace: string, name: string): object {
    const { regarding, related, type, reason, action, note } = event;
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { namespace, name },
      eventTime: microTime(),
      reportingController: this.#reporter.controller,
      reportingInstance: this.#reporter.instance.slice(0, 128),
      ...{ type, reason, action, regarding },
      ...(related === undefined ? {} : { related }),
      note: cut(note),
    };
  }

  #send(series: Series): void {
    if (this.#waiting.size >= MOST_WAITING) {
      this.#log.debug({ event: series.name }, 'too many events wait');
      return;
    }
    this.#waiting.add(series);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    for (const series of this.#waiting) {
      this.#waiting.delete(series);
      try {
        await this.#write(series);
      } catch (error) {
        // Nothing may depend on an event: its namespace may be going, the server busy. The next is a new one.
        series.lastSeen = Number.NEGATIVE_INFINITY;
        this.#log.debug({ error, event: series.name }, 'an event was not recorded');
      }
    }
  }

  async #write(series: Series): Promise<void> {
    const { path, name, body, count } = series;
    series.writtenAt = performance.now();
    series.body = undefined;
    if (body !== undefined) {
      await this.#transport.request('POST', path, { body: JSON.stringify(body) });
      return;
    }
    await this.#transport.request('PATCH', `${path}/${name}`, {
      contentType: 'application/merge-patch+json',
      body: JSON.stringify({ series: { count, lastObservedTime: microTime() } }),
    });
  }
}

function keyOf({ regarding, related, type, reason, action, note }: RecordedEvent): string {
  const parts = [regarding.uid, related?.uid ?? '', type, reason, action, note];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/** A text that the server takes: whole characters of at most 1,024 bytes. */
function cut(note: string): string {
  if (Buffer.byteLength(note) <= MOST_NOTE_BYTES) return note;
  const text = new TextDecoder().decode(Buffer.from(note).subarray(0, MOST_NOTE_BYTES - 3), { stream: true });
  return `${text}…`;
}

function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
