import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

/** One process that ran: wall time and the most memory it held. */
export interface Sample {
  readonly milliseconds: number;
  readonly peakMegabytes: number;
}

/** A command to measure, with its arguments. */
export type Command = readonly [program: string, ...args: string[]];

/**
 * Runs commands in turns, so that what else the machine does hits all of them alike.
 * @throws if a command fails: a fast failure is no result.
 */
export function measure(commands: Readonly<Record<string, Command>>, runs: number): Record<string, Sample[]> {
  const samples: Record<string, Sample[]> = {};
  for (const name of Object.keys(commands)) samples[name] = [];
  for (let run = 0; run < runs; run++) {
    for (const [name, command] of Object.entries(commands)) samples[name]?.push(runOnce(command));
  }
  return samples;
}

// Each process reports its own peak memory on file descriptor 3 as it exits.
function runOnce([program, ...args]: Command): Sample {
  const started = performance.now();
  const result = spawnSync(program, ['--require', './bench/report-peak-memory.cjs', ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const milliseconds = performance.now() - started;
  if (result.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${result.stderr?.toString()}`);
  return { milliseconds, peakMegabytes: Number(result.output[3]?.toString()) / 1024 };
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}

/** Medians of samples, rounded. */
export function summary(samples: readonly Sample[]): Sample {
  return {
    milliseconds: Math.round(median(samples.map((sample) => sample.milliseconds))),
    peakMegabytes: Math.round(median(samples.map((sample) => sample.peakMegabytes))),
  };
}

/** Writes a benchmark's figures and all its samples to `bench/results/<name>.json`. */
export function writeResults(name: string, results: object): void {
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify(results, undefined, 2)}\n`);
}
