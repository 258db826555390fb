import type { SubjectPlan } from './plan.ts';

/** Which data planes are to be subjects of the shared binding, by Gateway (`<namespace>/<name>`). */
export class SubjectBook {
  readonly #plans = new Map<string, SubjectPlan>();

  /** What a Gateway's subject is to be; one that nobody has looked at yet keeps what it has. */
  of(gateway: string): SubjectPlan {
    return this.#plans.get(gateway) ?? 'keep';
  }

  /** Notes it down; returns whether that is news. */
  set(gateway: string, plan: SubjectPlan): boolean {
    const isNews = this.#plans.get(gateway) !== plan;
    this.#plans.set(gateway, plan);
    return isNews;
  }

  /** Forgets a Gateway that is gone; returns whether there was one. */
  delete(gateway: string): boolean {
    return this.#plans.delete(gateway);
  }

  /** The Gateways whose data planes are to be subjects. */
  wanted(): readonly string[] {
    return [...this.#plans].filter(([, plan]) => plan === 'wanted').map(([gateway]) => gateway);
  }
}
