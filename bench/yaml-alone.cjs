// Reads YAML and writes objects as YAML, with nothing between.
const { readFileSync } = require('node:fs');
const { dump, loadAll } = require('js-yaml');

const [input, objects] = process.argv.slice(2);
loadAll(readFileSync(input, 'utf8'));
const { items } = JSON.parse(readFileSync(objects, 'utf8'));
process.stdout.write(
  items.map((item) => dump(item, { lineWidth: -1, noRefs: true, seqNoIndent: true })).join('---\n'),
);
