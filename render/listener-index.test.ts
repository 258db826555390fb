import fc from 'fast-check';
import { expect, it } from 'vitest';
import { conflictOf } from './listener-conflicts.ts';
import type { ListenerEntry } from './listener-entry.ts';
import { listenerIndex } from './listener-index.ts';

const owner = {} as ListenerEntry['owner'];
const entry = fc
  .record({
    name: fc.constant('x'),
    protocol: fc.constantFrom('HTTP', 'HTTPS', 'TLS', 'TCP', 'UDP'),
    port: fc.constantFrom(80, 443),
    hostname: fc.constantFrom('', 'a.example.com', 'b.example.com', 'A.example.com'),
  })
  .map(({ hostname, ...rest }): ListenerEntry => {
    const listener = hostname === '' ? rest : { ...rest, hostname };
    return { listener, index: 0, owner };
  });

it('finds the first that conflicts, as if it looked at each', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), entry, (entries, asked) => {
      const index = listenerIndex();
      for (const each of entries) index.add(each);
      const first = entries.find((other) => conflictOf(asked.listener, other.listener) !== undefined);
      const found = index.firstConflict(asked);
      expect(found?.other).toBe(first);
      expect(found?.reason).toBe(first && conflictOf(asked.listener, first.listener));
    }),
    { numRuns: 1_000 },
  );
});
