import { isJsonObject } from '../../render/json.ts';
import { renderedName } from '../../render/names.ts';
import { compareText } from '../../render/normalize.ts';
import type { ObjectKey, RenderedObject } from '../../render/objects.ts';
import { splitDocuments } from '../input/documents.ts';
import { formatYaml, parseYaml } from '../yaml.ts';
import { type OutputFile, ownText } from './directory.ts';
import { formatYamlStream } from './objects.ts';

/** The file of one Gateway: its objects, and those of an earlier run that must be kept. */
export function gatewayFile(
  directory: string,
  gateway: string,
  objects: readonly RenderedObject[],
  retain: readonly ObjectKey[],
): OutputFile {
  const name = gatewayFileName(gateway);
  const kept = keptDocuments(ownText(directory, name) ?? '', retain);
  return { name, source: gateway, body: [formatYamlStream(objects), ...kept].join('---\n') };
}

/** The name of the file of a Gateway (`<namespace>/<name>`). */
export function gatewayFileName(gateway: string): string {
  const [namespace = '', name = ''] = gateway.split('/');
  return `${namespace}_${renderedName(name)}.yaml`;
}

/** The file of the shared binding. */
export function bindingFile(binding: RenderedObject): OutputFile {
  const { name } = binding.metadata;
  return { name: `clusterrolebinding_${name}.yaml`, source: 'all Gateways', body: formatYaml(binding) };
}

function keptDocuments(text: string, retain: readonly ObjectKey[]): readonly string[] {
  return splitDocuments(text)
    .filter((part) => {
      const object = parseYaml(part.text);
      if (!isJsonObject(object) || !isJsonObject(object.metadata)) return false;
      const { kind, metadata } = object;
      return retain.some(
        (key) => key.kind === kind && key.name === metadata.name && key.namespace === metadata.namespace,
      );
    })
    .map((part) => part.text.replace(/^---\s*\n/, ''))
    .sort(compareText);
}
