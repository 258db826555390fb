// The README's own command against an empty Node process, with and without validation.
import { measure, summary, writeResults } from './measure.ts';

const RUNS = 30;
const render = ['node', 'dist/gari.cjs', 'render', 'fixtures/gateway.yaml'] as const;
const samples = measure(
  { empty: ['node', 'bench/empty.cjs'], render, unvalidated: [...render, '--no-validate'] },
  RUNS,
);
const median = Object.fromEntries(Object.entries(samples).map(([name, each]) => [name, summary(each)]));
const empty = median.empty?.milliseconds ?? Number.NaN;
const ratios = Object.fromEntries(
  Object.entries(median).map(([name, { milliseconds }]) => [name, Number((milliseconds / empty).toFixed(2))]),
);
console.log(
  `start-up: ${ratios.render} × an empty Node process (${ratios.unvalidated} × with --no-validate)`,
);
writeResults('start-up', { runs: RUNS, ratios, median, samples });
