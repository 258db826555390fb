import { readCrds } from './schema-file.ts';
import { checkName, type Schemas } from './schemas.ts';

/**
 * The schemas of another Gateway API version, from its CRDs as they are parsed from YAML. Loads the
 * schema compiler, which takes a tenth of a second.
 */
export async function compileSchemas(crds: readonly unknown[]): Promise<Schemas> {
  const kinds = readCrds(crds);
  const { compileChecks } = await import('./compile.ts');
  const checks = compileChecks(kinds);
  return {
    kinds,
    check(kind, version) {
      const check = checks[checkName(kind, version)];
      if (check === undefined) throw new TypeError(`${kind.kind} is not one of the compiled kinds`);
      return check;
    },
  };
}
