/** A kind of object, as the API server serves it. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** What objects of a type have as their apiVersion. */
export function apiVersionOf({ group, version }: ResourceType): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path of all objects of a type, or of those of one namespace. */
export function collectionPath(type: ResourceType, namespace: string | undefined): string {
  const api = `${type.group === '' ? '/api' : '/apis'}/${apiVersionOf(type)}`;
  return `${api}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${type.plural}`;
}

/** A type as RBAC names it: `listenersets.gateway.networking.k8s.io`. */
export function resourceName({ group, plural }: Pick<ResourceType, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}
