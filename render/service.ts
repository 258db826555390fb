import { type GatewayContext, type KindRenderer, reaching } from './gateway-context.ts';
import type { JsonObject } from './json.ts';
import { merge } from './merge.ts';
import { objectIdentity, podSelector } from './metadata.ts';

/** The Service that brings traffic to the Gateway's data plane. */
export const service: KindRenderer = {
  apiVersion: 'v1',
  kind: 'Service',
  // The ports are here too, so that what parameters add to them does not change their order.
  defaults: ({ ports }) => ({ spec: { type: 'LoadBalancer', ports } }),
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
