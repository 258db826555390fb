#!/usr/bin/env node
// A command in one file: its bundle is in here as text. What V8 compiled of it is used where the build
// has left it beside this file (scripts/launch.cjs); without, the command runs all the same.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { version, arch } = require('node:process');
const { Script } = require('node:vm');

const [main, hashes] = BUNDLES; // Set by the build, as SOURCE is.
let cachedData;
try {
  cachedData = readFileSync(join(__dirname, `${main}.${version}-${arch}-${hashes[main]}`));
} catch {}
const script = new Script(`(function (require, module, exports) {${SOURCE}\n})`, {
  filename: __filename,
  cachedData,
});
script.runInThisContext()(require, module, exports);
