import { claimGateways } from '../../render/claim.ts';
import { type Diagnostic, diagnose, formatReference } from '../../render/diagnostic.ts';
import { groupBy } from '../../render/group-by.ts';
import type { JsonObject } from '../../render/json.ts';
import { gatewayKey } from '../../render/metadata.ts';
import { compareText } from '../../render/normalize.ts';
import { applyOrder, type RenderedObject } from '../../render/objects.ts';
import { type RenderInput, type RenderResult, render } from '../../render/render.ts';
import { foreignRole } from '../../render/subjects.ts';
import { wantedBinding } from '../binding.ts';
import { refuseToLose } from '../unclear-class.ts';
import type { FunctionOptions } from './function-config.ts';
import { renderedFor } from './own-output.ts';
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
  const own = groupBy(items, ({ object }) => (object === undefined ? undefined : renderedFor(object)));
  const orphans = [...own]
    .filter(([key]) => key !== undefined && !live.has(key))
    .flatMap(([, group]) => group);
  const orphanKeys = new Set(orphans.map(({ object }) => identityOf(object ?? {})));
  const existing = input.existing.filter(({ object }) => !orphanKeys.has(identityOf(object)));
  const result = render({ ...input, existing }, options);

  const binding = input.clusterRoleBindings.find(
    ({ object }) => object.metadata.name === options.bindingName,
  );
  const diagnostics = [
    ...invalid,
    ...refuseToLose(result.diagnostics, (gateway) => own.has(gateway)),
    ...foreignRole(binding),
  ];
  if (diagnostics.some(({ severity }) => severity === 'error')) return { changes: [], diagnostics, input };
  const whole = options.prune === 'Auto' && isWholeView(input, items, options.controllerName);
  const changes = [
    ...objectChanges(items, result),
    ...bindingChange(items, binding?.object, result, options, whole),
    ...(options.prune === 'Auto' ? notNeeded(own, result) : []),
    ...(whole ? orphans.map((item) => removal(item)) : []),
  ];
  const left = whole ? [] : orphans.map((item) => leftBehind(item, options));
  return { changes, diagnostics: [...diagnostics, ...changes.flatMap(removalWarning), ...left], input };
}

function liveGateways(input: RenderInput, options: FunctionOptions): ReadonlySet<string> {
  const { ours } = claimGateways(input.gateways, input.gatewayClasses, options);
  return new Set(ours.map(({ object }) => gatewayKey(object)));
}

function objectChanges(items: readonly Item[], { objects }: RenderResult): PackageChange[] {
  const byIdentity = groupBy(items, ({ object }) => (object === undefined ? '' : identityOf(object)));
  return [...objects.values()].flat().flatMap((object) => {
    const [first, ...copies] = byIdentity.get(identityOf(object)) ?? [];
    const removals = copies.map((item) => removal(item, 'it is in the package twice'));
    return [...change(first, object), ...removals];
  });
}

/** What was rendered for a Gateway that is here and needs no object of that kind any more. */
function notNeeded(
  own: ReadonlyMap<string | undefined, readonly Item[]>,
  { objects, retain }: RenderResult,
): PackageChange[] {
  return [...objects].flatMap(([key, rendered]) => {
    const [namespace] = key.split('/');
    const kinds = new Set([
      ...rendered.map(({ kind }) => kind),
      ...retain.filter((each) => each.namespace === namespace).map(({ kind }) => kind),
    ]);
    return (own.get(key) ?? [])
      .filter(({ object }) => !kinds.has(String(object?.kind)))
      .map((item) => removal(item, `its Gateway ${key} needs none`));
  });
}

function change(item: Item | undefined, object: RenderedObject): PackageChange[] {
  if (item?.object === undefined) return [{ type: 'add', object }];
  return isAsWanted(item.object, object) ? [] : [{ type: 'replace', item, object }];
}

function bindingChange(
  items: readonly Item[],
  there: RenderedObject | undefined,
  result: RenderResult,
  { bindingName }: FunctionOptions,
  whole: boolean,
): PackageChange[] {
  const wanted = wantedBinding(bindingName, result, there);
  if (wanted === undefined) return [];
  const item = items.find(
    ({ object }) => object !== undefined && there !== undefined && identityOf(object) === identityOf(there),
  );
  if (wanted !== 'remove') return change(item, wanted);
  return item !== undefined && whole ? [removal(item, 'no data plane needs it')] : [];
}

function removal(item: Item, why?: string): PackageChange {
  const gateway = renderedFor(item.object ?? {});
  return {
    type: 'remove',
    item,
    why: why ?? `its Gateway ${gateway ?? ''} is not in the package, or not gari's any more`,
  };
}

function removalWarning(change: PackageChange): Diagnostic[] {
  if (change.type !== 'remove') return [];
  const message = `is removed from the package: ${change.why} (spec.prune: Never keeps such objects)`;
  return [
    diagnose('warning', 'Pruned', { object: referenceOf(change.item.object ?? {}) }, undefined, message),
  ];
}

function leftBehind(item: Item, { prune }: FunctionOptions): Diagnostic {
  const why =
    prune === 'Never'
      ? 'spec.prune is Never'
      : 'the list shows no Gateway, no class of ours and no Kptfile, so it may be a part of a package';
  const message = `belongs to Gateway ${renderedFor(item.object ?? {}) ?? ''}, which is not there; it is kept, as ${why}`;
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
