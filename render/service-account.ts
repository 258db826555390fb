import { type KindRenderer, reaching } from './gateway-context.ts';
import { objectIdentity } from './metadata.ts';

/** The ServiceAccount that the Gateway's data plane runs as. */
export const serviceAccount: KindRenderer = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  defaults: () => ({}),
  infrastructure: (metadata, context) => reaching('ServiceAccount', metadata, context),
  identity: ({ gateway, name }) => ({ metadata: objectIdentity(gateway, name) }),
};
