// Bundles the commands: start-up is what people notice first. What is imported lazily gets a
// bundle of its own, which a run that does not need it never reads.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';
import { compiledValidators } from './compile-validators.mjs';

const outdir = 'dist';
const pending = new Map([
  ['gari-main', 'functions/main.ts'],
  // For pipelines that are written with the kpt-functions SDK.
  ['kpt-functions', 'functions/fn/kpt-functions.ts'],
]);
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

/** @type {import('esbuild').BuildOptions} */
const options = {
  outdir,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  // `require`: an `import()` would start Node's loader for ES modules, which costs 15 ms.
  supported: { 'dynamic-import': false },
  legalComments: 'linked',
  logLevel: 'warning',
};
for (const [name, entry] of pending) {
  if (built.has(name)) continue;
  built.add(name);
  await build({ ...options, entryPoints: { [name]: entry }, plugins: [lazyBundles, compiledValidators()] });
}

// gari-fn is one file, so that it can be copied into an image alone.
await build({
  ...options,
  entryPoints: { 'gari-fn-main': 'functions/fn/main.ts' },
  plugins: [compiledValidators()],
});

// What these runs compile is kept, as scripts/launch.cjs says.
const kept = new Set();
const gateway = readFileSync('examples/kustomize/gateway.yaml', 'utf8').trimEnd().replaceAll('\n', '\n  ');
const list = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${gateway}\n`;
await command('gari', ['gari-main', 'pinned-checks'], 'launch', ['render', 'fixtures/gateway.yaml']);
await command('gari-fn', ['gari-fn-main'], 'launch-alone', []);
rmSync(`${outdir}/gari-fn-main.cjs`);

/** Writes the executable that starts the first of some bundles, and keeps what a run of it compiles. */
async function command(name, bundles, launcher, args) {
  const hashes = Object.fromEntries(bundles.map((bundle) => [`./${bundle}.cjs`, hashOf(bundle)]));
  for (const hash of Object.values(hashes)) kept.add(hash);
  const main = `./${bundles[0]}.cjs`;
  const define = {
    BUNDLES: JSON.stringify([main, hashes]),
    SOURCE: JSON.stringify(readFileSync(`${outdir}/${main}`, 'utf8')),
  };
  await build({ ...options, entryPoints: { [name]: `scripts/${launcher}.cjs` }, define });
  chmodSync(`${outdir}/${name}.cjs`, 0o755);
  built.add(name);
  const run = ['scripts/keep-compiled.cjs', outdir, main, JSON.stringify(hashes), ...args];
  const { status, stderr } = spawnSync(process.execPath, run, { input: list, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} does not run: ${stderr}`);
}

function hashOf(bundle) {
  return createHash('sha256')
    .update(readFileSync(`${outdir}/${bundle}.cjs`))
    .digest('hex')
    .slice(0, 12);
}
writeFileSync(
  `${outdir}/kpt-functions.d.cts`,
  "import type { KptFunc } from 'kpt-functions';\n\nexport declare const gariFunction: KptFunc;\n",
);

// Bundles of modules that nobody imports any more, and what was compiled of earlier ones.
for (const file of readdirSync(outdir)) {
  const [name, , node] = file.split('.');
  const isCompiled = node?.startsWith('v');
  if (!(built.has(name) || isCompiled) || (isCompiled && !kept.has(file.split('-').at(-1))))
    rmSync(`${outdir}/${file}`);
}
