import file from './gateway-api-schemas.json' with { type: 'json' };
import type { SchemaFile } from './schema-file.ts';

/** The schemas of the Gateway API version that gari is built with. */
export const PINNED = file as unknown as SchemaFile;
