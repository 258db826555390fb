// The KRM function: what it costs to start, and 1,000 resources with 10 Gateways beside `cat` in the
// same kpt pipeline.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { measure, median, summary, writeResults } from './measure.ts';

const START_RUNS = 30;
const PIPELINE_RUNS = 9;
const directory = mkdtempSync(join(tmpdir(), 'gari-bench-'));
const gateway = readFileSync('examples/kustomize/gateway.yaml', 'utf8');

const list = join(directory, 'list.yaml');
const item = gateway.trimEnd().replace(/^/gm, '  ').replace(/^ {2}/, '- ');
writeFileSync(list, `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${item}\n`);
const none = join(directory, 'none.yaml');
writeFileSync(none, 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n');
const start = measure(
  {
    empty: ['node', 'bench/empty.cjs'],
    noItems: ['node', 'bench/with-input.cjs', none, 'dist/gari-fn.cjs'],
    oneGateway: ['node', 'bench/with-input.cjs', list, 'dist/gari-fn.cjs'],
  },
  START_RUNS,
);
const starts = Object.fromEntries(Object.entries(start).map(([name, each]) => [name, summary(each)]));
const ratioOf = (name: string) =>
  Number(
    ((starts[name]?.milliseconds ?? Number.NaN) / (starts.empty?.milliseconds ?? Number.NaN)).toFixed(2),
  );
const startRatios = { noItems: ratioOf('noItems'), oneGateway: ratioOf('oneGateway') };
console.log(
  `function: start-up ${startRatios.noItems} × an empty Node process, with one Gateway ${startRatios.oneGateway} ×`,
);

const pkg = join(directory, 'package');
mkdirSync(pkg);
const configMap = (index: number) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c${index}\ndata:\n  a: "1"\n  text: |\n    x\n    y\n`;
writeFileSync(
  join(pkg, 'others.yaml'),
  Array.from({ length: 990 }, (_, index) => configMap(index)).join('---\n'),
);
const gateways = Array.from({ length: 10 }, (_, index) => gateway.replace('name: web', `name: web-${index}`));
writeFileSync(join(pkg, 'gateways.yaml'), gateways.join('---\n'));
symlinkSync(resolve('dist/gari-fn.cjs'), join(directory, 'gari-fn'));
const executables = { cat: 'cat', node: resolve('bench/copy.cjs'), gari: join(directory, 'gari-fn') };
const pipeline: Record<string, number[]> = { cat: [], node: [], gari: [] };
for (let run = 0; run < PIPELINE_RUNS; run++) {
  for (const [name, executable] of Object.entries(executables)) {
    const started = performance.now();
    const { status, stderr } = spawnSync('kpt', ['fn', 'eval', pkg, '--exec', executable], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    pipeline[name]?.push(performance.now() - started);
  }
}
rmSync(directory, { recursive: true });
const medians = Object.fromEntries(
  Object.entries(pipeline).map(([name, each]) => [name, Math.round(median(each))]),
);
const beside = (name: string) =>
  Number(((medians.gari ?? Number.NaN) / (medians[name] ?? Number.NaN)).toFixed(2));
const pipelineRatios = { cat: beside('cat'), node: beside('node') };
console.log(
  `1,000 resources through kpt: ${pipelineRatios.cat} × cat, ${pipelineRatios.node} × a bare Node process (${JSON.stringify(medians)} ms)`,
);
writeResults('function', {
  startUp: { runs: START_RUNS, ratios: startRatios, median: starts, samples: start },
  pipeline: { runs: PIPELINE_RUNS, ratios: pipelineRatios, median: medians, samples: pipeline },
});
