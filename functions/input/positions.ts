import {
  EVENT_ALIAS,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  getScalarValue,
  parseEvents,
} from 'js-yaml';
import type { Path } from '../../render/json.ts';

/** A value and where it starts in the text; a map's children are its keys and values in turn. */
interface Node {
  readonly start: number;
  readonly type: 'map' | 'list' | 'scalar';
  readonly text?: string;
  readonly children: Node[];
}

/** Finds the line, counted from 1, of a field of one YAML document, or of its nearest parent. */
export function lineInYaml(text: string, path: Path): number {
  let node = parseNodes(text);
  let start = node?.start ?? 0;
  for (const step of path) {
    const found = typeof step === 'number' ? itemOf(node, step) : entryOf(node, step);
    if (found === undefined) break;
    start = found.start;
    node = found.value;
  }
  return text.slice(0, start).split('\n').length;
}

function parseNodes(text: string): Node | undefined {
  const root: Node = { start: 0, type: 'list', children: [] };
  const open = [root];
  for (const event of parseEvents(text, {})) {
    if (event.type === EVENT_POP) {
      open.pop();
    } else if (event.type === EVENT_MAPPING || event.type === EVENT_SEQUENCE) {
      const type = event.type === EVENT_MAPPING ? 'map' : 'list';
      const node: Node = { start: event.start, type, children: [] };
      open.at(-1)?.children.push(node);
      open.push(node);
    } else if (event.type === EVENT_SCALAR) {
      // An empty value stands nowhere.
      const node: Node = {
        start: event.valueStart,
        type: 'scalar',
        text: getScalarValue(text, event),
        children: [],
      };
      open.at(-1)?.children.push(node);
    } else if (event.type === EVENT_ALIAS) {
      open.at(-1)?.children.push({ start: event.anchorStart, type: 'scalar', children: [] });
    }
  }
  return root.children[0];
}

function itemOf(node: Node | undefined, index: number): { start: number; value: Node } | undefined {
  const value = node?.type === 'list' ? node.children[index] : undefined;
  return value === undefined || value.start < 0 ? undefined : { start: value.start, value };
}

/** A map's entry: it starts at its key. */
function entryOf(
  node: Node | undefined,
  key: string,
): { start: number; value: Node | undefined } | undefined {
  if (node?.type !== 'map') return undefined;
  const index = node.children.findIndex((child, position) => position % 2 === 0 && child.text === key);
  const name = node.children[index];
  return name === undefined ? undefined : { start: name.start, value: node.children[index + 1] };
}
