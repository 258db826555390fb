import { PINNED } from './pinned-schemas.ts';
import { readCrds } from './schema-file.ts';
import type { Schemas } from './schemas.ts';

/** Thrown for CRDs that cannot be used; the message says why. */
export class UnusableCrds extends Error {
  override readonly name = 'UnusableCrds';
}

/**
 * The schemas of another Gateway API version, from its CRDs as they are parsed from YAML. Of a whole
 * directory, only the kinds that gari reads count. Loads the schema compiler, which takes a tenth of a second.
 *
 * @throws {UnusableCrds} if a CRD is not one, or has a pattern that JavaScript cannot say.
 */
export async function compileSchemas(objects: readonly unknown[]): Promise<Schemas> {
  const { compileChecks } = await import('./compile.ts');
  try {
    const kinds = readCrds(objects).filter((one) =>
      PINNED.kinds.some(({ group, kind }) => group === one.group && kind === one.kind),
    );
    const compiled = { checks: compileChecks(kinds), rules: {} };
    return { kinds, compiled: async () => compiled };
  } catch (error) {
    throw new UnusableCrds(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
