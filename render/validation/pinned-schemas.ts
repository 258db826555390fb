import file from './gateway-api-schemas.json' with { type: 'json' };
import type { SchemaFile } from './schema-file.ts';
import type { Schemas } from './schemas.ts';

/** The schemas of the Gateway API version that gari is built with. */
export const PINNED = file as unknown as SchemaFile;

/** The same, compiled. */
export const PINNED_SCHEMAS: Schemas = {
  kinds: PINNED.kinds,
  compiled: () => import('./pinned-checks.ts'),
};
