// Runs a bundle (the first argument, a file name without directory) with the other arguments, and
// keeps beside each bundle that the build listed what V8 compiled of it:
// scripts/launch.cjs loads that.
const { readFileSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { version, arch } = require('node:process');
const { Script } = require('node:vm');

const [directory, main, list] = process.argv.splice(2, 3);
const hashes = JSON.parse(list);
const scripts = new Map();
const loaded = new Map();

function load(id) {
  if (!Object.hasOwn(hashes, id)) return require(id.startsWith('.') ? resolve(directory, id) : id);
  if (!loaded.has(id)) {
    const filename = join(directory, id);
    const text = readFileSync(filename, 'utf8');
    const script = new Script(`(function (require, module, exports) {${text}\n})`, { filename });
    scripts.set(`${filename}.${version}-${arch}-${hashes[id]}`, script);
    const module = { exports: {} };
    loaded.set(id, module.exports);
    script.runInThisContext()(load, module, module.exports);
    loaded.set(id, module.exports);
  }
  return loaded.get(id);
}

process.on('exit', () => {
  for (const [file, script] of scripts) writeFileSync(file, script.createCachedData());
});
load(main);
