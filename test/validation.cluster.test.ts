import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { JsonObject } from '../render/json.ts';
import { validationCases } from '../render/validation/cases/cases.ts';
import { randomObjects } from '../render/validation/cases/random-cases.ts';
import { type JudgedCase, type JudgedExample, validationReport } from '../render/validation/cases/report.ts';
import { PINNED } from '../render/validation/pinned-schemas.ts';
import type { KindSchemas } from '../render/validation/schema-file.ts';
import { canValidate, validate } from '../render/validation/validate.ts';
import { findGatewayApiModule, readExamples } from '../scripts/gateway-api-module.ts';
import { describeCluster } from './cluster/vitest.ts';
import { askBoth, inParallel, verdictOf } from './two-judges.ts';

const PAGE = fileURLToPath(new URL('../docs/reference/validation.md', import.meta.url));
const RANDOM = 2000;
const EXAMPLES = [
  'examples/standard',
  'hack/invalid-examples/standard/gateway',
  'hack/invalid-examples/standard/gatewayclass',
  'hack/invalid-examples/standard/referencegrant',
];

const module = findGatewayApiModule();
const cases = validationCases(PINNED.kinds);
const judgedCases: JudgedCase[] = [];
const judgedExamples: JudgedExample[] = [];
let requests = 0;

describeCluster('gari and the API server', ['gateway-api'], () => {
  test('judge each case alike, in each version that is served', async () => {
    const disagreements = await inParallel(
      PINNED.kinds.flatMap((kind) =>
        versionsOf(kind).flatMap((version) =>
          cases.filter((one) => one.kind === kind.kind).map((one) => ({ kind, version, one })),
        ),
      ),
      async ({ kind, version, one }) => {
        const object = { ...one.object, apiVersion: `${kind.group}/${version}` };
        const { validation, disagreement } = await compare(kind, version, object);
        if (version === versionsOf(kind)[0]) judgedCases.push({ case: one, validation });
        const surprise = verdictOf(validation) === one.expected ? '' : ` expected to be ${one.expected}`;
        return disagreement + surprise && `${one.name} (${version}): ${disagreement}${surprise}`;
      },
    );
    expect(disagreements).toEqual([]);
  }, 300_000);

  test.runIf('directory' in module)(
    "judge the Gateway API's own examples alike",
    async () => {
      if (!('directory' in module)) return;
      const examples = EXAMPLES.flatMap((directory) => readExamples(module.directory, directory));
      const disagreements = await inParallel(
        examples.filter(({ object }) => canValidate(object)),
        async ({ file, object }) => {
          const { kind, version } = kindOf(object);
          const { validation, disagreement } = await compare(kind, version, object);
          const { name } = object.metadata as { name: string };
          judgedExamples.push({ file, name: `${kind.kind} ${name}`, validation });
          return disagreement && `${file}: ${disagreement}`;
        },
      );
      expect(disagreements).toEqual([]);
      expect(judgedExamples.length).toBeGreaterThan(40);
    },
    60_000,
  );

  test('judge objects with random changes alike', async () => {
    const seed = Number(process.env.GARI_TEST_SEED ?? 1);
    const disagreements = await inParallel(randomObjects(cases, RANDOM, seed), async (object) => {
      const { kind, version } = kindOf(object);
      const { disagreement } = await compare(kind, version, object);
      return disagreement && `${JSON.stringify(object)}: ${disagreement}`;
    });
    expect(disagreements).toEqual([]);
  }, 300_000);

  // With everything judged, the page can be written; in CI it must be up to date.
  test.runIf('directory' in module)('the reference page says so', () => {
    judgedCases.sort((a, b) => cases.indexOf(a.case) - cases.indexOf(b.case));
    judgedExamples.sort((a, b) => (`${a.file} ${a.name}` < `${b.file} ${b.name}` ? -1 : 1));
    const page = validationReport(PINNED, judgedCases, judgedExamples, requests - RANDOM, RANDOM);
    if (process.env.CI === 'true') {
      expect(readFileSync(PAGE, 'utf8')).toBe(page);
    } else {
      mkdirSync(fileURLToPath(new URL('.', `file://${PAGE}`)), { recursive: true });
      writeFileSync(PAGE, page);
    }
  });
});

/** Asks both judges; an empty text if they agree. */
function compare(kind: KindSchemas, version: string, object: JsonObject) {
  requests += 1;
  return askBoth(kind, version, object, 'Warn', validate);
}

function versionsOf(kind: KindSchemas): string[] {
  return kind.schemas.flatMap(({ versions }) => versions);
}

function kindOf(object: JsonObject): { kind: KindSchemas; version: string } {
  const kind = PINNED.kinds.find((one) => one.kind === object.kind)!;
  return { kind, version: String(object.apiVersion).split('/')[1]! };
}
