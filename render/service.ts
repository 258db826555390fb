import type { KindRenderer } from './gateway-context.ts';
import type { JsonObject } from './json.ts';
import { objectIdentity, podSelector } from './metadata.ts';

/** The Service that brings traffic to the Gateway's data plane. */
export const service: KindRenderer = {
  apiVersion: 'v1',
  kind: 'Service',
  defaults: () => ({ spec: { type: 'LoadBalancer' } }),
  infrastructure: (metadata, { requestedAddress }) => ({
    metadata,
    spec: requestedAddress === undefined ? {} : requestedIp(requestedAddress),
  }),
  identity: ({ gateway, name, ports }) => ({
    metadata: objectIdentity(gateway, name),
    spec: { selector: podSelector(gateway), ports },
  }),
};

// Without its family the Service gets the cluster's first one, and the load balancer cannot assign an
// IPv6 address where that is IPv4.
function requestedIp(address: string): JsonObject {
  return { loadBalancerIP: address, ...(address.includes(':') ? { ipFamilies: ['IPv6'] } : {}) };
}
