import { addressesOf } from './addresses.ts';
import { type Condition, conditionOf, conditionWith } from './conditions.ts';
import type { ObservedGateway, ObservedStatus, StatusAddress } from './observed.ts';
import { type Infrastructure, programmedVerdict } from './programmed.ts';

/** What a Gateway's status is computed from, beside its infrastructure. */
export interface GatewayFacts extends Infrastructure {
  /** How many ListenerSets add listeners to it. */
  readonly attachedListenerSets: number;
  /** RFC 3339, to the second. */
  readonly now: string;
}

/**
 * The part of a Gateway's status that is gari's. Listeners, routes and certificates are the data plane's own
 * controller's to know.
 */
export function gatewayStatus(gateway: ObservedGateway, facts: GatewayFacts): ObservedStatus {
  const { conditions, attachedListenerSets } = gateway.status ?? {};
  const when = { generation: gateway.metadata.generation ?? 0, now: facts.now };
  const before = conditionOf(conditions, 'Programmed');
  const programmed = conditionWith(before, 'Programmed', programmedVerdict(gateway, facts, before), when);
  const accepted = conditionWith(conditionOf(conditions, 'Accepted'), 'Accepted', facts.accepted, when);
  const addresses = publishedAddresses(gateway, facts, programmed);
  return {
    conditions: [accepted, programmed],
    ...(addresses.length === 0 ? {} : { addresses }),
    // Servers before Gateway API 1.5 have neither ListenerSets nor this field.
    ...(facts.attachedListenerSets === 0 && attachedListenerSets === undefined
      ? {}
      : { attachedListenerSets: facts.attachedListenerSets }),
  };
}

// Of a data plane that has never been there, an address is of no use to anybody yet.
function publishedAddresses(
  { status }: { readonly status?: ObservedStatus },
  { service }: GatewayFacts,
  programmed: Condition,
): readonly StatusAddress[] {
  const isSetUp = programmed.reason !== 'Pending' || (status?.addresses ?? []).length > 0;
  return isSetUp ? addressesOf(service) : [];
}
