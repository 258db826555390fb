import type { ConflictReason } from './listener-conflicts.ts';
import { conflictOf } from './listener-conflicts.ts';
import type { ListenerEntry } from './listener-entry.ts';

/** Listeners among which one finds what another conflicts with, without looking at each. */
export interface ListenerIndex {
  add(entry: ListenerEntry): void;
  /** The first that was added of those that cannot be served beside a listener. */
  firstConflict(entry: ListenerEntry): { other: ListenerEntry; reason: ConflictReason } | undefined;
}

/** An empty index. */
export function listenerIndex(): ListenerIndex {
  // What conflicts is decided by port, protocol and hostname, so the first of each is enough; and where
  // the hostname plays no part, the first of each port and protocol.
  const firsts = new Map<string, Map<string, { entry: ListenerEntry; place: number }>>();
  let count = 0;
  return {
    add(entry) {
      const place = count++;
      for (const key of keysOf(entry)) {
        const byProtocol = firsts.get(key) ?? new Map();
        firsts.set(key, byProtocol);
        if (!byProtocol.has(entry.listener.protocol))
          byProtocol.set(entry.listener.protocol, { entry, place });
      }
    },
    firstConflict(entry) {
      const [first] = keysOf(entry)
        .flatMap((key) => [...(firsts.get(key)?.values() ?? [])])
        .flatMap(({ entry: other, place }) => {
          const reason = conflictOf(entry.listener, other.listener);
          return reason === undefined ? [] : [{ other, reason, place }];
        })
        .sort((a, b) => a.place - b.place);
      return first;
    },
  };
}

function keysOf({ listener: { port, hostname = '' } }: ListenerEntry): readonly string[] {
  return [`${port}`, `${port} ${hostname.toLowerCase()}`];
}
