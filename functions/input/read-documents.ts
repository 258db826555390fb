import { type Diagnostic, diagnose, formatReference, type Subject } from '../../render/diagnostic.ts';
import { isJsonObject, type JsonObject, type Path } from '../../render/json.ts';
import { gatewayKey } from '../../render/metadata.ts';
import type { ParametersObject } from '../../render/parameters/parameters.ts';
import {
  isNamespaced,
  missingType,
  misspelledKind,
  otherVersionsOf,
  type ReadKind,
  type ReadObject,
  readKindOf,
  readObject,
} from '../../render/read-object.ts';
import type { RenderInput } from '../../render/render.ts';
import type { Source, Sourced } from '../../render/source.ts';
import type { Problem } from '../../render/validation/problem.ts';
import type { Validation } from '../../render/validation/validate.ts';
import type { InputDocument } from './documents.ts';
import type { Judge } from './judge.ts';
import { parametersKindOf, readParametersObject } from './parameters.ts';

/** The objects of the input that rendering looks at. */
export interface Loaded {
  readonly input: RenderInput;
  /** The Gateways as they were written, without defaults, by `<namespace>/<name>`. */
  readonly writtenGateways: ReadonlyMap<string, JsonObject>;
  readonly diagnostics: readonly Diagnostic[];
}

/** How to read objects. */
export interface ReadOptions {
  /** For objects that need a namespace and have none. */
  readonly namespace: string;
  /** Who judges objects as the API server does; without one only what rendering depends on is checked. */
  readonly judge?: Judge;
  /** What to do about two objects of one identity, for the file of the second. */
  readonly duplicateHint?: (file: string) => string;
}

type Entry = ReadObject & { readonly source: Source; readonly written: JsonObject };

/** Reads the objects that gari knows out of documents; the others are passed over. */
export async function readDocuments(
  documents: readonly InputDocument[],
  options: ReadOptions,
): Promise<Loaded> {
  const diagnostics: Diagnostic[] = [];
  const entries: Entry[] = [];
  const parameters: Sourced<ParametersObject>[] = [];
  for (const document of documents) {
    if (parametersKindOf(document.object) !== undefined) {
      const object = await readParametersObject(document.object, options.namespace);
      if (object !== undefined) parameters.push({ object, source: document.source });
      continue;
    }
    const entry = await readDocument(document, options, diagnostics);
    if (entry !== undefined) entries.push(entry);
  }
  diagnostics.push(...duplicates(entries, options.duplicateHint ?? (() => 'remove one')));
  return { input: collect(entries, parameters), writtenGateways: writtenGateways(entries), diagnostics };
}

async function readDocument(
  { object, source }: InputDocument,
  { namespace, judge }: ReadOptions,
  diagnostics: Diagnostic[],
): Promise<Entry | undefined> {
  const kind = readKindOf(object);
  if (kind === undefined) {
    diagnostics.push(...otherVersion(object, source, namespace));
    return undefined;
  }
  const subject = subjectOfRaw(kind, object, source, namespace);
  const judged = await judge?.(object);
  for (const { path, reason, message } of worthTelling(judged)) {
    diagnostics.push(diagnose('warning', reason, subject, path, message));
  }
  if (judged !== undefined && judged.problems.length > 0) {
    diagnostics.push(
      ...judged.problems.map(({ path, reason, message }) =>
        diagnose('error', reason, subject, path, message),
      ),
    );
    return undefined;
  }
  const { object: read, problems } = readObject(kind, judged?.object ?? object, namespace);
  diagnostics.push(
    ...problems.map(({ path, message }) => diagnose('error', 'Invalid', subject, path, message)),
  );
  return read === undefined ? undefined : { ...read, source, written: object };
}

// The server names the unknown fields of a value of the wrong type as well, in which none can be known.
function worthTelling(judged: Validation | undefined): readonly Problem[] {
  const { problems, warnings } = judged ?? { problems: [], warnings: [] };
  const wrong = problems.filter(({ reason }) => reason === 'TypeInvalid');
  const isBelow = (path: Path) => wrong.some((one) => one.path.every((step, index) => path[index] === step));
  return warnings.filter(({ reason, path }) => reason !== 'UnknownField' || !isBelow(path));
}

