import {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml';
import type { Path } from '../../render/json.ts';

/** A value and where it starts in the text; a map's children are its keys and values in turn. */
export interface YamlNode {
  readonly start: number;
  readonly type: 'map' | 'list' | 'scalar';
  readonly text?: string;
  /** Whether it is a literal, each line of which is one of its text. */
  readonly isLiteral?: boolean;
  readonly children: YamlNode[];
}

/**
 * Finds lines, counted from 1, in one YAML document: that of a field, or of its nearest parent. The
 * text is read once, when the first is asked for: a List can have a warning for each of its items.
 */
export function lineFinder(text: string): (path: Path) => number {
  let read: { root: YamlNode | undefined; lineStarts: readonly number[] } | undefined;
  return (path) => {
    read ??= { root: documentNodes(text)[0], lineStarts: lineStartsOf(text) };
    return lineOf(path, read);
  };
}

function lineOf(
  path: Path,
  { root, lineStarts }: { readonly root: YamlNode | undefined; readonly lineStarts: readonly number[] },
): number {
  let node = root;
  let start = node?.start ?? 0;
  for (const [index, step] of path.entries()) {
    const found = typeof step === 'number' ? itemOf(node, step) : entryOf(node, step);
    if (found === undefined) return lineAt(start, lineStarts) + linesInto(node, path.slice(index));
    start = found.start;
    node = found.value;
  }
  return lineAt(start, lineStarts);
}

/** How far into a literal (`|`) of YAML one of its fields stands, counted from the line of its key. */
function linesInto(node: YamlNode | undefined, path: Path): number {
  if (node?.isLiteral !== true || node.text === undefined) return 0;
  try {
    const [step = ''] = path;
    const [inner] = documentNodes(node.text);
    const found = typeof step === 'number' ? itemOf(inner, step) : entryOf(inner, step);
    return found === undefined ? 0 : lineFinder(node.text)(path);
  } catch (error) {
    if (error instanceof YAMLException) return 0;
    throw error;
  }
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

/** The line of a place in the text: how many lines start before it or there. */
function lineAt(place: number, lineStarts: readonly number[]): number {
  let [low, high] = [0, lineStarts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The documents of a text as nodes. */
export function documentNodes(text: string): readonly YamlNode[] {
  const root: YamlNode = { start: 0, type: 'list', children: [] };
  const open: YamlNode[] = [];
  for (const event of parseEvents(text, {})) {
    if (event.type === EVENT_DOCUMENT) {
      open.push(root);
    } else if (event.type === EVENT_POP) {
      open.pop();
    } else if (event.type === EVENT_MAPPING || event.type === EVENT_SEQUENCE) {
      const type = event.type === EVENT_MAPPING ? 'map' : 'list';
      const node: YamlNode = { start: event.start, type, children: [] };
      open.at(-1)?.children.push(node);
      open.push(node);
    } else if (event.type === EVENT_SCALAR) {
      // An empty value stands nowhere.
      const node: YamlNode = {
        start: event.valueStart,
        type: 'scalar',
        text: getScalarValue(text, event),
        isLiteral: event.style === SCALAR_STYLE.LITERAL_BLOCK,
        children: [],
      };
      open.at(-1)?.children.push(node);
    } else if (event.type === EVENT_ALIAS) {
      open.at(-1)?.children.push({ start: event.anchorStart, type: 'scalar', children: [] });
    }
  }
  return root.children;
}

function itemOf(node: YamlNode | undefined, index: number): { start: number; value: YamlNode } | undefined {
  const value = node?.type === 'list' ? node.children[index] : undefined;
  return value === undefined || value.start < 0 ? undefined : { start: value.start, value };
}

/** A map's entry: it starts at its key. */
function entryOf(
  node: YamlNode | undefined,
  key: string,
): { start: number; value: YamlNode | undefined } | undefined {
  if (node?.type !== 'map') return undefined;
  const index = node.children.findIndex((child, position) => position % 2 === 0 && child.text === key);
  const name = node.children[index];
  return name === undefined ? undefined : { start: name.start, value: node.children[index + 1] };
}
