import { readdirSync, readFileSync } from 'node:fs';
import { splitDocuments } from '../functions/input/documents.ts';
import { parseYaml } from '../functions/yaml.ts';
import { isJsonObject, type JsonObject } from '../render/json.ts';

/** The ready-made data planes. */
export const DATA_PLANES = readdirSync('examples/data-planes').sort();

/** The objects of one file of a ready-made data plane. */
export function exampleObjects(name: string, file: 'class' | 'gateway' | 'rendered'): readonly JsonObject[] {
  const text = readFileSync(`examples/data-planes/${name}/${file}.yaml`, 'utf8');
  return splitDocuments(text)
    .map((document) => parseYaml(document.text))
    .filter(isJsonObject);
}
