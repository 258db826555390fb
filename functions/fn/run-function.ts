import { type Diagnostic, diagnose } from '../../render/diagnostic.ts';
import { isJsonObject } from '../../render/json.ts';
import type { Io } from '../io.ts';
import { formatDiagnostics } from '../output/print-diagnostics.ts';
import { applyChanges } from './apply-changes.ts';
import { type FunctionOptions, isOwnConfig, readOptions } from './function-config.ts';
import { differences, type PackageChange } from './package-change.ts';
import { isKustomize } from './read-package.ts';
import { referenceOf } from './reference.ts';
import { renderPackage } from './render-package.ts';
import {
  type Item,
  NotAResourceList,
  type ResourceList,
  readResourceList,
  writeResourceList,
} from './resource-list.ts';
import { byImportance, resultsOf } from './results.ts';

/**
 * Runs gari as a KRM function on the text of a ResourceList and returns the exit code: 0 done, 1 the
 * input is wrong. On an error the list comes out as it came in, with the results.
 */
export async function runFunction(text: string, io: Io): Promise<number> {
  let list: ResourceList;
  try {
    list = readResourceList(text);
  } catch (error) {
    if (!(error instanceof NotAResourceList)) throw error;
    io.stderr(`error: ${error.message}\n`);
    return 1;
  }
  const { items, diagnostics } = await processItems(list);
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  const results = [...list.results, ...resultsOf(diagnostics, list.items)];
  io.stdout(writeResourceList(list, failed ? list.items : items, results));
  io.stderr(formatDiagnostics(byImportance(diagnostics), 'text'));
  return failed ? 1 : 0;
}

/** What becomes of the items of a list. */
export async function processItems({
  items,
  functionConfig,
}: Pick<ResourceList, 'items' | 'functionConfig'>): Promise<{
  readonly items: readonly Item[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { options, problems } = readOptions(functionConfig);
  if (options === undefined) {
    const subject = isJsonObject(functionConfig) ? { object: referenceOf(functionConfig) } : {};
    const diagnostics = problems.map(({ field, message }): Diagnostic => {
      return { severity: 'error', reason: 'InvalidConfig', ...subject, field, message };
    });
    return { items, diagnostics };
  }
  const { changes, diagnostics } = await renderPackage(items, options);
  const seen = [...diagnostics, ...seenAsGenerator(items)];
  if (options.mode === 'Validate') return validated(items, changes, seen);
  return { items: await rendered(items, changes, options), diagnostics: seen };
}

async function rendered(
  items: readonly Item[],
  changes: readonly PackageChange[],
  options: FunctionOptions,
): Promise<readonly Item[]> {
  const after = await applyChanges(items, changes, options);
  // Whoever runs functions takes an empty list for "delete every file of the package".
  if (after.length === 0 && items.length > 0) throw new Error('the whole package would be gone');
  return after;
}

function validated(
  items: readonly Item[],
  changes: readonly PackageChange[],
  diagnostics: readonly Diagnostic[],
) {
  const stale = changes.flatMap(staleness);
  // kustomize compares what a validator prints with what it knows, and has added annotations itself
  // (kubernetes-sigs/kustomize#5036). For kpt an empty list would empty the package.
  const unchanged = isKustomize(items) && stale.length === 0 ? [] : items;
  return {
    items: unchanged,
    diagnostics: [...diagnostics.filter(({ reason }) => reason !== 'Pruned'), ...stale],
  };
}

function staleness(change: PackageChange): Diagnostic[] {
  const about = (object: Parameters<typeof referenceOf>[0], message: string) =>
    diagnose('error', 'Stale', { object: referenceOf(object) }, undefined, message);
  if (change.type === 'add')
    return [about(change.object, 'is missing: gari renders it; run the function in mode Render')];
  const there = change.item.object ?? {};
  if (change.type === 'remove')
    return [about(there, `is left over: ${change.why}; run the function in mode Render`)];
  return differences(there, change.object).map((difference) => about(there, difference));
}

/** A generator sees nothing of the package but its own configuration (kubernetes-sigs/kustomize#5502). */
function seenAsGenerator(items: readonly Item[]): Diagnostic[] {
  const [only, ...more] = items;
  if (more.length > 0 || only?.object === undefined || !isOwnConfig(only.object)) return [];
  const message =
    'sees no object but its own configuration; in a kustomization.yaml, list it under transformers, not generators';
  return [diagnose('warning', 'NoObjects', { object: referenceOf(only.object) }, undefined, message)];
}
