import { setTimeout as delay } from 'node:timers/promises';
import type { FollowedState } from '../cache/cluster-cache.ts';
import { StatusError } from '../status-error.ts';
import type { Transport } from '../transport.ts';
import type { Log } from './log.ts';
import { microTime } from './micro-time.ts';

/** A Lease, as far as it is read here; all else in it is kept. */
interface Lease {
  readonly metadata: { readonly resourceVersion?: string };
  readonly spec?: LeaseSpec;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly leaseTransitions?: number;
}

/** Which Lease, who asks for it, and the times, which are client-go's. */
export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** Differs from that of every other process, of this one's predecessors too. */
  readonly identity: string;
  /** After how long without a sign of life others take the Lease. */
  readonly durationMs?: number;
  /** After how long without a renewal the holder gives up, well before others take it. */
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
}

/** The Lease could not be renewed in time, or is somebody else's: who led must end at once. */
export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
}

/** Work that only one process does at a time; it ends, and has ended all it began, after the signal. */
export type LeaderWork = (signal: AbortSignal) => Promise<void>;

/** How much later than planned a try may be, so that replicas do not try all at once. */
const JITTER = 0.5;

/**
 * Leader election by a Lease, as in client-go: whether somebody else's Lease has run out is told by
 * this process's own monotonic clock since the Lease last changed, never by the times written in it,
 * as clocks of machines differ.
 */
export class LeaderElector {
  readonly #transport: Transport;
  readonly #lease: Required<LeaseOptions>;
  readonly #path: string;
  readonly #log: Log;
  #known: Lease | undefined;
  #changedAt = 0;
  #renewedAt = 0;
  #lastProblem: string | undefined;
  #isLeader = false;
  #lastContact = performance.now();
  #hasAnswered = false;

  /** The transport should be this elector's own: a renewal must not queue behind the work's requests. */
  constructor(transport: Transport, options: LeaseOptions, log: Log) {
    this.#transport = transport;
    this.#lease = { durationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000, ...options };
    this.#path = `/apis/coordination.k8s.io/v1/namespaces/${options.namespace}/leases/${options.name}`;
    this.#log = log;
  }

