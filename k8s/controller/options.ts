import type { PlanOptions } from './plan.ts';

/** How a controller works. */
export interface ControllerOptions extends PlanOptions {
  /** `none` writes no status at all. */
  readonly status: 'infrastructure' | 'none';
  /** How many Gateways may have their pods replaced at once. */
  readonly maxUnavailableGateways: Limit;
  /** Says what would be done, and does nothing. */
  readonly dryRun: boolean;
  /** How many Gateways are worked on at a time; default: 8. */
  readonly concurrency?: number;
}

/** A number, or a share of all Gateways such as `10%`; at least 1 in either case. */
export type Limit = number | `${number}%`;
