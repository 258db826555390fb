import type { Diagnostic } from './diagnostic.ts';
import type { Gateway, ListenerSet } from './gateway-api.ts';
import { groupBy } from './group-by.ts';
import { type ConflictReason, conflictOf, PROTOCOLS } from './listener-conflicts.ts';
import { describeListener, type ListenerEntry, leftOut } from './listener-entry.ts';
import { listenerIndex } from './listener-index.ts';
import type { Sourced } from './source.ts';

/** The listeners that are served, in order of precedence. */
export interface EffectiveListeners {
  readonly listeners: readonly ListenerEntry[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The Gateway's listeners and those of its ListenerSets, without the ones that conflict. Within one
 * object all that cannot be told apart are out, as the Gateway API has no winner there; between
 * objects the earlier one stays.
 */
export function effectiveListeners(
  gateway: Sourced<Gateway>,
  listenerSets: readonly Sourced<ListenerSet>[],
): EffectiveListeners {
  const diagnostics: Diagnostic[] = [];
  const accepted: ListenerEntry[] = [];
  const earlier = listenerIndex();
  for (const owner of [gateway, ...listenerSets]) {
    const entries = withoutUnknownProtocols(entriesOf(owner), diagnostics);
    const samePort = groupBy(entries, ({ listener }) => listener.port);
    const candidates = withoutConflicts(entries, diagnostics, (entry) =>
      firstConflict(entry, samePort.get(entry.listener.port) ?? []),
    );
    const staying = withoutConflicts(candidates, diagnostics, (entry) => earlier.firstConflict(entry));
    for (const entry of staying) earlier.add(entry);
    accepted.push(...staying);
  }
  return { listeners: accepted, diagnostics };
}

function entriesOf(owner: Sourced<Gateway | ListenerSet>): ListenerEntry[] {
  return owner.object.spec.listeners.map((listener, index) => ({ listener, index, owner }));
}

function withoutUnknownProtocols(entries: ListenerEntry[], diagnostics: Diagnostic[]): ListenerEntry[] {
  return entries.filter((entry) => {
    const { protocol } = entry.listener;
    if (PROTOCOLS.has(protocol)) return true;
    diagnostics.push(
      leftOut(entry, 'UnsupportedProtocol', `gari knows HTTP, HTTPS, TLS, TCP and UDP, not ${protocol}`),
    );
    return false;
  });
}

interface Conflict {
  readonly other: ListenerEntry;
  readonly reason: ConflictReason;
}

function withoutConflicts(
  entries: readonly ListenerEntry[],
  diagnostics: Diagnostic[],
  conflictWith: (entry: ListenerEntry) => Conflict | undefined,
): ListenerEntry[] {
  return entries.filter((entry) => {
    const conflict = conflictWith(entry);
    if (conflict === undefined) return true;
    const { other, reason } = conflict;
    diagnostics.push(leftOut(entry, reason, conflictMessage(entry, other, reason)));
    return false;
  });
}

function firstConflict(entry: ListenerEntry, others: readonly ListenerEntry[]): Conflict | undefined {
  for (const other of others) {
    const reason = other === entry ? undefined : conflictOf(entry.listener, other.listener);
    if (reason !== undefined) return { other, reason };
  }
  return undefined;
}

function conflictMessage(entry: ListenerEntry, other: ListenerEntry, reason: ConflictReason): string {
  const { port, protocol } = entry.listener;
  const name = describeListener(other, entry);
  if (reason === 'ProtocolConflict') {
    return other.listener.protocol === protocol
      ? `${name} has port ${port} already, and only one ${protocol} listener can have it`
      : `${protocol} cannot share port ${port} with ${other.listener.protocol} of ${name}`;
  }
  return `${name} has the same port and ${entry.listener.hostname === undefined ? 'no hostname either' : 'hostname'}`;
}
