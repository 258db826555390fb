import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type Path } from '../render/json.ts';
import { validationCases } from '../render/validation/cases/cases.ts';
import { randomObjects } from '../render/validation/cases/random-cases.ts';
import { type JudgedCase, type JudgedExample, validationReport } from '../render/validation/cases/report.ts';
import { PINNED } from '../render/validation/pinned-schemas.ts';
import type { KindSchemas } from '../render/validation/schema-file.ts';
import { canValidate, type Validation, validate } from '../render/validation/validate.ts';
import { findGatewayApiModule, readExamples } from '../scripts/gateway-api-module.ts';
import { describeCluster, sharedCluster } from './cluster/vitest.ts';

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

/** What a judge says, in a form that can be compared. */
interface Judgement {
  readonly verdict: 'accepted' | 'refused';
  /** Unknown fields as the server writes them; it names none where it cannot decode the metadata. */
  readonly unknown: readonly string[];
}

interface ServerJudgement extends Judgement {
  /** The fields that it blames. */
  readonly fields: readonly string[];
  readonly message: string;
  readonly decoded: boolean;
}

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
async function compare(
  kind: KindSchemas,
  version: string,
  object: JsonObject,
): Promise<{ validation: Validation; disagreement: string }> {
  const [server, validation] = await Promise.all([askServer(kind, version, object), validate(object)]);
  const own: Judgement = { verdict: verdictOf(validation), unknown: unknownOf(validation) };
  const { verdict, unknown } = server;
  const complaints: string[] = [];
  if (own.verdict !== verdict) complaints.push(`${own.verdict} by gari, ${verdict} by the server`);
  if (server.decoded && own.unknown.join() !== unknown.join()) {
    complaints.push(`unknown fields ${own.unknown.join()} for gari, ${unknown.join()} for the server`);
  }
  const blamed = validation.problems.map(({ path }) =>
    serverPath(path).replaceAll(/(^metadata\.\w+)\[\d+\]/g, '$1'),
  );
  for (const field of server.fields) {
    const found = blamed.some((own) => own === field || own.startsWith(field) || field.startsWith(own));
    if (!found) complaints.push(`the server blames ${field}, gari ${blamed.join()}`);
  }
  const says = validation.problems.map(({ field, message }) => `${field} ${message}`);
  const disagreement =
    complaints.length === 0 ? '' : `${complaints.join('; ')} (${server.message}; ${says.join('; ')})`;
  return { validation, disagreement };
}

async function askServer(kind: KindSchemas, version: string, object: JsonObject): Promise<ServerJudgement> {
  requests += 1;
  const namespace = kind.namespaced ? 'namespaces/default/' : '';
  // Where the object lives is not what is judged.
  const { metadata } = object;
  const isElsewhere = isJsonObject(metadata) && isLabel(metadata.namespace);
  const body = isElsewhere ? { ...object, metadata: { ...metadata, namespace: 'default' } } : object;
  const {
    status,
    body: answer,
    warnings,
  } = await sharedCluster().client.request<Status>(
    'POST',
    `/apis/${kind.group}/${version}/${namespace}${kind.plural}`,
    { query: { dryRun: 'All', fieldValidation: 'Warn' }, body },
  );
  if (![201, 400, 422].includes(status)) throw new Error(`${status} ${answer.message}`);
  return {
    verdict: status === 201 ? 'accepted' : 'refused',
    unknown: warnings.flatMap((text) => /^unknown field "(.*)"$/.exec(text)?.[1] ?? []).sort(),
    // An error about the whole object has no field.
    fields: (answer.details?.causes ?? []).map(({ field }) => field).filter((field) => field !== '<nil>'),
    message: answer.message ?? '',
    decoded: status !== 400,
  };
}

interface Status {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field: string }[] };
}

function verdictOf({ problems }: Validation): Judgement['verdict'] {
  return problems.length === 0 ? 'accepted' : 'refused';
}

function unknownOf({ warnings }: Validation): string[] {
  const unknown = warnings.filter(({ reason }) => reason === 'UnknownField');
  return unknown.map(({ path }) => serverPath(path)).sort();
}

/** A path as the server writes it: keys are never quoted. */
function serverPath(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}

function isLabel(namespace: unknown): boolean {
  return typeof namespace === 'string' && /^[a-z0-9][-a-z0-9]{0,61}[a-z0-9]$/.test(namespace);
}

function versionsOf(kind: KindSchemas): string[] {
  return kind.schemas.flatMap(({ versions }) => versions);
}

function kindOf(object: JsonObject): { kind: KindSchemas; version: string } {
  const kind = PINNED.kinds.find((one) => one.kind === object.kind)!;
  return { kind, version: String(object.apiVersion).split('/')[1]! };
}

/** Runs a task for each input, a few at a time; returns the texts that are not empty. */
async function inParallel<T>(inputs: readonly T[], task: (input: T) => Promise<string>): Promise<string[]> {
  const results: string[] = [];
  const queue = inputs.values();
  const worker = async () => {
    for (const input of queue) results.push(await task(input));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results.filter((text) => text !== '');
}
