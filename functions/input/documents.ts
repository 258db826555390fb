import { isJsonList, isJsonObject, type Json, type JsonObject, type Path } from '../../render/json.ts';
import type { Source } from '../../render/source.ts';
import { parseYaml, YamlError } from '../yaml.ts';
import { lineFinder } from './positions.ts';

/** An object as it stands in a file. */
export interface InputDocument {
  readonly object: JsonObject;
  readonly source: Source;
}

/**
 * The objects in a file's text, those in a `List` one by one, or the `List` if it is empty. Documents that hold no map are left out.
 * @throws {YamlError} with the line in the file, if the text is not YAML.
 */
export function parseDocuments(text: string, file: string): readonly InputDocument[] {
  return splitDocuments(text).flatMap(({ text: part, line }) => {
    const value = parse(part, line);
    if (!isJsonObject(value)) return [];
    const lineIn = lineFinder(part);
    return expandList(value, { file, lineOf: (path) => line + lineIn(path) - 1 });
  });
}

function parse(text: string, line: number): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new YamlError(error.message, error.line === undefined ? line : error.line + line - 1);
  }
}

// At the start of a line, as `cat` leaves it where a second file begins with one.
const BYTE_ORDER_MARK = /\uFEFF(?<=(?:^|\n)\uFEFF)/g;

/** The documents of a text, each with its first line. Splits at document markers, which nothing but a marker can look like at the start of a line. */
export function splitDocuments(text: string): { text: string; line: number }[] {
  const parts: { text: string; line: number }[] = [];
  let line = 1;
  for (const part of text.replaceAll(BYTE_ORDER_MARK, '').split(/(?<![^\n\r])(?=---(?:\s|$))/)) {
    parts.push({ text: part, line });
    line += part.split('\n').length - 1;
  }
  return parts.filter((part) => !isEmpty(part.text));
}

// Comments, or directives, which belong to the document that follows.
function isEmpty(text: string): boolean {
  return text.split('\n').every((line) => /^\s*([#%]|$)/.test(line));
}

function expandList(object: JsonObject, source: Source): InputDocument[] {
  const { kind, items } = object;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !isJsonList(items)) return [{ object, source }];
  // Of itself it says that there are none, which an empty file does not.
  if (items.length === 0) return [{ object, source }];
  return items.flatMap((item: Json, index) =>
    isJsonObject(item)
      ? expandList(item, { ...source, lineOf: (path: Path) => source.lineOf(['items', index, ...path]) })
      : [],
  );
}
