import { type Diagnostic, diagnose, subjectOf } from './diagnostic.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';
import { NAME_LABEL, OWN_LABELS } from './metadata.ts';
import { compareText, normalize } from './normalize.ts';
import type { RenderedMeta, RenderedObject, RoleSubject } from './objects.ts';
import type { Sourced } from './source.ts';

/** The ClusterRole that data planes read the cluster with, and the default name of its binding. */
export const DATA_PLANE_ROLE = 'gari-dataplane';

/** A data plane's ServiceAccount as a subject. */
export interface DataPlaneSubject extends RoleSubject {
  readonly kind: 'ServiceAccount';
  readonly namespace: string;
}

/** Data planes' subjects in the order in which the binding lists them. */
export function sortSubjects(subjects: readonly DataPlaneSubject[]): readonly DataPlaneSubject[] {
  return [...subjects].sort(compareSubjects);
}

/** Which of two subjects comes first: by namespace, then by name. */
export function compareSubjects(a: RoleSubject, b: RoleSubject): number {
  return compareText(String(a.namespace), String(b.namespace)) || compareText(a.name, b.name);
}

/**
 * The binding's whole list, which is atomic and has one writer: others' subjects first in the order
 * found, then ours, sorted. What looks like ours and is not wanted goes.
 */
export function mergeSubjects(
  existing: readonly RoleSubject[],
  ours: readonly DataPlaneSubject[],
  isStale: (subject: RoleSubject) => boolean = looksLikeOurs,
): readonly RoleSubject[] {
  const wanted = new Set(ours.map(subjectKey));
  const others = existing.filter((subject) => !isStale(subject) && !wanted.has(subjectKey(subject)));
  const unique = new Map([...others, ...sortSubjects(ours)].map((subject) => [subjectKey(subject), subject]));
  return [...unique.values()];
}

/** What a binding is to list of data planes. */
export interface WantedSubjects {
  /** Those that belong there. */
  readonly subjects: readonly DataPlaneSubject[];
  /** Those that stay if they are there, although nobody knows now whether they belong there. */
  readonly retainSubjects: readonly DataPlaneSubject[];
}

/** The data planes' subjects that a binding with this list is to have. */
export function ownSubjects(
  existing: readonly RoleSubject[],
  { subjects, retainSubjects }: WantedSubjects,
): readonly DataPlaneSubject[] {
  const present = new Set(existing.map(subjectKey));
  return [...subjects, ...retainSubjects.filter((subject) => present.has(subjectKey(subject)))];
}

/** Whether a subject has the shape of a data plane's. */
export function looksLikeOurs({ kind, name }: RoleSubject): boolean {
  return kind === 'ServiceAccount' && name.endsWith('-gari');
}

/**
 * The shared binding with these subjects. A binding of a user's own (without our name label) keeps
 * everything else; undefined where there would be nothing in it.
 */
export function sharedBinding(
  name: string,
  ours: readonly DataPlaneSubject[],
  existing: RenderedObject | undefined,
  isStale: (subject: RoleSubject) => boolean = looksLikeOurs,
): RenderedObject | undefined {
  const subjects = mergeSubjects(existingSubjects(existing), ours, isStale);
  if (existing === undefined && subjects.length === 0) return undefined;
  const usersOwn = existing !== undefined && !isOfOurMaking(existing);
  const base: RenderedObject = usersOwn
    ? { ...existing, metadata: withoutServerFields(existing.metadata) }
    : {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name, labels: OWN_LABELS },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: DATA_PLANE_ROLE },
      };
  return normalize({ ...base, subjects });
}

/** A binding to another role: it would give data planes whatever that role allows. */
export function foreignRole(existing: Sourced<RenderedObject> | undefined): readonly Diagnostic[] {
  const role = existing?.object.roleRef;
  if (existing === undefined || !isJsonObject(role)) return [];
  if (role.kind === 'ClusterRole' && role.name === DATA_PLANE_ROLE) return [];
  const message = `is ${role.kind} ${role.name}: data planes are bound to ClusterRole ${DATA_PLANE_ROLE} only; name another binding with --binding-name`;
  return [diagnose('error', 'ForeignRole', subjectOf(existing), ['roleRef'], message)];
}

// An apply must not hold them: managedFields are refused, a resourceVersion or uid of yesterday is a conflict.
const SERVER_FIELDS = new Set([
  ...['creationTimestamp', 'deletionGracePeriodSeconds', 'deletionTimestamp', 'generation'],
  ...['managedFields', 'resourceVersion', 'selfLink', 'uid'],
]);

/** Metadata without what only a server can say. */
export function withoutServerFields(metadata: RenderedMeta): RenderedMeta {
  const fields = Object.entries(metadata).filter(([field]) => !SERVER_FIELDS.has(field));
  return { ...Object.fromEntries(fields), name: metadata.name };
}

/** Whether a binding was made by gari, or by its install, and not by a user for their own reasons. */
export function isOfOurMaking({ metadata }: RenderedObject): boolean {
  return isJsonObject(metadata.labels) && metadata.labels[NAME_LABEL] === OWN_LABELS[NAME_LABEL];
}

/** The subjects of a binding that is there. */
export function existingSubjects(binding: JsonObject | undefined): readonly RoleSubject[] {
  const subjects = binding?.subjects;
  return isJsonList(subjects) ? subjects.filter(isRoleSubject) : [];
}

function isRoleSubject(value: Json): value is RoleSubject {
  return isJsonObject(value) && typeof value.kind === 'string' && typeof value.name === 'string';
}

/** A subject as text. The server drops an empty apiGroup, so it tells nothing (rancher/rke2#6273). */
export function subjectKey({ kind, name, namespace = '' }: RoleSubject): string {
  return JSON.stringify([kind, namespace, name]);
}
