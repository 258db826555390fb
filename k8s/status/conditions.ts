/** A condition of a status, as the API server has it (metav1.Condition). */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  /** RFC 3339. */
  readonly lastTransitionTime: string;
}

export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** What is to be said by a condition. */
export interface Verdict {
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
}

/** The condition of a type, if it was ever recorded. */
export function conditionOf(
  conditions: readonly Condition[] | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * The condition that says a verdict. `lastTransitionTime` changes only with its status. One with a newer
 * `observedGeneration` stays as it is: what is known here is old (Gateway API, status of a Gateway).
 */
export function conditionWith(
  previous: Condition | undefined,
  type: string,
  { status, reason, message }: Verdict,
  { generation, now }: { readonly generation: number; readonly now: string },
): Condition {
  if ((previous?.observedGeneration ?? 0) > generation && previous !== undefined) return previous;
  const lastTransitionTime = previous?.status === status ? previous.lastTransitionTime : now;
  // The API server's limit of a message.
  const text = message.slice(0, 32_768);
  return { type, status, reason, message: text, observedGeneration: generation, lastTransitionTime };
}
