import { type GatewayContext, type KindRenderer, reaching } from './gateway-context.ts';
import type { JsonObject } from './json.ts';
import { merge } from './merge.ts';
import { objectIdentity, podSelector } from './metadata.ts';

/** The Service that brings traffic to the Gateway's data plane. */
export const service: KindRenderer = {
  apiVersion: 'v1',
  kind: 'Service',
  // The ports are here too, so that what parameters add to them does not change their order.
  defaults: (context) => ({
    spec: { type: 'LoadBalancer', ports: context.ports, ...familyOf(context) },
  }),
  infrastructure: (metadata, context) =>
    merge(reaching('Service', metadata, context), requestedAddress(context), {}, () => undefined),
  identity: ({ gateway, name, ports }) => ({
    metadata: objectIdentity(gateway, name),
    spec: { selector: podSelector(gateway), ports },
  }),
};

function requestedAddress({ requestedAddresses, settings }: GatewayContext): JsonObject {
  const [first] = requestedAddresses;
  if (first === undefined) return {};
  const { via, annotation = '' } = settings.requestedAddress;
  if (via === 'ExternalIPs') return { spec: { externalIPs: requestedAddresses } };
  if (via === 'Annotation') {
    return { metadata: { annotations: { [annotation]: requestedAddresses.join(',') } } };
  }
  return { spec: { loadBalancerIP: first } };
}

// Without its family the Service gets the cluster's first one, and the load balancer cannot assign an
// IPv6 address where that is IPv4.
function familyOf({ requestedAddresses: [address], settings }: GatewayContext): JsonObject {
  const isIpv6 = settings.requestedAddress.via !== 'ExternalIPs' && address?.includes(':') === true;
  return isIpv6 ? { ipFamilies: ['IPv6'] } : {};
}
