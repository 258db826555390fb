// The API server and gari, asked about one object.
import { isJsonObject, type JsonObject, type Path } from '../render/json.ts';
import type { KindSchemas } from '../render/validation/schema-file.ts';
import type { Validation } from '../render/validation/validate.ts';
import { sharedCluster } from './cluster/vitest.ts';

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

/** How the server takes unknown fields. */
type FieldValidation = 'Warn' | 'Strict';

/** Asks both judges; an empty text if they agree. */
export async function askBoth(
  kind: KindSchemas,
  version: string,
  object: JsonObject,
  fieldValidation: FieldValidation,
  gari: (object: JsonObject) => Promise<Validation>,
): Promise<{ validation: Validation; disagreement: string }> {
  const [server, validation] = await Promise.all([
    askServer(kind, version, object, fieldValidation),
    gari(object),
  ]);
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

async function askServer(
  kind: KindSchemas,
  version: string,
  object: JsonObject,
  fieldValidation: FieldValidation,
): Promise<ServerJudgement> {
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
    { query: { dryRun: 'All', fieldValidation }, body },
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

/** What gari says, in one word. */
export function verdictOf({ problems }: Pick<Validation, 'problems'>): Judgement['verdict'] {
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

/** Runs a task for each input, a few at a time; returns the texts that are not empty. */
export async function inParallel<T>(
  inputs: readonly T[],
  task: (input: T) => Promise<string>,
): Promise<string[]> {
  const results: string[] = [];
  const queue = inputs.values();
  const worker = async () => {
    for (const input of queue) results.push(await task(input));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results.filter((text) => text !== '');
}
