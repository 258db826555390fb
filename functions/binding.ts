import { isJsonObject, type JsonObject } from '../render/json.ts';
import { normalize } from '../render/normalize.ts';
import type { RenderedObject, RoleSubject } from '../render/objects.ts';
import {
  type DataPlaneSubject,
  existingSubjects,
  isOfOurMaking,
  ownSubjects,
  sharedBinding,
  type WantedSubjects,
  withoutServerFields,
} from '../render/subjects.ts';
import { annotationsOf } from './fn/annotations.ts';

/** In a binding of a user's own, the subjects that gari added: `<namespace>/<name>`, separated by commas. */
const SUBJECTS_ANNOTATION = 'gari.dev/subjects';
/** On the binding of `gari install`: it stays when nobody needs it, as it came from somebody else. */
const INSTALLED_ANNOTATION = 'gari.dev/installed';

/** What is to become of the binding: what it is to say, `remove`, or nothing where there is none and none is needed. */
export function wantedBinding(
  name: string,
  wanted: WantedSubjects,
  there: RenderedObject | undefined,
): RenderedObject | 'remove' | undefined {
  const subjects = ownSubjects(existingSubjects(there), wanted);
  if (there === undefined) return sharedBinding(name, subjects, undefined);
  if (isOfOurMaking(there)) return wantedOfOurs(name, subjects, there);
  const listed = new Set(annotationsOf(there)[SUBJECTS_ANNOTATION]?.split(',') ?? []);
  const isStale = ({ namespace, name }: RoleSubject) => listed.has(`${String(namespace)}/${name}`);
  return withSubjectsListed(sharedBinding(name, subjects, there, isStale) ?? there, subjects);
}

function wantedOfOurs(
  name: string,
  subjects: readonly DataPlaneSubject[],
  there: RenderedObject,
): RenderedObject | 'remove' {
  const { subjects: wanted } = sharedBinding(name, subjects, there) ?? there;
  if (wanted === undefined && annotationsOf(there)[INSTALLED_ANNOTATION] === undefined) return 'remove';
  return withSubjects(there, wanted);
}

function withSubjects(binding: RenderedObject, subjects: JsonObject[string] | undefined): RenderedObject {
  const { subjects: _, metadata, ...rest } = binding;
  const { apiVersion, kind } = binding;
  const listed = subjects === undefined ? {} : { subjects };
  return normalize({ ...rest, apiVersion, kind, metadata: withoutServerFields(metadata), ...listed });
}

function withSubjectsListed(binding: RenderedObject, subjects: readonly DataPlaneSubject[]): RenderedObject {
  const { [SUBJECTS_ANNOTATION]: _, ...others } = isJsonObject(binding.metadata.annotations)
    ? binding.metadata.annotations
    : {};
  const listed = subjects.map(({ namespace, name }) => `${namespace}/${name}`).join(',');
  const annotations = { ...others, ...(listed === '' ? {} : { [SUBJECTS_ANNOTATION]: listed }) };
  return normalize({ ...binding, metadata: { ...binding.metadata, annotations } });
}
