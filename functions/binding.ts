import { isJsonObject, type JsonObject } from '../render/json.ts';
import { normalize } from '../render/normalize.ts';
import type { RenderedObject, RoleSubject } from '../render/objects.ts';
import {
  type DataPlaneSubject,
  existingSubjects,
  isOfOurMaking,
  looksLikeOurs,
  ownSubjects,
  sharedBinding,
  subjectKey,
  type WantedSubjects,
  withoutServerFields,
} from '../render/subjects.ts';
import { annotationsOf } from './fn/annotations.ts';

/** In a binding of a user's own, the subjects that gari added: `<namespace>/<name>`, separated by commas. */
const SUBJECTS_ANNOTATION = 'gari.dev/subjects';
/** On the binding of `gari install`: it stays when nobody needs it, as it came from somebody else. */
const INSTALLED_ANNOTATION = 'gari.dev/installed';

/**
 * What is to become of the binding: what it is to say, `remove`, or nothing where there is none and none
 * is needed.
 * @param whole Whether all Gateways are known; else no subject is taken off.
 */
export function wantedBinding(
  name: string,
  wanted: WantedSubjects,
  there: RenderedObject | undefined,
  whole = true,
): RenderedObject | 'remove' | undefined {
  const subjects = ownSubjects(existingSubjects(there), wanted);
  if (there === undefined) return sharedBinding(name, subjects, undefined);
  if (isOfOurMaking(there)) return wantedOfOurs(name, subjects, there, whole);
  const isListed = listedSubjects(there);
  // What the user has put there stays theirs, even where a data plane needs it.
  const theirs = keysOf(existingSubjects(there).filter((subject) => !isListed(subject)));
  const added = subjects.filter((subject) => !theirs.has(subjectKey(subject)));
  const filled = sharedBinding(name, added, there, whole ? isListed : () => false) ?? there;
  const keys = keysOf(added);
  const listed = existingSubjects(filled).filter(
    (subject) => isListed(subject) || keys.has(subjectKey(subject)),
  );
  return withSubjectsListed(filled, listed);
}

function keysOf(subjects: readonly RoleSubject[]): ReadonlySet<string> {
  return new Set(subjects.map(subjectKey));
}

/**
 * A binding without some subjects of gari's: in one of a user's own only those that are listed as
 * gari's. Undefined where it has none of them.
 */
export function withoutSubjects(
  binding: RenderedObject,
  gone: readonly DataPlaneSubject[],
): RenderedObject | undefined {
  const keys = keysOf(gone);
  const isListed = listedSubjects(binding);
  const isOurs = (subject: RoleSubject): boolean => isOfOurMaking(binding) || isListed(subject);
  const there = existingSubjects(binding);
  const left = there.filter((subject) => !(keys.has(subjectKey(subject)) && isOurs(subject)));
  if (left.length === there.length) return undefined;
  const rest = withSubjects(binding, left.length === 0 ? undefined : left);
  return isOfOurMaking(binding) ? rest : withSubjectsListed(rest, left.filter(isListed));
}

/** Whether a binding came from `gari install`: it stays when nobody needs it. */
export function isInstalled(binding: RenderedObject): boolean {
  return annotationsOf(binding)[INSTALLED_ANNOTATION] !== undefined;
}

function listedSubjects(binding: RenderedObject): (subject: RoleSubject) => boolean {
  const listed = new Set(annotationsOf(binding)[SUBJECTS_ANNOTATION]?.split(',') ?? []);
  return ({ kind, namespace, name }) =>
    kind === 'ServiceAccount' && listed.has(`${String(namespace)}/${name}`);
}

function wantedOfOurs(
  name: string,
  subjects: readonly DataPlaneSubject[],
  there: RenderedObject,
  whole: boolean,
): RenderedObject | 'remove' {
  const { subjects: wanted } =
    sharedBinding(name, subjects, there, whole ? looksLikeOurs : () => false) ?? there;
  if (wanted === undefined && !isInstalled(there)) return 'remove';
  return withSubjects(there, wanted);
}

function withSubjects(binding: RenderedObject, subjects: JsonObject[string] | undefined): RenderedObject {
  const { subjects: _, metadata, ...rest } = binding;
  const { apiVersion, kind } = binding;
  const listed = subjects === undefined ? {} : { subjects };
  return normalize({ ...rest, apiVersion, kind, metadata: withoutServerFields(metadata), ...listed });
}

function withSubjectsListed(binding: RenderedObject, subjects: readonly RoleSubject[]): RenderedObject {
  const { [SUBJECTS_ANNOTATION]: _, ...others } = isJsonObject(binding.metadata.annotations)
    ? binding.metadata.annotations
    : {};
  const listed = subjects.map(({ namespace, name }) => `${String(namespace)}/${name}`).join(',');
  const annotations = { ...others, ...(listed === '' ? {} : { [SUBJECTS_ANNOTATION]: listed }) };
  return normalize({ ...binding, metadata: { ...binding.metadata, annotations } });
}
