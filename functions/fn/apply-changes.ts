import { isJsonObject, type JsonObject } from '../../render/json.ts';
import { GATEWAY_ANNOTATION } from '../../render/metadata.ts';
import { compareText } from '../../render/normalize.ts';
import { annotationsOf, placeAnnotations, placeOf, wireAnnotationsOf } from './annotations.ts';
import type { FunctionOptions } from './function-config.ts';
import type { PackageChange } from './package-change.ts';
import { fillTemplate, Placement } from './placement.ts';
import { referenceOf } from './reference.ts';
import { inWritingOrder } from './render-package.ts';
import { asItem, type Item, standAlone } from './resource-list.ts';

/** The items of a package after the changes: what is not changed keeps its place and its bytes. */
export async function applyChanges(
  items: readonly Item[],
  changes: readonly PackageChange[],
  options: FunctionOptions,
): Promise<readonly Item[]> {
  const removed = new Set(changes.flatMap((each) => (each.type === 'remove' ? [each.item] : [])));
  const replaced = new Map(
    changes.flatMap((each) => (each.type === 'replace' ? [[each.item, each.object]] : [])),
  );
  const kept: Item[] = [];
  for (const item of items) {
    const wanted = replaced.get(item);
    if (wanted !== undefined) kept.push(await replace(item, wanted));
    else if (!removed.has(item)) kept.push(item);
  }
  // New ones first: behind the last item they would draw a comment at its end to themselves, and kpt
  // would write it twice.
  return [...placed(inWritingOrder(changes), kept, items, options), ...kept];
}

/** An item that says what is wanted, in its old place and with its comments. */
async function replace(item: Item, wanted: JsonObject): Promise<Item> {
  const object = withAnnotations(wanted, wireAnnotationsOf(item.object ?? {}));
  if (item.text === undefined || !/^ *-/.test(item.text)) return { object };
  const { editYaml } = await import('./edit-yaml.ts');
  const indent = /^ */.exec(item.text)?.[0] ?? '';
  const column = indent.length + 2;
  const alone = standAlone(item.text)
    .split('\n')
    .map((line) => (line.slice(0, column).trim() === '' ? line.slice(column) : line))
    .join('\n');
  return { object, text: asItem(editYaml(alone, object), indent) };
}

/** New objects with the annotations that put them in a file beside their Gateway. */
function placed(
  objects: readonly JsonObject[],
  kept: readonly Item[],
  items: readonly Item[],
  options: FunctionOptions,
): readonly Item[] {
  const placement = new Placement(kept.flatMap(({ object }) => (object && placeOf(object)) ?? []));
  const gateways = new Map(
    items
      .flatMap(({ object }) => (object?.kind === 'Gateway' ? [object] : []))
      .map((gateway) => {
        const { namespace = options.namespace, name } = referenceOf(gateway);
        return [`${namespace}/${name}`, placeOf(gateway)];
      }),
  );
  const firstKey = [...gateways.keys()].sort(compareText)[0] ?? '';
  return objects.map((object) => {
    const key = annotationsOf(object)[GATEWAY_ANNOTATION];
    const beside = gateways.get(key ?? firstKey);
    if (beside === undefined) return { object };
    const { name } = referenceOf(object);
    const [namespace = '', gateway = ''] = key?.split('/') ?? [];
    const path =
      key === undefined
        ? fillTemplate('{dir}/clusterrolebinding_{name}.yaml', beside.path, { namespace, gateway, name })
        : fillTemplate(options.path, beside.path, { namespace, gateway, name });
    return { object: withAnnotations(object, placeAnnotations(placement.next(path, beside.package))) };
  });
}

function withAnnotations(object: JsonObject, annotations: Readonly<Record<string, string>>): JsonObject {
  if (Object.keys(annotations).length === 0) return object;
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  const own = isJsonObject(metadata.annotations) ? metadata.annotations : {};
  return { ...object, metadata: { ...metadata, annotations: { ...own, ...annotations } } };
}