// Passed over, it would look as if there were no such Gateway.
function otherVersion(object: JsonObject, source: Source, namespace: string): Diagnostic[] {
  const versions = otherVersionsOf(object);
  if (versions === undefined) {
    return [...withoutType(object, source, namespace), ...misspelled(object, source, namespace)];
  }
  const subject = subjectOfRaw(String(object.kind) as ReadKind, object, source, namespace);
  const message = `is ${JSON.stringify(object.apiVersion)}; gari reads ${versions.join(' and ')}`;
  return [diagnose('error', 'UnsupportedVersion', subject, ['apiVersion'], message)];
}

function withoutType(object: JsonObject, source: Source, namespace: string): Diagnostic[] {
  const missing = missingType(object);
  if (missing === undefined) return [];
  const subject = subjectOfRaw(String(object.kind ?? 'Object') as ReadKind, object, source, namespace);
  return [diagnose('error', 'MissingType', subject, [missing.field], `is missing; write ${missing.meant}`)];
}

function misspelled(object: JsonObject, source: Source, namespace: string): Diagnostic[] {
  const meant = misspelledKind(object);
  if (meant === undefined) return [];
  const subject = subjectOfRaw(String(object.kind) as ReadKind, object, source, namespace);
  const message = `is ${String(object.kind)}, which the Gateway API does not have; did you mean ${meant}?`;
  return [diagnose('error', 'UnknownKind', subject, ['kind'], message)];
}

/** How to name an object whose metadata may be wrong. */
function subjectOfRaw(kind: ReadKind, { metadata }: JsonObject, source: Source, fallback: string): Subject {
  const meta = isJsonObject(metadata) ? metadata : {};
  const name = typeof meta.name === 'string' && meta.name !== '' ? meta.name : '(without a name)';
  const namespace = typeof meta.namespace === 'string' ? meta.namespace : fallback;
  return { object: { kind, name, ...(isNamespaced(kind) ? { namespace } : {}) }, source };
}

// Copies of these would each say something else; copies of what gari rendered are no problem.
const UNIQUE_KINDS: ReadonlySet<ReadKind> = new Set([
  'Gateway',
  'GatewayClass',
  'ListenerSet',
  'ReferenceGrant',
]);

function duplicates(entries: readonly Entry[], duplicateHint: (file: string) => string): Diagnostic[] {
  const first = new Map<string, Entry>();
  return entries.flatMap((entry) => {
    if (!UNIQUE_KINDS.has(entry.kind)) return [];
    const subject = { object: { kind: entry.kind, ...nameOf(entry) }, source: entry.source };
    const key = formatReference(subject.object);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, entry);
      return [];
    }
    const where = `${earlier.source.file}${lineSuffix(earlier.source)}`;
    const hint = duplicateHint(entry.source.file);
    return [
      diagnose('error', 'Duplicate', subject, undefined, `is in the input twice, first in ${where}; ${hint}`),
    ];
  });
}

function lineSuffix(source: Source): string {
  const line = source.lineOf([]);
  return line === undefined ? '' : `:${line}`;
}

function nameOf({ kind, object: { metadata } }: Entry): { name: string; namespace?: string } {
  const { name, namespace } = metadata;
  return { name, ...(isNamespaced(kind) && typeof namespace === 'string' ? { namespace } : {}) };
}

function collect(entries: readonly Entry[], parameters: readonly Sourced<ParametersObject>[]): RenderInput {
  const of = <K extends ReadKind>(
    ...kinds: readonly K[]
  ): Sourced<Extract<ReadObject, { kind: K }>['object']>[] =>
    entries.flatMap((entry) =>
      kinds.includes(entry.kind as K) ? [{ object: entry.object as never, source: entry.source }] : [],
    );
  return {
    gateways: of('Gateway'),
    gatewayClasses: of('GatewayClass'),
    listenerSets: of('ListenerSet'),
    referenceGrants: of('ReferenceGrant'),
    namespaces: of('Namespace'),
    existing: of('ServiceAccount', 'RoleBinding', 'Deployment', 'Service'),
    clusterRoleBindings: of('ClusterRoleBinding'),
    dataPlanes: parameters.filter(({ object }) => object.kind === 'DataPlane'),
    configMaps: parameters.filter(({ object }) => object.kind === 'ConfigMap'),
  };
}

function writtenGateways(entries: readonly Entry[]): ReadonlyMap<string, JsonObject> {
  return new Map(
    entries.flatMap((entry) =>
      entry.kind === 'Gateway' ? [[gatewayKey(entry.object), entry.written] as const] : [],
    ),
  );
}
