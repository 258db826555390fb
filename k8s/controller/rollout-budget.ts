import { POD_TEMPLATE_HASH_ANNOTATION } from '../../render/metadata.ts';
import type { ObservedDeployment } from '../status/observed.ts';
import type { Limit } from './options.ts';

const REVISION_ANNOTATION = 'deployment.kubernetes.io/revision';

/** A change of a Deployment's pod template that asks for its turn. */
export interface TemplateChange {
  /** `<namespace>/<name>` of the Deployment. */
  readonly deployment: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
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
    return [...new Set([...this.#rolling, ...this.#started.keys()])];
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes note of a Deployment as it is now; undefined if it is gone. */
  observe(deployment: string, now: ObservedDeployment | undefined): void {
    if (now === undefined) {
      this.#deployments.delete(deployment);
      this.#rolling.delete(deployment);
      this.#started.delete(deployment);
    } else {
      this.#deployments.add(deployment);
      if (isRolling(now)) this.#rolling.add(deployment);
      else this.#rolling.delete(deployment);
      const started = this.#started.has(deployment);
      if (started && this.#started.get(deployment) === templateHashOf(now)) this.#started.delete(deployment);
    }
    this.#wake();
  }

  /** Whether a template may change now. If not, `waitingAs` is told later when to ask again. */
  mayChange({ deployment, from, to }: TemplateChange, waitingAs: string): boolean {
    const underWay = this.#rolling.has(deployment) || this.#started.has(deployment);
    const isFree = underWay || this.underWay.length < this.limit;
    if (from === to || isFree) this.#waiting.delete(deployment);
    else this.#waiting.set(deployment, waitingAs);
    if (from !== to && isFree) this.#started.set(deployment, to);
    return from === to || isFree;
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
