import { dataPlanePod } from './data-plane.ts';
import type { KindRenderer } from './gateway-context.ts';
import { podTemplateHash } from './hash.ts';
import { isJsonObject } from './json.ts';
import {
  gatewayAnnotations,
  gatewayLabels,
  objectIdentity,
  POD_TEMPLATE_HASH_ANNOTATION,
  podSelector,
} from './metadata.ts';
import { normalize } from './normalize.ts';

/**
 * The Deployment of the Gateway's data plane. `replicas` stays unset, so that `kubectl scale` and a
 * HorizontalPodAutoscaler keep what they set (envoyproxy/gateway#9594).
 */
export const deployment: KindRenderer = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  defaults: ({ gateway, image, access, http3Port }) => ({
    spec: {
      template: {
        spec: {
          ...dataPlanePod(gateway, image, http3Port),
          ...(access === 'None' ? { automountServiceAccountToken: false } : {}),
        },
      },
    },
  }),
  infrastructure: (metadata) => ({ metadata, spec: { template: { metadata } } }),
  identity: ({ gateway, name }) => ({
    metadata: objectIdentity(gateway, name),
    spec: {
      selector: { matchLabels: podSelector(gateway) },
      template: {
        metadata: { labels: gatewayLabels(gateway), annotations: gatewayAnnotations(gateway) },
        spec: { serviceAccountName: name },
      },
    },
  }),
  derived: (object) => {
    const { spec } = normalize(object);
    const template = isJsonObject(spec) && isJsonObject(spec.template) ? spec.template : {};
    return { metadata: { annotations: { [POD_TEMPLATE_HASH_ANNOTATION]: podTemplateHash(template) } } };
  },
};
