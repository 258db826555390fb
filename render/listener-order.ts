import { type Diagnostic, diagnose, formatReference, subjectOf } from './diagnostic.ts';
import { effectiveListeners } from './effective-listeners.ts';
import type { Gateway, Listener, ListenerSet } from './gateway-api.ts';
import { PROTOCOLS } from './listener-conflicts.ts';
import { type DataPlanePorts, servicePorts } from './service-ports.ts';
import type { Sourced } from './source.ts';

/**
 * Warns of ListenerSets whose order decides something and cannot be known: the older one comes
 * first, and files hold no creation time. Each is compared with those only that come first with what
 * it has in common with others: each with each would be millions of pairs for a few thousand.
 */
export function unknownOrder(
  gateway: Sourced<Gateway>,
  listenerSets: readonly Sourced<ListenerSet>[],
  dataPlane: DataPlanePorts,
): readonly Diagnostic[] {
  const outcome = (sets: readonly Sourced<ListenerSet>[]): string => {
    const { listeners } = effectiveListeners(gateway, sets);
    const accepted = listeners.map(
      ({ owner, index }) => `${formatReference(subjectOf(owner).object)} ${index}`,
    );
    return JSON.stringify([accepted.sort(), servicePorts(listeners, dataPlane).ports]);
  };
  const firsts = new Map<string, Sourced<ListenerSet>>();
  return listenerSets.flatMap((second) => {
    const { listeners } = effectiveListeners(gateway, [second]);
    const own = listeners.filter(({ owner }) => owner === second);
    const earlier = new Set(
      own.flatMap(({ listener }) => rivalKeys(listener).flatMap((key) => firsts.get(key) ?? [])),
    );
    for (const { listener } of own) {
      for (const key of ownKeys(listener)) if (!firsts.has(key)) firsts.set(key, second);
    }
    return [...earlier].flatMap((first) => {
      if (hasAge(first) && hasAge(second)) return [];
      if (outcome([first, second]) === outcome([second, first])) return [];
      const [a, b] = [first, second].map(
        (set) => `${set.object.metadata.namespace}/${set.object.metadata.name}`,
      );
      const message = `of ListenerSets ${a} and ${b} depend on which is older, and the input holds no creation time; ${a} is taken as the first: needs-cluster`;
      return [diagnose('warning', 'NeedsCluster', subjectOf(gateway), ['spec', 'listeners'], message)];
    });
  });
}

// Two listeners meet on a port: of any other protocol, or with the same hostname.
function ownKeys({ port, protocol, hostname = '' }: Listener): readonly string[] {
  return [`${port} ${protocol}`, `${port} ${protocol} ${hostname.toLowerCase()}`];
}

function rivalKeys(listener: Listener): readonly string[] {
  const { port, protocol } = listener;
  return [
    ...[...PROTOCOLS].filter((each) => each !== protocol).map((each) => `${port} ${each}`),
    ...ownKeys(listener),
  ];
}

function hasAge({ object }: Sourced<ListenerSet>): boolean {
  return object.metadata.creationTimestamp !== undefined;
}
