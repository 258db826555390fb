import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { isJsonObject, type JsonObject } from '../render/json.ts';

/** The Go module of the Gateway API, and the version that gari's schemas are made from. */
export const MODULE = 'sigs.k8s.io/gateway-api';
export const VERSION = 'v1.6.3';

/** The directory of the pinned Gateway API module; needs `go`, and the network the first time. */
export function gatewayApiModule(): string {
  const output = execFileSync('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { Dir: directory } = JSON.parse(output) as { Dir: string };
  return directory;
}

/** The same for a test: why it has to be skipped, if it has to; with CI=true that is an error. */
export function findGatewayApiModule(): { readonly directory: string } | { readonly missing: string } {
  try {
    return { directory: gatewayApiModule() };
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: string };
    const why =
      code === 'ENOENT' ? 'Go is not installed' : (stderr?.trim().split('\n').at(-1) ?? String(error));
    const missing = `${MODULE}@${VERSION} cannot be had: ${why}`;
    if (process.env.CI === 'true') throw new Error(missing, { cause: error });
    return { missing };
  }
}

/** An object of the Gateway API's own examples. */
export interface ExampleObject {
  /** Inside the module, such as `examples/standard/basic-http.yaml`. */
  readonly file: string;
  readonly object: JsonObject;
}

/** All objects in the YAML files below a directory of the module. */
export function readExamples(moduleDirectory: string, directory: string): ExampleObject[] {
  return readdirSync(join(moduleDirectory, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) =>
      loadAll(readFileSync(join(moduleDirectory, directory, file), 'utf8'))
        .filter(isJsonObject)
        .map((object) => ({ file: `${directory}/${file}`, object })),
    );
}
