// Bundles the command line into one file: start-up is what people notice first.
import { chmodSync } from 'node:fs';
import { build } from 'esbuild';

await build({
  entryPoints: { gari: 'functions/main.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'linked',
  logLevel: 'warning',
});
chmodSync('dist/gari.cjs', 0o755);
