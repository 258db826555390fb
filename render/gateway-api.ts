// The part of the Gateway API that gari reads, as its v1 types spell it
// (https://gateway-api.sigs.k8s.io/reference/spec/). v1beta1 has the same shape.

/** The Gateway API's group. */
export const GATEWAY_API_GROUP = 'gateway.networking.k8s.io';

/** Metadata of an object as far as gari reads it. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  /** RFC 3339; absent in files. */
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
}

/** A reference from an object to the one it belongs to. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** Metadata of an object that lives in a namespace. */
export interface NamespacedMeta extends ObjectMeta {
  readonly namespace: string;
}

/** A request for a load balancer and the proxies behind it. */
export interface Gateway {
  readonly apiVersion: string;
  readonly kind: 'Gateway';
  readonly metadata: NamespacedMeta;
  readonly spec: GatewaySpec;
}

export interface GatewaySpec {
  readonly gatewayClassName: string;
  readonly listeners: readonly Listener[];
  readonly addresses?: readonly GatewayAddress[];
  readonly infrastructure?: Infrastructure;
  readonly allowedListeners?: AllowedListeners;
}

/** One port that a Gateway or a ListenerSet wants open. */
export interface Listener {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly hostname?: string;
}

/** An address that the Gateway asks for; `IPAddress` where no type is given. */
export interface GatewayAddress {
  readonly type?: string;
  readonly value?: string;
}

/** What the user wants on the objects made for the Gateway (GEP-1867). */
export interface Infrastructure {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly parametersRef?: ParametersReference;
}

export interface ParametersReference {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Which ListenerSets may add listeners; none by default (GEP-1713). */
export interface AllowedListeners {
  readonly namespaces?: {
    readonly from?: string;
    readonly selector?: LabelSelector;
  };
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Listeners that somebody else adds to a Gateway (GEP-1713). */
export interface ListenerSet {
  readonly apiVersion: string;
  readonly kind: 'ListenerSet';
  readonly metadata: NamespacedMeta;
  readonly spec: {
    readonly parentRef: ParentReference;
    readonly listeners: readonly Listener[];
  };
}

export interface ParentReference {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}

/** A kind of Gateway; its controllerName says who implements it. */
export interface GatewayClass {
  readonly apiVersion: string;
  readonly kind: 'GatewayClass';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly controllerName: string;
    readonly parametersRef?: ParametersReference;
  };
}

/** A namespace's leave for others to refer to its objects; v1 and v1beta1 alike. */
export interface ReferenceGrant {
  readonly apiVersion: string;
  readonly kind: 'ReferenceGrant';
  readonly metadata: NamespacedMeta;
  readonly spec: {
    readonly from: readonly { readonly group: string; readonly kind: string; readonly namespace: string }[];
    readonly to: readonly { readonly group: string; readonly kind: string; readonly name?: string }[];
  };
}

/** A Namespace, read for its labels. */
export interface Namespace {
  readonly apiVersion: string;
  readonly kind: 'Namespace';
  readonly metadata: ObjectMeta;
}
