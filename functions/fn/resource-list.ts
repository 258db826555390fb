import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../render/json.ts';
import { documentNodes, type YamlNode } from '../input/positions.ts';
import { formatYaml, parseYaml, YamlError } from '../yaml.ts';
import { jsonItemTexts } from './json-items.ts';

/** One object of a ResourceList, with the bytes that it came in. */
export interface Item {
  /** Undefined where it cannot be read by itself (a key twice, a tag nobody knows): then it is only copied. */
  readonly object: JsonObject | undefined;
  /** As it stands in the list; undefined for an object that is new or changed. */
  readonly text?: string;
}

/** A ResourceList (the wire format of KRM functions) as it came in. */
export interface ResourceList {
  readonly items: readonly Item[];
  /** Whatever stands there: what is no map is not taken for none. */
  readonly functionConfig?: Json;
  readonly results: readonly Json[];
  readonly layout: Layout;
}

/**
 * How the text is put together again, so that what is not changed comes out byte for byte. A YAML or
 * JSON library would not do: `"yes"` loses its quotes, `0644` becomes 644, comments double.
 */
type Layout =
  | {
      readonly form: 'block';
      readonly sections: readonly Section[];
      readonly header: string;
      readonly indent: string;
    }
  | { readonly form: 'json'; readonly root: JsonObject }
  | { readonly form: 'flow'; readonly root: JsonObject };

/** The text of one top-level field, or of what stands before the first. */
interface Section {
  readonly key: string | undefined;
  readonly text: string;
}

const VERSIONS = ['config.kubernetes.io/v1', 'config.kubernetes.io/v1beta1'];

/** Thrown for input that is no ResourceList; the message says why in one line. */
export class NotAResourceList extends Error {
  override readonly name = 'NotAResourceList';
}

/**
 * Reads a ResourceList.
 * @throws {NotAResourceList} if the text is none.
 */
export function readResourceList(text: string): ResourceList {
  if (text.startsWith('\uFEFF'))
    throw new NotAResourceList('the input starts with a byte order mark; remove it');
  const documents = nodesOf(text);
  if (documents.length > 1)
    throw new NotAResourceList('the input holds more than one document; a ResourceList is one');
  const [node] = documents;
  if (node?.type !== 'map') throw new NotAResourceList('the input is no map, so it is no ResourceList');

  const itemsNode = valueNode(node, 'items');
  const isBlock = text[node.start] !== '{' && (itemsNode === undefined || text[itemsNode.start] === '-');
  if (!isBlock) return readFlow(text, itemsNode);
  const lines = text.endsWith('\n') ? text : `${text}\n`;
  const sections = splitSections(lines, node);
  const root = readRoot(
    sections.map((section) => (section.key === 'items' ? 'items: []\n' : section.text)).join(''),
  );
  const { items, header, indent } = readBlockItems(sections, itemsNode, lines);
  return { ...partsOf(root), items, layout: { form: 'block', sections, header, indent } };
}

/** The text of a list with other items and results; the items' own bytes where they have them. */
export function writeResourceList(
  { layout }: ResourceList,
  items: readonly Item[],
  results: readonly Json[],
): string {
  if (layout.form === 'json') {
    const { items: _, results: __, ...root } = layout.root;
    const fields = Object.entries(root).map(
      ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    );
    fields.push(`"items": [${items.map(({ text, object }) => text ?? JSON.stringify(object)).join(',\n')}]`);
    if (results.length > 0) fields.push(`"results": ${JSON.stringify(results)}`);
    return `{${fields.join(',\n')}}\n`;
  }
  if (layout.form === 'flow') {
    const { results: _, ...root } = layout.root;
    const objects = items.map(({ object }) => object ?? null);
    return formatYaml({ ...root, items: objects, ...(results.length > 0 ? { results } : {}) });
  }
  const { sections, header, indent } = layout;
  const listed =
    items.length === 0 ? 'items: []\n' : `${header}${items.map((item) => itemText(item, indent)).join('')}`;
  // Before the items: behind them, kpt would take a comment at the end of the last one for theirs as well.
  const told = results.length === 0 ? '' : formatYaml({ results });
  return sections
    .filter(({ key }) => key !== 'results')
    .map((section) => (section.key === 'items' ? `${told}${listed}` : section.text))
    .join('');
}

/** An item of a block list as a document by itself: the dash becomes a blank. */
export function standAlone(itemText: string): string {
  return itemText.replace(/^( *)-/, '$1 ');
}

