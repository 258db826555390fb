// The README's own command against an empty Node process.
import { measure, summary, writeResults } from './measure.ts';

const RUNS = 30;
const samples = measure(
  {
    empty: ['node', 'bench/empty.cjs'],
    render: ['node', 'dist/gari.cjs', 'render', 'fixtures/gateway.yaml'],
  },
  RUNS,
);
const empty = summary(samples.empty ?? []);
const rendered = summary(samples.render ?? []);
const ratio = Number((rendered.milliseconds / empty.milliseconds).toFixed(2));
console.log(
  `start-up: ${ratio} × an empty Node process (${rendered.milliseconds} ms against ${empty.milliseconds} ms)`,
);
writeResults('start-up', { runs: RUNS, ratio, median: { empty, render: rendered }, samples });
