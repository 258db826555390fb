import { GATEWAY_API_GROUP, type Gateway, type ObjectMeta } from './gateway-api.ts';
import { GATEWAY_ANNOTATION, GATEWAY_NAME_LABEL, gatewayKey, MANAGED_BY_LABEL } from './metadata.ts';
import { labelValue } from './names.ts';

/**
 * Whether an object with one of the Gateway's names is the Gateway's own: `owned` through its
 * ownerReference, `adoptable` if it was gari's but has no owner that lives, else `foreign`: never
 * changed, never deleted (istio/istio#37972, envoyproxy/gateway#9136).
 */
export type Ownership = 'owned' | 'adoptable' | 'foreign';

/** Says whose object it is; the one place where that is decided. */
export function ownershipOf(object: { readonly metadata: ObjectMeta }, gateway: Gateway): Ownership {
  const { uid } = gateway.metadata;
  const controller = object.metadata.ownerReferences?.find((owner) => owner.controller === true);
  if (controller !== undefined) {
    if (uid !== undefined && controller.uid === uid) return 'owned';
    const earlierGateway =
      controller.kind === 'Gateway' &&
      controller.apiVersion.startsWith(`${GATEWAY_API_GROUP}/`) &&
      controller.name === gateway.metadata.name;
    if (!earlierGateway) return 'foreign';
  }
  return hasOurMarks(object.metadata, gateway) ? 'adoptable' : 'foreign';
}

// kustomize and Helm overwrite managed-by, so that label alone decides nothing, neither way.
function hasOurMarks({ labels, annotations }: ObjectMeta, gateway: Gateway): boolean {
  return (
    labels?.[GATEWAY_NAME_LABEL] === labelValue(gateway.metadata.name) &&
    (labels[MANAGED_BY_LABEL] === 'gari' || annotations?.[GATEWAY_ANNOTATION] === gatewayKey(gateway))
  );
}
