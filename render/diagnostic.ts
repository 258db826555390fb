import { formatPath, type Path } from './json.ts';
import type { Source, Sourced } from './source.ts';

/** `error`: the input is wrong and nothing comes out; `warning`: something was left out or could not be known. */
export type Severity = 'error' | 'warning' | 'info';

/** What a diagnostic is about; cluster-scoped objects have no namespace. */
export interface ObjectReference {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** One thing that a person should know about the input. Data only: the caller prints it. */
export interface Diagnostic {
  readonly severity: Severity;
  /** A word for machines, in the Gateway API's own terms where it has one, such as `PortUnavailable`. */
  readonly reason: string;
  readonly object?: ObjectReference;
  /** Of a fault in parameters: the GatewayClass or Gateway whose parameters they are. */
  readonly parametersOf?: ObjectReference;
  /** The field as people write it, such as `spec.listeners[0].port`. */
  readonly field?: string;
  /** What is wrong and what to do; it follows the field in a sentence. */
  readonly message: string;
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
}

/** `Gateway prod/web`, or `GatewayClass gari`. */
export function formatReference(object: ObjectReference): string {
  return `${object.kind} ${object.namespace === undefined ? '' : `${object.namespace}/`}${object.name}`;
}

/** What a diagnostic is about, and where that was read. */
export interface Subject {
  readonly object: ObjectReference;
  readonly source?: Source;
}

/** The subject of diagnostics about an object. */
export function subjectOf({ object, source }: Sourced<NamedObject>): Subject {
  const { name, namespace } = object.metadata;
  return {
    object: { kind: object.kind, ...(namespace === undefined ? {} : { namespace }), name },
    ...(source === undefined ? {} : { source }),
  };
}

interface NamedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Makes a diagnostic about one field (or, without a path, about the whole) of an object. */
export function diagnose(
  severity: Severity,
  reason: string,
  subject: Subject,
  path: Path | undefined,
  message: string,
): Diagnostic {
  const line = subject.source?.lineOf(path ?? []);
  return {
    severity,
    reason,
    object: subject.object,
    ...(path === undefined ? {} : { field: formatPath(path) }),
    message,
    ...(subject.source === undefined ? {} : { file: subject.source.file }),
    ...(line === undefined ? {} : { line }),
  };
}

/** One line: `Gateway prod/web: spec.listeners[0].port must be …`, without severity and place. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const about = diagnostic.object === undefined ? '' : `${formatReference(diagnostic.object)}: `;
  const field = diagnostic.field === undefined ? '' : `${diagnostic.field} `;
  return `${about}${field}${diagnostic.message}`;
}
