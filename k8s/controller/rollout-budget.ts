import { POD_TEMPLATE_HASH_ANNOTATION } from '../../render/metadata.ts';
import type { ObservedDeployment } from '../status/observed.ts';
import type { Limit } from './options.ts';

const REVISION_ANNOTATION = 'deployment.kubernetes.io/revision';

/** A change of a Deployment's pod template that asks for its turn. */
export interface TemplateChange {
  /** `<namespace>/<name>` of the Deployment. */
  readonly deployment: string;
  /** The hash of the new template. */
  readonly to: string | undefined;
  /** Whether only what belongs to this Gateway alone changes it, so that no other one will be like it. */
  readonly isOwn: boolean;
}

/**
 * Lets the pods of only a few Gateways be replaced at a time: a new version of gari, or a change of a class,
 * alters all pod templates at once. Knows from the Deployments which are under way, so it does after a restart too.
 */
export class RolloutBudget {
  readonly #limit: Limit;
  readonly #onTurn: (waiting: string) => void;
  readonly #deployments = new Set<string>();
  readonly #rolling = new Set<string>();
  readonly #hung = new Set<string>();
  /** Those let through for a change that others will get too: while one hangs, the others must be spared. */
  readonly #shared = new Set<string>();
  /** Template hashes that were let through and that the cache has not heard of. */
  readonly #started = new Map<string, string | undefined>();
  readonly #waiting = new Map<string, string>();

  /** @param onTurn is told who may ask again: what it gave as `waitingAs`. */
  constructor(limit: Limit, onTurn: (waiting: string) => void) {
    this.#limit = limit;
    this.#onTurn = onTurn;
  }

  /** How many may be under way at once. */
  get limit(): number {
    const limit =
      typeof this.#limit === 'number'
        ? this.#limit
        : (this.#deployments.size * Number.parseFloat(this.#limit)) / 100;
    return Math.max(1, Math.floor(limit));
  }

  /** The Deployments whose pods are being replaced. */
  get underWay(): readonly string[] {
    // What hangs for a reason of its own must not hold up everybody else.
    const hung = [...this.#hung].filter((each) => this.#shared.has(each));
    return [...new Set([...this.#rolling, ...hung, ...this.#started.keys()])];
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes note of a Deployment as it is now; undefined if it is gone. */
  observe(deployment: string, now: ObservedDeployment | undefined): void {
    this.#rolling.delete(deployment);
    this.#hung.delete(deployment);
    if (now === undefined) {
      this.#deployments.delete(deployment);
      this.#shared.delete(deployment);
      this.#started.delete(deployment);
    } else {
      this.#deployments.add(deployment);
      if (isRolling(now)) (isHung(now) ? this.#hung : this.#rolling).add(deployment);
      const started = this.#started.has(deployment);
      if (started && this.#started.get(deployment) === templateHashOf(now)) this.#started.delete(deployment);
    }
    this.#wake();
  }

  /** Whether a template may change now. If not, `waitingAs` is told later when to ask again. */
  mayChange({ deployment, to, isOwn }: TemplateChange, waitingAs: string): boolean {
    const { underWay, limit } = this;
    // What hangs is mended by the next change.
    if (!underWay.includes(deployment) && !this.#hung.has(deployment) && underWay.length >= limit) {
      this.#waiting.set(deployment, waitingAs);
      return false;
    }
    this.#waiting.delete(deployment);
    this.#started.set(deployment, to);
    if (isOwn) this.#shared.delete(deployment);
    else this.#shared.add(deployment);
    return true;
  }

  /** Gives back a turn of which nothing came. */
  giveBack(deployment: string): void {
    this.#started.delete(deployment);
    this.#wake();
  }

  /** Waits no longer for a Deployment. */
  forget(deployment: string): void {
    this.#waiting.delete(deployment);
  }

  #wake(): void {
    const free = this.limit - this.underWay.length;
    for (const waiting of [...this.#waiting.values()].slice(0, Math.max(0, free))) this.#onTurn(waiting);
  }
}

/** The hash of a Deployment's pod template, as gari wrote it. */
export function templateHashOf({ metadata }: { readonly metadata: object }): string | undefined {
  const { annotations } = metadata as { annotations?: Readonly<Record<string, unknown>> };
  const hash = annotations?.[POD_TEMPLATE_HASH_ANNOTATION];
  return typeof hash === 'string' ? hash : undefined;
}

/** Whether the Deployment controller has given up on a rollout. */
function isHung({ metadata, status = {} }: ObservedDeployment): boolean {
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) return false;
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  return progressing?.reason === 'ProgressDeadlineExceeded';
}

/** Whether pods of an earlier template are being replaced. The first ones replace nobody. */
function isRolling({ metadata, spec, status = {} }: ObservedDeployment): boolean {
  if (status.observedGeneration === undefined) return false;
  if (status.observedGeneration < (metadata.generation ?? 0)) return true;
  if ((metadata.annotations?.[REVISION_ANNOTATION] ?? '1') === '1') return false;
  const replicas = spec?.replicas ?? 1;
  // Until its first look at a new template is written, the condition is that of the rollout before.
  if (replicas > 0 && (status.updatedReplicas ?? 0) === 0) return true;
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  // The Deployment controller's word for a complete rollout; it stays when pods go later for another reason.
  if (progressing !== undefined) return progressing.reason !== 'NewReplicaSetAvailable';
  return (status.updatedReplicas ?? 0) < replicas || (status.availableReplicas ?? 0) < replicas;
}
