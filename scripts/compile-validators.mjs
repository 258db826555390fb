// An esbuild plugin: bundles get the schema checks as compiled code, which costs no time at start,
// in place of ajv and the schemas' compilation (85 ms).
import { tsImport } from 'tsx/esm/api';

/** The source of the module that stands in for `render/validation/pinned-checks.ts`. */
export async function compileValidators() {
  const [{ compileChecksToCode }, { PINNED }] = await Promise.all([
    tsImport('../render/validation/compile.ts', import.meta.url),
    tsImport('../render/validation/pinned-schemas.ts', import.meta.url),
  ]);
  return compileChecksToCode(PINNED.kinds);
}

/** The plugin; for each bundle that contains `render/validation`. */
export function compiledValidators() {
  return {
    name: 'compiled-validators',
    setup(build) {
      build.onLoad({ filter: /[\\/]render[\\/]validation[\\/]pinned-checks\.ts$/ }, async () => ({
        contents: await compileValidators(),
        loader: 'js',
      }));
    },
  };
}
