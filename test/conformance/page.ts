import { LEFT_OUT, PASSES } from './expected.ts';
import type { SuiteResults } from './suite.ts';

/** What docs/reference/conformance.md says besides the two lists. */
export interface Run {
  /** Of the Gateway API, as in go.mod. */
  readonly version: string;
  readonly supportedFeatures: readonly string[];
  readonly results: SuiteResults;
}

const TIME = /\d+\.\d s/g;

/** docs/reference/conformance.md, with the run times of the page that was there before beside those of this run. */
export function conformancePage(run: Run, before: string): string {
  const { setupSeconds, testsSeconds } = run.results;
  const previous = (row: string) =>
    new RegExp(`^\\| ${row} \\| (\\d+\\.\\d s) `, 'm').exec(before)?.[1] ?? '';
  const time = (row: string, seconds: number) => `| ${row} | ${seconds.toFixed(1)} s | ${previous(row)} |`;
  const leftOut = LEFT_OUT.reduce((sum, { tests }) => sum + tests.length, 0);
  return `# Gateway API conformance

The official conformance suite of the Gateway API ${run.version} runs against gari in CI: the controller as it is
installed, under its own ServiceAccount, on a real control plane with a fake kubelet. The suite has ${PASSES.length + leftOut} tests. gari provides
the infrastructure of Gateways, and what only the data plane and its controller can know is theirs to say: so
${PASSES.length} tests pass with gari alone and ${leftOut} are left out. A test that is new or has another name fails CI until it is in
one of the two lists.

A GatewayClass has in \`status.supportedFeatures\` exactly those features of which gari passes every test:
${run.supportedFeatures.map(code).join(' and ')}. \`Gateway\` is not among them, since some of its tests read the status
of listeners. The data plane’s controller, which writes that, adds it: the list is a map by name, so each of the two owns
its entries.

## Passes

${PASSES.map((name) => `- ${code(name)}\n`).join('')}
| | this run | the one before |
| --- | --- | --- |
${time('set-up, until the base resources are ready', setupSeconds)}
${time('tests', testsSeconds)}

\`npm run conformance\` runs it again and writes this page. CI compares all of it but the times, and writes nothing.

## Left out

${LEFT_OUT.map(section).join('\n')}`;
}

/** The page without what differs from run to run. */
export function withoutTimes(page: string): string {
  return page.replaceAll(TIME, '');
}

function section({ title, reason, tests }: (typeof LEFT_OUT)[number]): string {
  return `### ${title}\n\n${reason}\n\n${tests.map((name) => `- ${code(name)}\n`).join('')}`;
}

function code(name: string): string {
  return `\`${name}\``;
}
