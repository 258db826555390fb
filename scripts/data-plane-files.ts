// Writes what is published of the one source of DataPlane's fields: npx tsx scripts/data-plane-files.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatYaml } from '../functions/yaml.ts';
import { dataPlaneCrd } from '../k8s/install/data-plane-crd.ts';
import { dataPlaneJsonSchema } from './data-plane-json-schema.ts';
import { dataPlanePage } from './data-plane-page.ts';

const NOTE = '# Written by scripts/data-plane-files.ts from render/parameters/data-plane-schema.ts.\n';

/** Where the CRD is published. */
export const CRD_FILE = 'k8s/crd/gari.dev_dataplanes.yaml';

/** The text of each file, by its path from the root of the repository. */
export function dataPlaneFiles(): Readonly<Record<string, string>> {
  return {
    [CRD_FILE]: NOTE + formatYaml(dataPlaneCrd()),
    'docs/reference/data-plane.schema.json': `${JSON.stringify(dataPlaneJsonSchema(), undefined, 2)}\n`,
    'docs/reference/data-plane.md': dataPlanePage(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  for (const [path, text] of Object.entries(dataPlaneFiles())) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
