import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../cluster/process.ts';

/** A test of the suite. */
export interface SuiteTest {
  readonly name: string;
  /** It is skipped unless all of these are supported. */
  readonly features: readonly string[];
}

/** How a run of the suite has ended. */
export interface SuiteResults {
  /** From the first base resource until all of them are ready. */
  readonly setupSeconds: number;
  readonly testsSeconds: number;
  readonly tests: Readonly<Record<string, 'passed' | 'failed' | 'skipped'>>;
}

/** What {@link runSuite} needs. */
interface SuiteOptions {
  readonly tests: readonly string[];
  readonly features: readonly string[];
  /** The suite's own, an admin's. */
  readonly kubeconfig: string;
  /** For its log and results. */
  readonly directory: string;
}

/** In seconds. The suite would wait five minutes, longer than a test of ours may take: its own message is the better one. */
const LIMITS =
  'NamespacesMustBeReady:120;GWCMustBeAccepted:60;GatewayMustHaveCondition:60;GatewayMustHaveAddress:60';

/** All tests that the suite has, sorted by name. `program` is `main.go`, built. */
export function listTests(program: string): readonly SuiteTest[] {
  const { stdout, stderr, status } = spawnSync(program, ['-list'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} -list: ${stderr}`);
  const tests = JSON.parse(stdout) as SuiteTest[];
  return tests.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Runs tests of the suite against a cluster that has the GatewayClass `gateway-conformance`. What it creates stays.
 * Throws with the suite's log if it does not get as far as the tests.
 */
export async function runSuite(program: string, options: SuiteOptions): Promise<SuiteResults> {
  const results = join(options.directory, 'conformance.json');
  const run = await startProcess({
    name: 'gateway-api-conformance',
    command: program,
    args: [
      `-tests=${options.tests.join(',')}`,
      `-supported-features=${options.features.join(',')}`,
      `-results=${results}`,
      '-cleanup-base-resources=false',
      `-timeout-config-overrides=${LIMITS}`,
    ],
    env: { KUBECONFIG: options.kubeconfig },
    logFile: join(options.directory, 'conformance.log'),
  });
  await run.exited;
  const log = readFileSync(run.logFile, 'utf8');
  if (!existsSync(results)) throw new Error(`the suite did not get as far as its tests:\n${log}`);
  const ended = JSON.parse(readFileSync(results, 'utf8')) as SuiteResults;
  // It holds only what failed, most of it waiting.
  if (Object.values(ended.tests).includes('failed')) console.error(log.split('\n').slice(-200).join('\n'));
  return ended;
}
