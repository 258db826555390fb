// Writes the JSON Schema of the function's configuration, for editors: npx tsx scripts/render-gateways-schema.ts
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  CONFIG_API_VERSION,
  CONFIG_KIND,
  OPTION_FIELDS,
  type OptionField,
} from '../functions/fn/function-config.ts';

/** Where the schema is published. */
export const SCHEMA_FILE = fileURLToPath(
  new URL('../docs/reference/render-gateways.schema.json', import.meta.url),
);

/** The JSON Schema of kind `RenderGateways`. */
export function renderGatewaysSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `${CONFIG_KIND} (${CONFIG_API_VERSION})`,
    description: 'The configuration of gari as a KRM function.',
    type: 'object',
    required: ['apiVersion', 'kind'],
    additionalProperties: false,
    properties: {
      apiVersion: { const: CONFIG_API_VERSION },
      kind: { const: CONFIG_KIND },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(OPTION_FIELDS).map(([key, field]) => [key, fieldSchema(field)]),
        ),
      },
      status: { type: 'object' },
    },
  };
}

function fieldSchema({ description, default: fallback, values, rule }: OptionField): object {
  const about = { description, default: fallback };
  const text = {
    type: 'string',
    minLength: 1,
    ...(values === undefined ? {} : { enum: values }),
    ...(rule === undefined ? {} : { pattern: rule.pattern }),
  };
  return typeof fallback === 'string' ? { ...about, ...text } : { ...about, type: 'array', items: text };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(SCHEMA_FILE, `${JSON.stringify(renderGatewaysSchema(), undefined, 2)}\n`);
}
