import type { RoleSubject } from '../render/objects.ts';
import {
  compareSubjects,
  DATA_PLANE_ROLE,
  type DataPlaneSubject,
  looksLikeOurs,
  mergeSubjects,
  ownSubjects,
  subjectKey,
} from '../render/subjects.ts';
import type { WriteOptions } from './apply-object.ts';
import { canonical } from './canonical.ts';
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

/** What the list of subjects is to be, from what it is. */
export type SubjectsRule = (there: readonly RoleSubject[]) => readonly RoleSubject[];

/**
 * Writes the subjects of the shared binding. Its list is atomic, so the whole of it is written, on the
 * condition that it is still what was read; else the rule is asked again. Never writes `roleRef`, and
 * never creates the binding.
 */
export async function writeSubjects(
  transport: Transport,
  bindingName: string,
  rule: SubjectsRule,
  options: WriteOptions,
): Promise<Change> {
  const object: ClusterObject = { kind: 'ClusterRoleBinding', name: bindingName };
  try {
    for (let attempt = 1; ; attempt++) {
      // What a cache has may be what was just refused.
      const cached = attempt === 1 ? options.read?.(object) : undefined;
      const live = await (cached ?? getObject(transport, object, options.signal));
      if (live === undefined) {
        const message = 'it is not there; gari install --only=data-plane-rbac prints it';
        return { object, action: 'failed', message };
      }
      const { kind, name } = live.roleRef ?? { kind: 'no role', name: '' };
      if (kind !== 'ClusterRole' || name !== DATA_PLANE_ROLE) {
        const message = `it binds ${kind} ${name}, not ClusterRole ${DATA_PLANE_ROLE}; choose another with --binding-name`;
        return { object, action: 'conflict', message };
      }
      const there = live.subjects ?? [];
      const subjects = rule(there);
      const isWritten = options.memo?.isBehind(object, live, { subjects }) ?? false;
      if (isWritten || canonical(subjects) === canonical(there)) return { object, action: 'unchanged' };
      try {
        return await write(transport, object, live, subjects, options);
      } catch (error) {
        if (!(error instanceof StatusError && error.code === 409) || attempt === MOST_TRIES) throw error;
      }
    }
  } catch (error) {
    return failure(object, error);
  }
}

/**
 * Brings a change into the list of subjects; all others stay. Where rights are only taken away, a binding
 * that does not give any is none of our business, and one that is not there is no change.
 */
export async function changeSubjects(
  transport: Transport,
  bindingName: string,
  change: SubjectChange,
  options: WriteOptions,
): Promise<Change | undefined> {
  if (change.add.length === 0) {
    const object: ClusterObject = { kind: 'ClusterRoleBinding', name: bindingName };
    try {
      const live = await (options.read?.(object) ?? getObject(transport, object, options.signal));
      if (live === undefined) return undefined;
      const gone = new Set(change.remove.map(subjectKey));
      const has = (live.subjects ?? []).some((subject) => gone.has(subjectKey(subject)));
      if (!has) return { object, action: 'unchanged' };
    } catch (error) {
      return failure(object, error);
    }
  }
  return writeSubjects(transport, bindingName, changedBy(change), options);
}

/**
 * The rule of who knows all Gateways: what looks like a data plane's subject and is not among `ours`
 * goes, others' subjects stay in their order, ours follow, sorted. `retained` ones stay if they are there.
 */
export function exactly(
  ours: readonly DataPlaneSubject[],
  retained: readonly DataPlaneSubject[] = [],
): SubjectsRule {
  return (there) => mergeSubjects(there, ownSubjects(there, { subjects: ours, retainSubjects: retained }));
}

/**
 * The rule of who knows only some Gateways: all other subjects stay as they are. A new one goes before
 * the first data plane's that it sorts before, so that a sorted list stays sorted.
 */
export function changedBy({ add, remove }: SubjectChange): SubjectsRule {
  const gone = new Set(remove.map(subjectKey));
  return (there) => {
    const subjects = there.filter((subject) => !gone.has(subjectKey(subject)));
    const present = new Set(subjects.map(subjectKey));
    for (const subject of add) {
      if (present.has(subjectKey(subject))) continue;
      const place = subjects.findIndex((each) => looksLikeOurs(each) && compareSubjects(subject, each) < 0);
      subjects.splice(place === -1 ? subjects.length : place, 0, subject);
      present.add(subjectKey(subject));
    }
    return subjects;
  };
}

async function write(
  transport: Transport,
  object: ClusterObject,
  live: LiveObject,
  subjects: readonly RoleSubject[],
  { dryRun, memo, signal }: WriteOptions,
): Promise<Change> {
  const { uid, resourceVersion } = live.metadata;
  const written = (await transport.request('PATCH', pathOf(object), {
    signal,
    query: { fieldManager: FIELD_MANAGER, force: true, ...(dryRun ? { dryRun: 'All' } : {}) },
    contentType: 'application/apply-patch+yaml',
    body: applyBody({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: object.kind,
      metadata: { name: object.name, uid, resourceVersion },
      // Without subjects the field is left out: an empty list would be claimed for nothing.
      ...(subjects.length === 0 ? {} : { subjects }),
    }),
  })) as LiveObject;
  if (!dryRun) memo?.remember(object, written, { subjects }, resourceVersion);
  return { object, action: contentOf(live) === contentOf(written) ? 'unchanged' : 'configured' };
}
