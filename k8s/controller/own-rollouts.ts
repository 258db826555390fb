import { ownClassNames } from '../../render/claim.ts';
import type { GatewayClass } from '../../render/gateway-api.ts';
import { GATEWAY_CLASS_LABEL } from '../../render/metadata.ts';
import { labelValue } from '../../render/names.ts';
import type { ObjectChange } from '../cache/reflector.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedDeployment } from '../status/observed.ts';
import type { ClusterView } from './cluster-view.ts';
import type { PlanOptions } from './plan.ts';
import type { RolloutBudget } from './rollout-budget.ts';

/** Tells the budget of the Deployments of our own classes: another install beside this one has a budget of its own. */
export class OwnRollouts {
  readonly #view: ClusterView;
  readonly #budget: RolloutBudget;
  readonly #options: PlanOptions;
  /** Class names, as they are in a label. */
  #classes: ReadonlySet<string> | undefined;

  constructor(view: ClusterView, budget: RolloutBudget, options: PlanOptions) {
    this.#view = view;
    this.#budget = budget;
    this.#options = options;
  }

  /** Looks at all there are: once everything has been read, as only then it is known which classes are ours. */
  start(): void {
    const classes = [...this.#view.store('GatewayClass').list()] as GatewayClass[];
    this.#classes = new Set([...ownClassNames(classes, this.#options)].map(labelValue));
    for (const deployment of this.#view.store('Deployment').list()) this.#observe(deployment as LiveObject);
  }

  /** Follows a change of whatever kind. */
  onChange({ type, before, after }: ObjectChange): void {
    if (this.#classes === undefined) return;
    if (type.kind === 'GatewayClass') this.start();
    if (type.kind !== 'Deployment') return;
    if (after !== undefined) this.#observe(after as LiveObject);
    else if (before !== undefined) this.#budget.observe(keyOf(before as LiveObject), undefined);
  }

  #observe(deployment: LiveObject): void {
    const label = deployment.metadata.labels?.[GATEWAY_CLASS_LABEL];
    const isOurs = label !== undefined && this.#classes?.has(label);
    this.#budget.observe(keyOf(deployment), isOurs ? (deployment as ObservedDeployment) : undefined);
  }
}

function keyOf({ metadata: { namespace, name } }: LiveObject): string {
  return `${namespace}/${name}`;
}
