import type { DataPlaneSubject } from '../render/subjects.ts';
import type { ChangeSubjects } from './apply-gateway.ts';
import type { Change } from './change-set.ts';

interface Batch {
  readonly add: DataPlaneSubject[];
  readonly remove: DataPlaneSubject[];
  readonly written: Promise<Change | undefined>;
}

/**
 * Gathers the changes that come while the binding is being written, and writes them as one: many
 * Gateways at a time would else be many writers of one list. Everybody waits until theirs is written; the
 * first of them is told what became of it.
 */
export function gatherSubjects(write: ChangeSubjects): ChangeSubjects {
  let next: Batch | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return async ({ add, remove }) => {
    if (next !== undefined) {
      next.add.push(...add);
      next.remove.push(...remove);
      await next.written;
      return undefined;
    }
    const batch = { add: [...add], remove: [...remove] };
    const start = async () => {
      next = undefined;
      return write(batch);
    };
    const written = last.then(start, start);
    next = { ...batch, written };
    last = written;
    return written;
  };
}
