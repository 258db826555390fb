import { type Document, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../render/json.ts';

const WRITE = { lineWidth: 0, indentSeq: false, flowCollectionPadding: false } as const;

/**
 * Makes a YAML document say something else, and leaves its comments, quotes and order where they are.
 * For objects of a few known kinds: values pass through the YAML library.
 */
export function editYaml(text: string, wanted: JsonObject): string {
  const document: Document = parseDocument(text, { compat: 'yaml-1.1' });
  document.contents = edited(document, document.contents, wanted);
  return document.toString(WRITE);
}

function edited(document: Document, node: unknown, wanted: Json): Node {
  if (isMap(node) && isJsonObject(wanted)) {
    const keys = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : String(key)));
    for (const key of keys) if (!Object.hasOwn(wanted, key)) node.delete(key);
    for (const [key, value] of Object.entries(wanted)) {
      const child = node.get(key, true);
      if (child === undefined) node.set(key, document.createNode(value));
      else node.set(key, edited(document, child, value));
    }
    return node;
  }
  if (isSeq(node) && isJsonList(wanted)) {
    const items = wanted.map((value, index) => edited(document, node.items[index], value));
    node.items.splice(0, node.items.length, ...items);
    return node;
  }
  if (isScalar(node) && !isJsonList(wanted) && !isJsonObject(wanted)) {
    if (node.value !== wanted) node.value = wanted;
    return node;
  }
  return document.createNode(wanted);
}
