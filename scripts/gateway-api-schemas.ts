// Writes render/validation/gateway-api-schemas.json from the CRDs of the pinned Gateway API module:
//   npx tsx scripts/gateway-api-schemas.ts
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { isJsonObject, type Json } from '../render/json.ts';
import { readCrds, type SchemaFile } from '../render/validation/schema-file.ts';
import { gatewayApiModule, MODULE, VERSION } from './gateway-api-module.ts';

const PLURALS = ['gatewayclasses', 'gateways', 'listenersets', 'referencegrants'];
const OUTPUT = fileURLToPath(new URL('../render/validation/gateway-api-schemas.json', import.meta.url));

/** The schemas as the data file holds them. */
export function gatewayApiSchemas(directory: string): SchemaFile {
  const crds = PLURALS.map((plural) => {
    const file = join(directory, 'config/crd/standard', `gateway.networking.k8s.io_${plural}.yaml`);
    return load(readFileSync(file, 'utf8'));
  });
  return { module: MODULE, version: VERSION, kinds: readCrds(crds) };
}

/** Sorted keys: a new version shows as a small difference. */
function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key] ?? null)]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const schemas = gatewayApiSchemas(gatewayApiModule());
  writeFileSync(OUTPUT, JSON.stringify(sortKeys(schemas as unknown as Json)));
  execFileSync('npx', ['biome', 'format', '--write', OUTPUT], { stdio: 'inherit' });
}
