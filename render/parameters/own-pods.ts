import type { GatewayContext } from '../gateway-context.ts';
import { isJsonList, isJsonObject, type Json } from '../json.ts';
import { podSelector } from '../metadata.ts';

/**
 * Affinity or spread constraints with the Gateway's own pods selected wherever a `topologyKey` stands
 * without a `labelSelector`, which would select none: a class cannot know the labels of its Gateways.
 */
export function aboutOwnPods(value: Json, context: GatewayContext): Json {
  if (isJsonList(value)) return value.map((item) => aboutOwnPods(item, context));
  if (!isJsonObject(value)) return value;
  const below = Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      key === 'labelSelector' || key === 'namespaceSelector' ? child : aboutOwnPods(child, context),
    ]),
  );
  if (value.topologyKey === undefined || value.labelSelector !== undefined) return below;
  return { ...below, labelSelector: { matchLabels: podSelector(context.gateway) } };
}
