import type { Gateway } from '../../render/gateway-api.ts';
import { GATEWAY_NAME_LABEL } from '../../render/metadata.ts';
import { labelValue, renderedName } from '../../render/names.ts';
import { ownershipOf } from '../../render/ownership.ts';
import type { LiveObject } from '../live-object.ts';
import type { ClusterKind } from '../resources.ts';

/** What the cluster holds, as far as it is watched: one store a kind. */
export interface ClusterView {
  store(kind: string): StoreView;
}

/** The objects of one kind. They are typed by who reads them: the API server has checked their shape. */
export interface StoreView {
  get(namespace: string | undefined, name: string): unknown;
  list(): Iterable<unknown>;
  by(index: string, value: string): readonly unknown[];
}

/** The kinds that are made for a Gateway. */
export const CHILD_KINDS = ['ServiceAccount', 'RoleBinding', 'Deployment', 'Service'] as const;
export type ChildKind = (typeof CHILD_KINDS)[number];

/** The objects of a kind that carry a Gateway's name in their label, its own or not. */
export function labelledChildren(
  view: ClusterView,
  { metadata }: { readonly metadata: { readonly name: string; readonly namespace: string } },
  kind: ClusterKind,
): readonly LiveObject[] {
  return view
    .store(kind)
    .by('gateway', gatewayIndexKey(metadata.namespace, labelValue(metadata.name))) as readonly LiveObject[];
}

/** The value of the index `gateway` of a child, from its label. */
export function gatewayIndexKey(namespace: string, label: string): string {
  return `${namespace}/${label}`;
}

/** The label that says whose child an object is. */
export function gatewayLabelOf(object: LiveObject): string | undefined {
  return object.metadata.labels?.[GATEWAY_NAME_LABEL];
}

/** What has the name of a Gateway's child, its own or not. */
export function namedChild(
  view: ClusterView,
  kind: ClusterKind,
  { metadata: { namespace, name } }: Gateway,
): LiveObject | undefined {
  return view.store(kind).get(namespace, renderedName(name)) as LiveObject | undefined;
}

/** A child, if it is this Gateway's and not that of an earlier one of its name. */
export function ownChild(view: ClusterView, kind: ClusterKind, gateway: Gateway): LiveObject | undefined {
  const live = namedChild(view, kind, gateway);
  return live !== undefined && ownershipOf(live, gateway) === 'owned' ? live : undefined;
}
