import type { Gateway } from './gateway-api.ts';
import type { JsonObject } from './json.ts';
import { labelValue } from './names.ts';

/** The Gateway's name, or its shortened form, on everything made for it (GEP-1762). */
export const GATEWAY_NAME_LABEL = 'gateway.networking.k8s.io/gateway-name';
/** The class's name, or its shortened form, on everything made for a Gateway (GEP-1762). */
export const GATEWAY_CLASS_LABEL = 'gateway.networking.k8s.io/gateway-class-name';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const NAME_LABEL = 'app.kubernetes.io/name';
export const COMPONENT_LABEL = 'gari.dev/component';
/** `<namespace>/<name>` of the Gateway, never shortened. */
export const GATEWAY_ANNOTATION = 'gari.dev/gateway';
/** The hash of the Deployment's pod template. */
export const POD_TEMPLATE_HASH_ANNOTATION = 'gari.dev/pod-template-hash';

/** What marks an object as made by gari; the shared binding has only these. */
export const OWN_LABELS: Readonly<Record<string, string>> = {
  [MANAGED_BY_LABEL]: 'gari',
  [NAME_LABEL]: 'gari-dataplane',
};

/** gari's labels on each object made for a Gateway, and on its pods. */
export function gatewayLabels(gateway: Gateway): Record<string, string> {
  return {
    ...OWN_LABELS,
    [COMPONENT_LABEL]: 'dataplane',
    [GATEWAY_CLASS_LABEL]: labelValue(gateway.spec.gatewayClassName),
    [GATEWAY_NAME_LABEL]: labelValue(gateway.metadata.name),
  };
}

/** gari's annotations on each object made for a Gateway, and on its pods. */
export function gatewayAnnotations(gateway: Gateway): Record<string, string> {
  return { [GATEWAY_ANNOTATION]: gatewayKey(gateway) };
}

/**
 * What selects a Gateway's pods. Immutable in a Deployment: it must never change between versions
 * and never depend on the user's labels (envoyproxy/gateway#1818, istio/istio#54145).
 */
export function podSelector(gateway: Gateway): Record<string, string> {
  return {
    [COMPONENT_LABEL]: 'dataplane',
    [GATEWAY_NAME_LABEL]: labelValue(gateway.metadata.name),
  };
}

/** `<namespace>/<name>`. */
export function gatewayKey(gateway: Gateway): string {
  return `${gateway.metadata.namespace}/${gateway.metadata.name}`;
}

/** The metadata that no layer may change. */
export function objectIdentity(gateway: Gateway, name: string): JsonObject {
  return {
    name,
    namespace: gateway.metadata.namespace,
    labels: gatewayLabels(gateway),
    annotations: gatewayAnnotations(gateway),
  };
}
