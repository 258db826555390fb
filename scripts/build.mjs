// Bundles the commands: start-up is what people notice first. What is imported lazily gets a
// bundle of its own, which a run that does not need it never reads.
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';
import { compiledValidators } from './compile-validators.mjs';

const outdir = 'dist';
const commands = new Map([
  ['gari', 'functions/main.ts'],
  ['gari-fn', 'functions/fn/main.ts'],
]);
// For pipelines that are written with the kpt-functions SDK.
const pending = new Map([...commands, ['kpt-functions', 'functions/fn/kpt-functions.ts']]);
const built = new Set();

const lazyBundles = {
  name: 'lazy-bundles',
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.ts$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = basename(path, '.ts');
      pending.set(name, resolve(resolveDir, path));
      return { path: `./${name}.cjs`, external: true };
    });
  },
};

for (const [name, entry] of pending) {
  if (built.has(name)) continue;
  built.add(name);
  await build({
    entryPoints: { [name]: entry },
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    // `require`: an `import()` would start Node's loader for ES modules, which costs 15 ms.
    supported: { 'dynamic-import': false },
    banner: commands.has(name) ? { js: '#!/usr/bin/env node' } : {},
    legalComments: 'linked',
    logLevel: 'warning',
    plugins: [lazyBundles, compiledValidators()],
  });
}
writeFileSync(
  `${outdir}/kpt-functions.d.cts`,
  "import type { KptFunc } from 'kpt-functions';\n\nexport declare const gariFunction: KptFunc;\n",
);
for (const name of commands.keys()) chmodSync(`${outdir}/${name}.cjs`, 0o755);

// Bundles of modules that nobody imports any more.
for (const file of readdirSync(outdir)) {
  if (!built.has(file.split('.')[0])) rmSync(`${outdir}/${file}`);
}
