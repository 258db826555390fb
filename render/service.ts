import type { KindRenderer } from './gateway-context.ts';
import { objectIdentity, podSelector } from './metadata.ts';

/** The Service that brings traffic to the Gateway's data plane. */
export const service: KindRenderer = {
  apiVersion: 'v1',
  kind: 'Service',
  defaults: () => ({ spec: { type: 'LoadBalancer' } }),
  infrastructure: (metadata, { requestedAddress }) => ({
    metadata,
    spec: requestedAddress === undefined ? {} : { loadBalancerIP: requestedAddress },
  }),
  identity: ({ gateway, name, ports }) => ({
    metadata: objectIdentity(gateway, name),
    spec: { selector: podSelector(gateway), ports },
  }),
};
