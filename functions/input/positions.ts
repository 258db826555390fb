import { isJsonObject, type Path } from '../../render/json.ts';
import { parseYaml } from '../yaml.ts';

interface Node {
  readonly line: number;
  readonly children: Node[];
  value: unknown;
}

/** Finds the line, counted from 1, of a field of one YAML document, or of its nearest parent. */
export function lineInYaml(text: string, path: Path): number {
  const root = parseNodes(text);
  let node = root;
  for (const step of path) {
    const child = typeof step === 'number' ? node?.children[step] : entryOf(node, step);
    if (child === undefined) break;
    node = child;
  }
  return (node?.line ?? 0) + 1;
}

/** The nodes of a document as the parser meets them: a map's children are its keys and values in turn. */
function parseNodes(text: string): Node | undefined {
  const open: Node[] = [];
  let root: Node | undefined;
  parseYaml(text, (event, { line, result }) => {
    if (event === 'open') {
      open.push({ line, children: [], value: undefined });
      return;
    }
    const node = open.pop();
    if (node === undefined) return;
    node.value = result;
    const parent = open.at(-1);
    if (parent === undefined) root = node;
    else parent.children.push(node);
  });
  return root;
}

/** A map's entry: the line is that of the key, the children are the value's. */
function entryOf(node: Node | undefined, key: string): Node | undefined {
  if (node === undefined || !isJsonObject(node.value)) return undefined;
  for (let index = 0; index < node.children.length; index += 2) {
    const [name, value] = node.children.slice(index, index + 2);
    if (name !== undefined && String(name.value) === key) {
      return { line: name.line, children: value?.children ?? [], value: value?.value };
    }
  }
  return undefined;
}
