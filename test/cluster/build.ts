import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runGo } from './go.ts';
import type { GoModule } from './go-modules.ts';
import { isRunning, recordOf } from './process-identity.ts';
import { ClusterUnavailable, messageOf } from './text.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** `GARI_TEST_CLUSTER_BIN` puts it elsewhere, for a cache that outlives the checkout. */
const DEFAULT_BIN = process.env.GARI_TEST_CLUSTER_BIN || join(HERE, '.bin');

/** Gets a line about what is going on. */
export type Report = (line: string) => void;

/** Where to build; the defaults are this folder and its `.bin`, tests give others. */
export interface BuildOptions {
  readonly report: Report;
  readonly modules?: string;
  readonly bin?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Makes sure that a module's binaries and files are there, and returns their directory. Its name holds a hash of
 * go.mod, go.sum, the module's own source and the recipe, so nothing is built twice and nothing outdated is used. Everything is made in a
 * directory of another name and renamed when it is complete: a killed build leaves nothing that looks finished.
 */
export async function ensureModule(module: GoModule, options: BuildOptions): Promise<string> {
  const source = join(options.modules ?? HERE, module.folder);
  const title = titleOf(module);
  const bin = options.bin ?? DEFAULT_BIN;
  const { name, version } = target(module, source);
  const finished = join(bin, name);
  if (existsSync(finished)) return finished;

  mkdirSync(bin, { recursive: true });
  removeHalfBuilt(bin);
  const { pid, identity } = recordOf(process.pid);
  const temporary = join(bin, `.half-built-${pid}-${identity}-${name}`);
  const start = Date.now();
  options.report(`${title}: building ${version} (once; minutes if Go's build cache is empty)`);
  try {
    mkdirSync(temporary);
    await compile(module, version, source, temporary, options);
    await copyFiles(module, source, temporary, options);
    moveIntoPlace(temporary, finished);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (error instanceof ClusterUnavailable) throw error;
    throw new ClusterUnavailable(`${title}: cannot be built: ${messageOf(error)}`);
  }
  removeOutdated(bin, `${title}-v`, name);
  options.report(`${title}: built in ${seconds(start)} s`);
  return finished;
}

function target(module: GoModule, source: string): { name: string; version: string } {
  let mod: string;
  let sum: string;
  try {
    mod = readFileSync(join(source, 'go.mod'), 'utf8');
    sum = readFileSync(join(source, 'go.sum'), 'utf8');
  } catch {
    // No reason to skip anything: somebody has asked for it by name.
    throw new Error(
      `test/cluster/${module.folder} is not there: the Kubernetes versions to choose from (GARI_TEST_KUBERNETES) are the kubernetes-* folders in test/cluster`,
    );
  }
  const version = new RegExp(
    `^\\s*(?:require )?${module.versionOf.replaceAll('.', '\\.')} (v\\S+)`,
    'm',
  ).exec(mod)?.[1];
  if (version === undefined) throw new Error(`${module.folder}/go.mod does not require ${module.versionOf}`);
  const recipe = JSON.stringify([module, process.platform, process.arch]);
  const hash = createHash('sha256').update(mod).update(sum).update(recipe);
  // The program may be of this module itself.
  for (const file of readdirSync(source).filter((file) => file.endsWith('.go'))) {
    hash.update(readFileSync(join(source, file)));
  }
  return { name: `${titleOf(module)}-${version}-${hash.digest('hex').slice(0, 12)}`, version };
}

function titleOf(module: GoModule): string {
  return module.name ?? module.folder;
}

async function compile(
  module: GoModule,
  version: string,
  source: string,
  into: string,
  options: BuildOptions,
) {
  const packages = Object.entries(module.binaries);
  if (packages.length === 0) return;
  const variable = module.versionVariable === undefined ? '' : ` -X ${module.versionVariable}=${version}`;
  let compiled = 0;
  const start = Date.now();
  const progress = setInterval(() => {
    options.report(`${titleOf(module)}: ${compiled} packages compiled, ${seconds(start)} s`);
  }, 15_000);
  const onLine = (line: string) => {
    if (!line.startsWith('go: ')) compiled += 1;
  };
  try {
    // One command for all: while one program is linked the packages of the next are compiled.
    const args = ['build', '-v', '-trimpath', `-ldflags=-s -w${variable}`, '-o', `${into}/`];
    await runGo([...args, ...packages.map(([, path]) => path)], { ...goOptions(source, options), onLine });
  } finally {
    clearInterval(progress);
  }
  for (const [binary, path] of packages) renameSync(join(into, goName(path)), join(into, binary));
}

/** The name that `go build` gives the program of a package: the last part of its path, `/v5` and the like not counted. */
function goName(path: string): string {
  return basename(path.replace(/\/v\d+$/, ''));
}

function goOptions(cwd: string, options: BuildOptions): { cwd: string; env?: NodeJS.ProcessEnv } {
  return { cwd, ...(options.env === undefined ? {} : { env: options.env }) };
}

async function copyFiles(module: GoModule, source: string, into: string, options: BuildOptions) {
  for (const [directory, { module: from, paths }] of Object.entries(module.files)) {
    const answer = await runGo(['mod', 'download', '-json', from], goOptions(source, options));
    const { Dir } = JSON.parse(answer) as { Dir: string };
    mkdirSync(join(into, directory));
    for (const path of paths.map((relative) => join(Dir, relative))) {
      const files = statSync(path).isDirectory() ? readdirSync(path).map((file) => join(path, file)) : [path];
      for (const file of files.filter((file) => file.endsWith('.yaml'))) {
        copyFileSync(file, join(into, directory, basename(file)));
      }
    }
  }
}

function moveIntoPlace(temporary: string, finished: string) {
  try {
    renameSync(temporary, finished);
  } catch (error) {
    // Another run has built the same meanwhile: the name says that the content is the same.
    if (!existsSync(finished)) throw error;
    rmSync(temporary, { recursive: true, force: true });
  }
}

function removeHalfBuilt(bin: string) {
  for (const name of readdirSync(bin)) {
    const match = /^\.half-built-(\d+)-([^-]+)-/.exec(name);
    if (match && !isRunning({ pid: Number(match[1]), identity: match[2] ?? '' })) {
      rmSync(join(bin, name), { recursive: true, force: true });
    }
  }
}

function removeOutdated(bin: string, prefix: string, current: string) {
  for (const name of readdirSync(bin)) {
    if (name.startsWith(prefix) && name !== current)
      rmSync(join(bin, name), { recursive: true, force: true });
  }
}

function seconds(start: number): string {
  return ((Date.now() - start) / 1000).toFixed(1);
}
