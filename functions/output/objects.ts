import { compareText } from '../../render/normalize.ts';
import { applyOrder, type RenderedObject } from '../../render/objects.ts';
import { formatYaml } from '../yaml.ts';

/** Objects in the order in which they are applied: by kind, then namespace and name. */
export function inApplyOrder(objects: readonly RenderedObject[]): readonly RenderedObject[] {
  return [...objects].sort(
    (a, b) =>
      applyOrder(a.kind) - applyOrder(b.kind) ||
      compareText(namespaceOf(a), namespaceOf(b)) ||
      compareText(a.metadata.name, b.metadata.name),
  );
}

/** Objects as a stream of YAML documents. */
export function formatYamlStream(objects: readonly RenderedObject[]): string {
  return objects.map(formatYaml).join('---\n');
}

/** Objects as one `v1` List in JSON. */
export function formatJsonList(objects: readonly RenderedObject[]): string {
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, undefined, 2)}\n`;
}

function namespaceOf({ metadata }: RenderedObject): string {
  return typeof metadata.namespace === 'string' ? metadata.namespace : '';
}
