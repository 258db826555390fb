import { conditionOf, conditionWith, type Verdict } from './conditions.ts';
import type { ObservedClass } from './observed.ts';

/**
 * The features that gari's Gateways have without the data plane's own controller: each test of the Gateway API's
 * suite that needs only these passes. That controller adds what it can do under its own field manager.
 */
const SUPPORTED_FEATURES = ['GatewayAddressEmpty', 'GatewayInfrastructure'] as const;

/** What a GatewayClass's status is to be. */
export function gatewayClassStatus(
  gatewayClass: ObservedClass,
  accepted: Verdict,
  now: string,
): NonNullable<ObservedClass['status']> {
  const when = { generation: gatewayClass.metadata.generation ?? 0, now };
  const before = conditionOf(gatewayClass.status?.conditions, 'Accepted');
  return {
    conditions: [conditionWith(before, 'Accepted', accepted, when)],
    supportedFeatures: SUPPORTED_FEATURES.map((name) => ({ name })),
  };
}