  /** Whether the work may go on. */
  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** How it stands with the server, for probes; synced once the Lease was read. */
  get state(): FollowedState {
    return {
      type: {
        group: 'coordination.k8s.io',
        version: 'v1',
        plural: 'leases',
        kind: 'Lease',
        namespaced: true,
      },
      namespace: this.#lease.namespace,
      synced: this.#hasAnswered,
      lastContact: this.#lastContact,
      ...(this.#lastProblem === undefined ? {} : { lastError: this.#lastProblem }),
    };
  }

  /**
   * Waits for the Lease, works, and gives the Lease back when the work has ended; it is kept as long
   * as the work takes to end after `signal`.
   * @throws {LeadershipLost} at once if the Lease is lost; the work may not have ended yet.
   */
  async run(work: LeaderWork, signal: AbortSignal): Promise<void> {
    if (!(await this.#acquire(signal))) return;
    this.#isLeader = true;
    this.#log.info({ lease: this.#lease.name, identity: this.#lease.identity }, 'leading');
    const ended = new AbortController();
    const lost = new AbortController();
    const renewing = this.#renew(ended.signal);
    // It is awaited only once the work has ended.
    renewing.catch(() => {});
    const working = work(AbortSignal.any([signal, lost.signal])).finally(() => ended.abort());
    working.catch(() => {});
    try {
      await Promise.race([working, renewing]);
    } catch (error) {
      if (!(error instanceof LeadershipLost)) await this.#release();
      throw error;
    } finally {
      this.#isLeader = false;
      lost.abort();
    }
    await renewing;
    await this.#release();
  }

  /** Whether the Lease was had before the signal came. */
  async #acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      try {
        await this.#look();
        if (this.#isFree()) {
          await this.#take();
          return true;
        }
      } catch (error) {
        // Somebody else was faster.
        if (!(error instanceof StatusError && error.code === 409)) this.#report(error);
      }
      await pause(this.#untilNextTry(), signal);
    }
    return false;
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { retryPeriodMs, renewDeadlineMs, name } = this.#lease;
    const left = () => this.#renewedAt + renewDeadlineMs - performance.now();
    for (;;) {
      await pause(Math.min(retryPeriodMs, left()), signal);
      if (signal.aborted) return;
      if (left() <= 0) {
        const reason = this.#lastProblem ?? 'this process stood still';
        throw new LeadershipLost(
          `Lease ${name} could not be renewed for ${renewDeadlineMs / 1000} s: ${reason}`,
        );
      }
      try {
        await this.#hold({}, left());
      } catch (error) {
        if (error instanceof LeadershipLost) throw error;
        this.#report(error);
      }
    }
  }

  /** Writes our own Lease; also after a conflict, where somebody has only edited it, or an answer was lost. */
  async #hold(spec: object, leftMs: number): Promise<void> {
    try {
      await this.#write(spec, leftMs);
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 409)) throw error;
      await this.#look(leftMs);
      const { holderIdentity: holder = '' } = this.#known?.spec ?? {};
      if (holder !== this.#lease.identity) {
        throw new LeadershipLost(`Lease ${this.#lease.name} is ${holder || 'nobody'}'s now`);
      }
      await this.#write(spec, leftMs);
    }
  }

  async #look(leftMs?: number): Promise<void> {
    let lease: Lease | undefined;
    try {
      lease = (await this.#transport.request('GET', this.#path, { signal: this.#timeout(leftMs) })) as Lease;
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error;
    }
    this.#answered();
    if (lease?.metadata.resourceVersion !== this.#known?.metadata.resourceVersion) {
      this.#changedAt = performance.now();
    }
    this.#known = lease;
  }

  #isFree(): boolean {
    const { holderIdentity = '' } = this.#known?.spec ?? {};
    return holderIdentity === '' || performance.now() >= this.#expiresAt();
  }

  #expiresAt(): number {
    const seconds = this.#known?.spec?.leaseDurationSeconds;
    return this.#changedAt + (seconds === undefined ? this.#lease.durationMs : seconds * 1000);
  }

  #untilNextTry(): number {
    const retry = this.#lease.retryPeriodMs * (1 + Math.random() * JITTER);
    const expiry = this.#expiresAt() - performance.now() + Math.random() * 100;
    return expiry > 0 ? Math.min(retry, expiry) : retry;
  }

  async #take(): Promise<void> {
    const { leaseTransitions = 0, holderIdentity } = this.#known?.spec ?? {};
    const isAnother = this.#known !== undefined && holderIdentity !== this.#lease.identity;
    const acquireTime = microTime();
    await this.#write({ acquireTime, leaseTransitions: leaseTransitions + (isAnother ? 1 : 0) });
  }

  async #release(): Promise<void> {
    const spec = { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: microTime() };
    try {
      await this.#hold(spec, this.#lease.retryPeriodMs);
      this.#log.info({ lease: this.#lease.name }, 'handed over');
    } catch (error) {
      this.#report(error);
    }
  }

  /**
   * Writes the Lease, on the condition that it is what is known. A PUT without a version creates, and
   * is refused where there is one: unlike POST, RBAC can allow it for one name alone.
   */
  async #write(spec: object, leftMs?: number): Promise<void> {
    const { namespace, name, identity, durationMs } = this.#lease;
    const sentAt = performance.now();
    const body = JSON.stringify({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      ...this.#known,
      metadata: this.#known?.metadata ?? { name, namespace },
      spec: {
        ...this.#known?.spec,
        holderIdentity: identity,
        leaseDurationSeconds: Math.ceil(durationMs / 1000),
        renewTime: microTime(),
        ...spec,
      },
    });
    const signal = this.#timeout(leftMs);
    this.#known = (await this.#transport.request('PUT', this.#path, { body, signal })) as Lease;
    this.#renewedAt = sentAt;
    this.#answered();
  }

  #answered(): void {
    this.#hasAnswered = true;
    this.#lastContact = performance.now();
    this.#lastProblem = undefined;
  }

  #report(error: unknown): void {
    if (error instanceof StatusError) this.#lastContact = performance.now();
    const problem = error instanceof Error ? error.message : String(error);
    if (problem !== this.#lastProblem) this.#log.error({ error, lease: this.#lease.name }, 'no Lease');
    this.#lastProblem = problem;
  }

  /**
   * When to give a request up: after half of the time there is, for another. Never when the work is to
   * end: whether a write was done would be unknown.
   */
  #timeout(leftMs = Infinity): AbortSignal {
    return AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(leftMs, this.#lease.renewDeadlineMs / 2))));
  }
}

/** Waits, until the signal at the latest. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(Math.max(0, ms), undefined, { signal }).catch(() => {});
}
