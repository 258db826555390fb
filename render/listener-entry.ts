import { type Diagnostic, diagnose, formatReference, subjectOf } from './diagnostic.ts';
import type { Gateway, Listener, ListenerSet } from './gateway-api.ts';
import type { Sourced } from './source.ts';

/** A listener and the object that it stands in. */
export interface ListenerEntry {
  readonly listener: Listener;
  readonly index: number;
  readonly owner: Sourced<Gateway | ListenerSet>;
}

/** A warning about a listener, which is named in it. */
export function listenerWarning(entry: ListenerEntry, reason: string, message: string): Diagnostic {
  const { owner, index, listener } = entry;
  const path = ['spec', 'listeners', index];
  return diagnose('warning', reason, subjectOf(owner), path, `(${listener.name}) ${message}`);
}

/** A warning about a listener that is not served. */
export function leftOut(entry: ListenerEntry, reason: string, message: string): Diagnostic {
  return listenerWarning(entry, reason, `is left out, ${reason}: ${message}`);
}

/** How a listener is spoken of in a diagnostic about another one. */
export function describeListener({ listener, owner }: ListenerEntry, other: ListenerEntry): string {
  const where = owner.object === other.owner.object ? '' : ` of ${formatReference(subjectOf(owner).object)}`;
  return `listener ${listener.name}${where}`;
}

/** Warnings about listeners in the order in which these stand, whatever was found first. */
export function inListenerOrder(
  warnings: readonly Diagnostic[],
  owners: readonly Sourced<Gateway | ListenerSet>[],
): readonly Diagnostic[] {
  const places = new Map(owners.map((owner, place) => [formatReference(subjectOf(owner).object), place]));
  const placeOf = ({ object }: Diagnostic): number => (object && places.get(formatReference(object))) ?? 0;
  const indexOf = ({ field = '' }: Diagnostic): number =>
    Number(/^spec\.listeners\[(\d+)/.exec(field)?.[1] ?? 0);
  return [...warnings].sort((a, b) => placeOf(a) - placeOf(b) || indexOf(a) - indexOf(b));
}
