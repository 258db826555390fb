// How time and memory grow with the number of Gateways, beside the YAML library alone: it reads the
// same input and writes the same objects, which is the least that any renderer does.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measure, type Sample, summary, writeResults } from './measure.ts';

const RUNS = 5;
const COUNTS = [1, 100, 1_000, 10_000];

const [classYaml = '', gatewayYaml = ''] = readFileSync('fixtures/gateway.yaml', 'utf8').split(/^---$/m);
const directory = mkdtempSync(join(tmpdir(), 'gari-bench-'));
const results: { gateways: number; ratio: number; gari: Sample; yaml: Sample; samples: object }[] = [];
for (const gateways of COUNTS) {
  const input = join(directory, `${gateways}.yaml`);
  const names = Array.from({ length: gateways }, (_, index) => `web-${index}`);
  const documents = names.map((name) => gatewayYaml.replace('name: web', `name: ${name}`));
  writeFileSync(input, [classYaml, ...documents].join('---'));
  const objects = join(directory, `${gateways}.json`);
  const rendered = spawnSync('node', ['dist/gari.cjs', 'render', '--quiet', '--format=json', input], {
    maxBuffer: 2 ** 30,
  });
  writeFileSync(objects, rendered.stdout);
  const samples = measure(
    {
      gari: ['node', 'dist/gari.cjs', 'render', '--quiet', input],
      yaml: ['node', 'bench/yaml-alone.cjs', input, objects],
    },
    RUNS,
  );
  const gari = summary(samples.gari ?? []);
  const yaml = summary(samples.yaml ?? []);
  const ratio = Number((gari.milliseconds / yaml.milliseconds).toFixed(2));
  console.log(
    `${gateways} Gateways: ${ratio} × YAML alone (${gari.milliseconds} ms against ${yaml.milliseconds} ms), peak ${gari.peakMegabytes} MB`,
  );
  results.push({ gateways, ratio, gari, yaml, samples });
}
rmSync(directory, { recursive: true });
writeResults('scale', { runs: RUNS, results });
