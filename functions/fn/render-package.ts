import { claimGateways } from '../../render/claim.ts';
import { type Diagnostic, diagnose, formatReference } from '../../render/diagnostic.ts';
import { groupBy } from '../../render/group-by.ts';
import type { JsonObject } from '../../render/json.ts';
import { gatewayKey } from '../../render/metadata.ts';
import { renderedName } from '../../render/names.ts';
import { compareText } from '../../render/normalize.ts';
import { applyOrder, type ObjectKey, type RenderedObject } from '../../render/objects.ts';
import { readKindOf } from '../../render/read-object.ts';
import { type RenderInput, type RenderResult, render } from '../../render/render.ts';
import type { DataPlaneSubject } from '../../render/subjects.ts';
import { refuseToLose } from '../unclear-class.ts';
import { bindingChanges, bindingProblems, type PackageBinding } from './binding-changes.ts';
import type { FunctionOptions } from './function-config.ts';
import { renderedFor, withNamespace } from './own-output.ts';
import { isAsWanted, type PackageChange } from './package-change.ts';
import { isWholeView, readPackage } from './read-package.ts';
import { identityOf, referenceOf } from './reference.ts';
import type { Item } from './resource-list.ts';

/** What a package needs to hold what its Gateways need. */
export interface RenderedPackage {
  readonly changes: readonly PackageChange[];
  readonly diagnostics: readonly Diagnostic[];
  readonly input: RenderInput;
}

/** Compares a package with what gari renders from it. With an error there are no changes. */
export async function renderPackage(
  items: readonly Item[],
  options: FunctionOptions,
): Promise<RenderedPackage> {
  const { input, diagnostics: invalid } = await readPackage(items, options.namespace);
  const live = liveGateways(input, options);
  const placed = items.flatMap((item): Placed[] =>
    item.object === undefined ? [] : [{ item, object: withNamespace(item.object, options.namespace) }],
  );
  const own = groupBy(placed, ({ object }) => renderedFor(object));
  const orphans = [...own].flatMap(([gateway, group]) =>
    gateway === undefined || live.has(gateway) ? [] : group.map((each) => ({ ...each, gateway })),
  );
  const orphanKeys = new Set(orphans.map(({ object }) => identityOf(object)));
  const existing = input.existing.filter(({ object }) => !orphanKeys.has(identityOf(object)));
  const result = render({ ...input, existing }, options);

  const bindings = bindingsOf(items, input);
  const diagnostics = [
    ...invalid,
    ...refuseToLose(result.diagnostics, (gateway) => own.has(gateway)),
    ...bindingProblems(bindings, options.bindingName),
  ];
  if (diagnostics.some(({ severity }) => severity === 'error')) return { changes: [], diagnostics, input };
  const whole = options.prune === 'Auto' && isWholeView(input, items, options.controllerName);
  const changes = [
    ...objectChanges(placed, result),
    ...bindingChanges(bindings, {
      bindingName: options.bindingName,
      subjects: result.subjects,
      retainSubjects: result.retainSubjects,
      gone: orphans.map(({ gateway }) => subjectFor(gateway)),
      whole,
    }),
    ...(options.prune === 'Auto' ? notNeeded(own, result) : []),
    ...(whole ? orphans.map(({ item, gateway }) => removal(item, notThere(gateway))) : []),
  ];
  const left = whole ? [] : orphans.map(({ item, gateway }) => leftBehind(item, gateway, options));
  return { changes, diagnostics: [...diagnostics, ...changes.flatMap(removalWarning), ...left], input };
}

/** An item, and its object with the namespace that it is taken to have. */
interface Placed {
  readonly item: Item;
  readonly object: JsonObject;
}

/** The bindings among the items: they were read in their order, or there is an error. */
function bindingsOf(items: readonly Item[], { clusterRoleBindings }: RenderInput): readonly PackageBinding[] {
  const found = items.filter(
    ({ object }) => object !== undefined && readKindOf(object) === 'ClusterRoleBinding',
  );
  return found.flatMap((item, index) => {
    const binding = clusterRoleBindings[index];
    return binding === undefined ? [] : [{ item, binding }];
  });
}

function subjectFor(gateway: string): DataPlaneSubject {
  const [namespace = '', name = ''] = gateway.split('/');
  return { kind: 'ServiceAccount', namespace, name: renderedName(name) };
}

function liveGateways(input: RenderInput, options: FunctionOptions): ReadonlySet<string> {
  const { ours } = claimGateways(input.gateways, input.gatewayClasses, options);
  return new Set(ours.map(({ object }) => gatewayKey(object)));
}

function objectChanges(placed: readonly Placed[], { objects }: RenderResult): PackageChange[] {
  const byIdentity = groupBy(placed, ({ object }) => identityOf(object));
  return [...objects.values()].flat().flatMap((object) => {
    const [first, ...copies] = byIdentity.get(identityOf(object)) ?? [];
    const removals = copies.map(({ item }) => removal(item, 'it is in the package twice'));
    return [...change(first?.item, object), ...removals];
  });
}

/** What was rendered for a Gateway that is here and needs no object of that kind any more. */
function notNeeded(
  own: ReadonlyMap<string | undefined, readonly Placed[]>,
  { objects, retain }: RenderResult,
): PackageChange[] {
  return [...objects].flatMap(([key, rendered]) => {
    const [namespace, name = ''] = key.split('/');
    const isOf = (each: ObjectKey) => each.namespace === namespace && each.name === renderedName(name);
    const kinds = new Set([
      ...rendered.map(({ kind }) => kind),
      ...retain.filter(isOf).map(({ kind }) => kind),
    ]);
    return (own.get(key) ?? [])
      .filter(({ object }) => !kinds.has(String(object.kind)))
      .map(({ item }) => removal(item, `its Gateway ${key} needs none`));
  });
}

function change(item: Item | undefined, object: RenderedObject): PackageChange[] {
  if (item?.object === undefined) return [{ type: 'add', object }];
  return isAsWanted(item.object, object) ? [] : [{ type: 'replace', item, object }];
}

function removal(item: Item, why: string): PackageChange {
  return { type: 'remove', item, why };
}

function notThere(gateway: string): string {
  return `its Gateway ${gateway} is not in the package, or not gari's any more`;
}

function removalWarning(change: PackageChange): Diagnostic[] {
  if (change.type !== 'remove') return [];
  const message = `is removed from the package: ${change.why} (spec.prune: Never keeps such objects)`;
  return [
    diagnose('warning', 'Pruned', { object: referenceOf(change.item.object ?? {}) }, undefined, message),
  ];
}

function leftBehind(item: Item, gateway: string, { prune }: FunctionOptions): Diagnostic {
  const why =
    prune === 'Never'
      ? 'spec.prune is Never'
      : 'the list shows no Gateway, no class of ours and no Kptfile, so it may be a part of a package';
  const message = `belongs to Gateway ${gateway}, which is not there; it is kept, as ${why}`;
  return diagnose('warning', 'NotPruned', { object: referenceOf(item.object ?? {}) }, undefined, message);
}

/** New objects in the order in which they are written. */
export function inWritingOrder(changes: readonly PackageChange[]): readonly JsonObject[] {
  return changes
    .flatMap((each) => (each.type === 'add' ? [each.object] : []))
    .sort(
      (a, b) =>
        applyOrder(String(a.kind)) - applyOrder(String(b.kind)) ||
        compareText(formatReference(referenceOf(a)), formatReference(referenceOf(b))),
    );
}
