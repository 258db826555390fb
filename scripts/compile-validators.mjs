// An esbuild plugin: bundles get the schema checks and the CEL rules as compiled code, in place of ajv, the
// compilation of the schemas (85 ms at each start) and, as long as no rule is broken, the CEL library.
import { tsImport } from 'tsx/esm/api';

/** The source of the module that stands in for `render/validation/pinned-checks.ts`. */
async function compileValidators() {
  const [{ compileToCode }, { PINNED }] = await Promise.all([
    tsImport('../render/validation/compile-to-code.ts', import.meta.url),
    tsImport('../render/validation/pinned-schemas.ts', import.meta.url),
  ]);
  return compileToCode(PINNED.kinds);
}

/** The source of the module that stands in for `render/parameters/data-plane-checks.ts`. */
async function compileDataPlane() {
  const [{ checksToCode }, { DATA_PLANE_KIND }] = await Promise.all([
    tsImport('../render/validation/compile-to-code.ts', import.meta.url),
    tsImport('../render/parameters/data-plane-kind.ts', import.meta.url),
  ]);
  return checksToCode([DATA_PLANE_KIND]).replaceAll("'./formats.ts'", "'../validation/formats.ts'");
}

/** The plugin; for each bundle that contains `render/validation` or `render/parameters`. */
export function compiledValidators() {
  return {
    name: 'compiled-validators',
    setup(build) {
      build.onLoad({ filter: /[\\/]render[\\/]validation[\\/]pinned-checks\.ts$/ }, async () => ({
        contents: await compileValidators(),
        loader: 'js',
      }));
      build.onLoad({ filter: /[\\/]render[\\/]parameters[\\/]data-plane-checks\.ts$/ }, async () => ({
        contents: await compileDataPlane(),
        loader: 'js',
      }));
    },
  };
}
