import type { ClusterObject } from './resources.ts';
import { printed } from './resources.ts';

/** What became of an object. */
export type Action = 'created' | 'configured' | 'unchanged' | 'pruned' | 'retained' | 'conflict' | 'failed';

/** What became of one object, and why where that is not plain. */
export interface Change {
  readonly object: ClusterObject;
  readonly action: Action;
  readonly message?: string;
  /** Of a failure: trying again changes nothing, until what is wanted or what is there changes. */
  readonly terminal?: boolean;
}

/** A line as kubectl prints it, with the namespace and the reason. */
export function formatChange({ object, action, message }: Change, dryRun: boolean): string {
  const where = object.namespace === undefined ? '' : ` in ${object.namespace}`;
  const how = dryRun ? ' (server dry run)' : '';
  return `${printed(object)} ${action}${where}${how}${message === undefined ? '' : `: ${message}`}`;
}

/** Whether the run has not done all that it should. */
export function isProblem({ action }: Change): boolean {
  return action === 'conflict' || action === 'failed';
}