/** A document by itself as an item of a block list. */
export function asItem(document: string, indent: string): string {
  // Only the last line end: blank lines at the end can belong to a text.
  return document
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index) => (line === '' ? '\n' : `${indent}${index === 0 ? '- ' : '  '}${line}\n`))
    .join('');
}

function itemText({ text, object }: Item, indent: string): string {
  return text ?? asItem(formatYaml(object ?? null), indent);
}

function nodesOf(text: string): readonly YamlNode[] {
  try {
    return documentNodes(text);
  } catch (error) {
    throw new NotAResourceList(
      `the input cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
    );
  }
}

function readRoot(text: string): JsonObject {
  try {
    const root = parseYaml(text);
    if (!isJsonObject(root)) throw new NotAResourceList('the input is no map, so it is no ResourceList');
    const { apiVersion, kind, items } = root;
    if (kind !== 'ResourceList' || !VERSIONS.includes(String(apiVersion))) {
      const found = `${String(apiVersion)} ${String(kind)}`;
      throw new NotAResourceList(`the input is ${found}, not a ResourceList of ${VERSIONS.join(' or ')}`);
    }
    if (items !== undefined && items !== null && !isJsonList(items)) {
      throw new NotAResourceList('items of the ResourceList must be a list');
    }
    const strange = isJsonList(items) ? items.findIndex((item) => !isJsonObject(item)) : -1;
    if (strange !== -1) throw new NotAResourceList(`item ${strange} of the ResourceList is no object`);
    return root;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new NotAResourceList(`the input cannot be read: ${error.message}, line ${error.line}`);
  }
}

function partsOf({ functionConfig, results }: JsonObject): Pick<ResourceList, 'functionConfig' | 'results'> {
  // Older orchestrators nest the list.
  const list = isJsonObject(results) ? results.items : results;
  return {
    ...(functionConfig === undefined || functionConfig === null ? {} : { functionConfig }),
    results: isJsonList(list) ? list : [],
  };
}

function readFlow(text: string, itemsNode: YamlNode | undefined): ResourceList {
  const root = readRoot(text);
  const objects = isJsonList(root.items) ? root.items : [];
  const isJson = text.trimStart().startsWith('{') && isParsable(text);
  const texts = isJson ? jsonItemTexts(text, itemsNode?.children.map(({ start }) => start) ?? []) : [];
  const items = objects.map((object, index) => {
    const own = texts[index];
    return { object: isJsonObject(object) ? object : undefined, ...(own === undefined ? {} : { text: own }) };
  });
  return { ...partsOf(root), items, layout: isJson ? { form: 'json', root } : { form: 'flow', root } };
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function valueNode(map: YamlNode, key: string): YamlNode | undefined {
  const index = map.children.findIndex((child, position) => position % 2 === 0 && child.text === key);
  const value = index < 0 ? undefined : map.children[index + 1];
  return value === undefined || value.start < 0 ? undefined : value;
}

/** Cuts the text at its top-level fields; comments above a field go with the one before it. */
function splitSections(text: string, root: YamlNode): Section[] {
  const keys = root.children.filter((_, position) => position % 2 === 0);
  const starts = keys.map(({ start }) => text.lastIndexOf('\n', start - 1) + 1);
  const sections = keys.map(({ text: key }, index) => ({
    key,
    text: text.slice(starts[index], starts[index + 1]),
  }));
  const items = sections.some(({ key }) => key === 'items') ? [] : [{ key: 'items', text: 'items: []\n' }];
  return [{ key: undefined, text: text.slice(0, starts[0]) }, ...sections, ...items];
}

function readBlockItems(
  sections: readonly Section[],
  itemsNode: YamlNode | undefined,
  text: string,
): { items: Item[]; header: string; indent: string } {
  const section = sections.find(({ key }) => key === 'items');
  if (section === undefined || itemsNode === undefined) return { items: [], header: 'items:\n', indent: '' };
  const column = itemsNode.start - (text.lastIndexOf('\n', itemsNode.start - 1) + 1);
  const indent = ' '.repeat(column);
  // Only an item of this list can start with a dash in this column: all else in an item is further in.
  const [header = '', ...parts] = section.text.split(new RegExp(`^(?=${indent}-(?:[ \\r\\n]|$))`, 'm'));
  return { items: parts.map((part) => ({ text: part, object: readItem(part) })), header, indent };
}

function readItem(text: string): JsonObject | undefined {
  try {
    const object = parseYaml(standAlone(text));
    return isJsonObject(object) ? object : undefined;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return undefined;
  }
}
