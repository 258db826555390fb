import { type Diagnostic, diagnose, subjectOf } from '../../render/diagnostic.ts';
import type { RenderedObject } from '../../render/objects.ts';
import type { Sourced } from '../../render/source.ts';
import {
  type DataPlaneSubject,
  existingSubjects,
  foreignRole,
  isOfOurMaking,
  looksLikeOurs,
  type WantedSubjects,
} from '../../render/subjects.ts';
import { isInstalled, wantedBinding, withoutSubjects } from '../binding.ts';
import { isAsWanted, type PackageChange } from './package-change.ts';
import type { Item } from './resource-list.ts';

/** A binding of the package. */
export interface PackageBinding {
  readonly item: Item;
  readonly binding: Sourced<RenderedObject>;
}

/** What the bindings of a package are to say. */
export interface WantedBindings extends WantedSubjects {
  readonly bindingName: string;
  /** Of Gateways that are gone. */
  readonly gone: readonly DataPlaneSubject[];
  /** Whether all Gateways are known: else no subject is taken off, and no binding removed. */
  readonly whole: boolean;
}

/** What is wrong with the bindings of the name: one that is not ours to fill, or two that nobody can tell apart. */
export function bindingProblems(
  bindings: readonly PackageBinding[],
  bindingName: string,
): readonly Diagnostic[] {
  const named = ofName(bindings, bindingName).map(({ binding }) => binding);
  const [, ...more] = named.filter(({ object }) => !isOfOurMaking(object));
  const message = "is in the package twice, and neither is of gari's making; remove one";
  return [
    ...named.flatMap(foreignRole),
    ...more.map((binding) => diagnose('error', 'Duplicate', subjectOf(binding), undefined, message)),
  ];
}

/**
 * What becomes of the bindings of a package: one of the name has all subjects, and no other has them. Of
 * several of the name a user's own stays, else that of `gari install`, else the first.
 */
export function bindingChanges(
  bindings: readonly PackageBinding[],
  wanted: WantedBindings,
): readonly PackageChange[] {
  const named = ofName(bindings, wanted.bindingName);
  const kept =
    named.find(({ binding }) => !isOfOurMaking(binding.object)) ??
    named.find(({ binding }) => isInstalled(binding.object)) ??
    named[0];
  const copies = named.filter((each) => each !== kept);
  return [
    ...namedChange(kept, copies, wanted),
    ...copies.map(({ item }) => removal(item, 'it is in the package twice')),
    ...bindings.filter((each) => !named.includes(each)).flatMap((each) => otherChange(each, wanted)),
  ];
}

function namedChange(
  kept: PackageBinding | undefined,
  copies: readonly PackageBinding[],
  wanted: WantedBindings,
): readonly PackageChange[] {
  const { bindingName, whole } = wanted;
  const object = wantedBinding(bindingName, wanted, kept && withSubjectsOf(kept, copies), whole);
  if (object === undefined) return [];
  if (kept === undefined) return object === 'remove' ? [] : [{ type: 'add', object }];
  if (object === 'remove') return whole ? [removal(kept.item, 'no data plane needs it')] : [];
  return replacement(kept, object);
}

/** A binding with what others have put into its copies. */
function withSubjectsOf({ binding }: PackageBinding, copies: readonly PackageBinding[]): RenderedObject {
  const others = copies
    .flatMap((copy) => existingSubjects(copy.binding.object))
    .filter((subject) => !looksLikeOurs(subject));
  if (others.length === 0) return binding.object;
  return { ...binding.object, subjects: [...existingSubjects(binding.object), ...others] };
}

// The option had another name before, and a binding that stays behind would go on giving rights.
function otherChange(
  other: PackageBinding,
  { bindingName, subjects, gone, whole }: WantedBindings,
): readonly PackageChange[] {
  const { item, binding } = other;
  if (foreignRole(binding).length > 0) return [];
  const object = withoutSubjects(binding.object, [...subjects, ...(whole ? gone : [])]);
  if (object === undefined) return [];
  const isNeeded =
    existingSubjects(object).length > 0 || !isOfOurMaking(binding.object) || isInstalled(binding.object);
  if (isNeeded || !whole) return replacement(other, object);
  return [removal(item, `ClusterRoleBinding ${bindingName} has its subjects now`)];
}

function ofName(bindings: readonly PackageBinding[], name: string): readonly PackageBinding[] {
  return bindings.filter(({ binding }) => binding.object.metadata.name === name);
}

function replacement({ item, binding }: PackageBinding, object: RenderedObject): readonly PackageChange[] {
  return isAsWanted(item.object ?? binding.object, object) ? [] : [{ type: 'replace', item, object }];
}

function removal(item: Item, why: string): PackageChange {
  return { type: 'remove', item, why };
}
