import type { RoleSubject } from '../render/objects.ts';
import { DATA_PLANE_ROLE, type DataPlaneSubject, sortSubjects } from '../render/subjects.ts';
import type { WriteOptions } from './apply-object.ts';
import type { Change } from './change-set.ts';
import { failure } from './failure.ts';
import { FIELD_MANAGER } from './field-manager.ts';
import { applyBody } from './json-body.ts';
import { contentOf, getObject, type LiveObject } from './live-object.ts';
import { type ClusterObject, pathOf } from './resources.ts';
import { StatusError } from './status-error.ts';
import type { Transport } from './transport.ts';

/** What is to change in the list of subjects; all others stay, in their order. */
export interface SubjectChange {
  readonly add: readonly DataPlaneSubject[];
  readonly remove: readonly DataPlaneSubject[];
}

// As many writers as this can meet on the list, one after the other, before one gives up.
const MOST_TRIES = 30;

/**
 * Changes subjects of the shared binding. Its list is atomic, so the whole of it is written, on the
 * condition that it is still what was read. Never writes `roleRef`, and never creates the binding.
 */
export async function changeSubjects(
  transport: Transport,
  bindingName: string,
  change: SubjectChange,
  { dryRun, read }: WriteOptions,
): Promise<Change> {
  const object: ClusterObject = { kind: 'ClusterRoleBinding', name: bindingName };
  try {
    for (let attempt = 1; ; attempt++) {
      const live = await (read?.(object) ?? getObject(transport, object));
      if (live === undefined) {
        const message = 'it is not there; gari install --only=data-plane-rbac prints it';
        return { object, action: 'failed', message };
      }
      const { kind, name } = live.roleRef ?? { kind: 'no role', name: '' };
      if (kind !== 'ClusterRole' || name !== DATA_PLANE_ROLE) {
        const message = `it binds ${kind} ${name}, not ClusterRole ${DATA_PLANE_ROLE}; choose another with --binding-name`;
        return { object, action: 'conflict', message };
      }
      const subjects = changed(live.subjects ?? [], change);
      if (JSON.stringify(subjects) === JSON.stringify(live.subjects ?? []))
        return { object, action: 'unchanged' };
      try {
        return await write(transport, object, live, subjects, dryRun);
      } catch (error) {
        if (!(error instanceof StatusError && error.code === 409) || attempt === MOST_TRIES) throw error;
      }
    }
  } catch (error) {
    return failure(object, error);
  }
}

function changed(there: readonly RoleSubject[], { add, remove }: SubjectChange): readonly RoleSubject[] {
  const gone = new Set(remove.map(keyOf));
  const kept = there.filter((subject) => !gone.has(keyOf(subject)));
  const present = new Set(kept.map(keyOf));
  return [...kept, ...sortSubjects(add).filter((subject) => !present.has(keyOf(subject)))];
}

async function write(
  transport: Transport,
  object: ClusterObject,
  live: LiveObject,
  subjects: readonly RoleSubject[],
  dryRun: boolean,
): Promise<Change> {
  const { uid, resourceVersion } = live.metadata;
  const written = await transport.request('PATCH', pathOf(object), {
    query: { fieldManager: FIELD_MANAGER, force: true, ...(dryRun ? { dryRun: 'All' } : {}) },
    contentType: 'application/apply-patch+yaml',
    body: applyBody({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: object.kind,
      metadata: { name: object.name, uid, resourceVersion },
      // Without subjects the field is left out: an empty list would be claimed for nothing.
      ...(subjects.length === 0 ? {} : { subjects }),
    }),
  });
  return { object, action: contentOf(live) === contentOf(written) ? 'unchanged' : 'configured' };
}

// The server drops an empty apiGroup, so it tells nothing (rancher/rke2#6273).
function keyOf({ kind, namespace = '', name }: RoleSubject): string {
  return JSON.stringify([kind, namespace, name]);
}
