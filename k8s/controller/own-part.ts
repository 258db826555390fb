import type { JsonObject } from '../../render/json.ts';
import { conditionOf } from '../status/conditions.ts';
import type { ObservedGateway } from '../status/observed.ts';

/** The part of a Gateway's status that is gari's, as it is. */
export function ownPart({ status = {} }: ObservedGateway): JsonObject {
  const { conditions, addresses, attachedListenerSets } = status;
  const own = ['Accepted', 'Programmed'].map((type) => conditionOf(conditions, type));
  return {
    conditions: own.filter((condition) => condition !== undefined) as unknown as JsonObject[],
    ...(addresses === undefined || addresses.length === 0
      ? {}
      : { addresses: addresses as unknown as JsonObject[] }),
    ...(attachedListenerSets === undefined ? {} : { attachedListenerSets }),
  };
}
