import { dataPlanePod } from './data-plane.ts';
import { type KindRenderer, reaching } from './gateway-context.ts';
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
import { withSubstitutions } from './parameters/substitute.ts';

/**
 * The Deployment of the Gateway's data plane. `replicas` stays unset, so that `kubectl scale` and a
 * HorizontalPodAutoscaler keep what they set (envoyproxy/gateway#9594).
 */
export const deployment: KindRenderer = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  defaults: (context) => ({
    spec: {
      template: {
        spec: {
          ...dataPlanePod(context),
          ...(context.settings.access === 'None' ? { automountServiceAccountToken: false } : {}),
        },
      },
    },
  }),
  infrastructure: (metadata, context) => ({
    ...reaching('Deployment', metadata, context),
    spec: { template: reaching('Pod', metadata, context) },
  }),
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
  finish: (object, { gateway }) => withSubstitutions(object, gateway),
  derived: (object) => {
    const { spec } = normalize(object);
    const template = isJsonObject(spec) && isJsonObject(spec.template) ? spec.template : {};
    return { metadata: { annotations: { [POD_TEMPLATE_HASH_ANNOTATION]: podTemplateHash(template) } } };
  },
};
