import { type Diagnostic, diagnose, formatReference, subjectOf } from './diagnostic.ts';
import { effectiveListeners } from './effective-listeners.ts';
import type { Gateway, ListenerSet } from './gateway-api.ts';
import { type DataPlanePorts, servicePorts } from './service-ports.ts';
import type { Sourced } from './source.ts';

/**
 * Warns of ListenerSets whose order decides something and cannot be known: the older one comes
 * first, and files hold no creation time.
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
  return listenerSets.flatMap((first, index) =>
    listenerSets.slice(index + 1).flatMap((second) => {
      if (hasAge(first) && hasAge(second)) return [];
      if (outcome([first, second]) === outcome([second, first])) return [];
      const [a, b] = [first, second].map(
        (set) => `${set.object.metadata.namespace}/${set.object.metadata.name}`,
      );
      const message = `of ListenerSets ${a} and ${b} depend on which is older, and the input holds no creation time; ${a} is taken as the first: needs-cluster`;
      return [diagnose('warning', 'NeedsCluster', subjectOf(gateway), ['spec', 'listeners'], message)];
    }),
  );
}

function hasAge({ object }: Sourced<ListenerSet>): boolean {
  return object.metadata.creationTimestamp !== undefined;
}
