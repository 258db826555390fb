import { isJsonObject, type JsonObject } from '../../render/json.ts';
import { splitDocuments } from '../input/documents.ts';
import type { Io } from '../io.ts';
import { parseYaml, YamlError } from '../yaml.ts';
import { asItem, readResourceList, standAlone } from './resource-list.ts';
import { runFunction } from './run-function.ts';

/**
 * Runs gari as one of kustomize's legacy exec plugins, the only executables that `kubectl kustomize`
 * runs: the configuration is a file, objects come as a stream of documents, and go out as one.
 * @param config The text of the configuration file.
 * @param input The objects.
 */
export async function runKustomizePlugin(config: string, input: string, io: Io): Promise<number> {
  let functionConfig: JsonObject;
  try {
    const parsed = parseYaml(config);
    if (!isJsonObject(parsed)) throw new YamlError('it holds no object', 1);
    functionConfig = parsed;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    io.stderr(`error: the configuration file of the transformer cannot be read: ${error.message}\n`);
    return 1;
  }
  const items = splitDocuments(input).map(({ text }) => asItem(text.replace(/^---[^\n]*\n/, ''), ''));
  const list = [
    'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n',
    `functionConfig: ${JSON.stringify(functionConfig)}\n`,
    items.length === 0 ? 'items: []\n' : `items:\n${items.join('')}`,
  ].join('');
  let output = '';
  const exitCode = await runFunction(list, {
    stdout: (text) => {
      output += text;
    },
    stderr: io.stderr,
  });
  if (exitCode !== 0) return exitCode;
  io.stdout(documentsOf(output).join('---\n'));
  return 0;
}

function documentsOf(list: string): readonly string[] {
  return readResourceList(list).items.map(({ text = '' }) =>
    standAlone(text)
      .split('\n')
      .map((line) => line.slice(2))
      .join('\n'),
  );
}
