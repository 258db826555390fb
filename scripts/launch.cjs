#!/usr/bin/env node
// The start of a command. Compiling is half of what a run costs, so the build keeps what V8 compiled
// of each bundle (scripts/keep-compiled.cjs). Where that is missing, or is of another Node, the
// bundles are loaded as usual.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { version, arch } = require('node:process');
const { Script } = require('node:vm');

const [main, hashes] = BUNDLES; // Set by the build: the first bundle, and the hash of each that is kept compiled.
const loaded = new Map();

function load(id) {
  if (!Object.hasOwn(hashes, id)) return require(id);
  if (!loaded.has(id)) loaded.set(id, loadCompiled(id) ?? require(id));
  return loaded.get(id);
}

function loadCompiled(id) {
  const filename = join(__dirname, id);
  let script;
  try {
    const cachedData = readFileSync(`${filename}.${version}-${arch}-${hashes[id]}`);
    const text = readFileSync(filename, 'utf8');
    script = new Script(`(function (require, module, exports) {${text}\n})`, { filename, cachedData });
  } catch {
    return undefined;
  }
  if (script.cachedDataRejected) return undefined;
  const module = { exports: {} };
  script.runInThisContext()(load, module, module.exports);
  return module.exports;
}

load(main);
