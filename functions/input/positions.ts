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

/** Finds the line, counted from 1, of a field of one YAML document, or of its nearest parent. */
export function lineInYaml(text: string, path: Path): number {
  let node = parseNodes(text);
  let start = node?.start ?? 0;
  for (const [index, step] of path.entries()) {
    const found = typeof step === 'number' ? itemOf(node, step) : entryOf(node, step);
    if (found === undefined) return lineInScalar(text, node, path.slice(index)) ?? lineAt(text, start);
    start = found.start;
    node = found.value;
  }
  return lineAt(text, start);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The line of a field of YAML that stands in a literal (`|`) of YAML. */
function lineInScalar(text: string, node: YamlNode | undefined, path: Path): number | undefined {
  if (node?.type !== 'scalar' || node.isLiteral !== true || node.text === undefined) return undefined;
  // Blank lines before the first text belong to the literal.
  return lineAt(text, node.start) - 1 + lineInYaml(node.text, path);
}

function parseNodes(text: string): YamlNode | undefined {
  return documentNodes(text)[0];
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
