// A cluster in memory, for tests of what only reads it.
import type { StoredObject } from '../cache/store.ts';
import type { ClusterView } from './cluster-view.ts';
import { watchedResources } from './watched.ts';

interface TestObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** A view of these objects, found by the indexes of what the controller follows. */
export function viewOf(...objects: readonly object[]): ClusterView {
  const all = objects as readonly TestObject[];
  return {
    store(kind) {
      const items = all.filter((object) => object.kind === kind);
      const indexes =
        watchedResources('gari-dataplane').find(({ type }) => type.kind === kind)?.indexes ?? {};
      return {
        get: (namespace, name) =>
          items.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace),
        list: () => items,
        by: (index, value) =>
          items.filter((object) => indexes[index]?.(object as unknown as StoredObject).includes(value)),
      };
    },
  };
}

/** A Gateway as a server has it. */
export function gateway(name = 'web', spec: object = {}, metadata: object = {}) {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: {
      name,
      namespace: 'prod',
      uid: `uid-${name}`,
      resourceVersion: '1',
      generation: 1,
      ...metadata,
    },
    spec: {
      gatewayClassName: 'gari',
      listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
      ...spec,
    },
  } as const;
}

/** A GatewayClass. */
export function gatewayClass(name: string, controllerName = 'gari.dev/gateway-controller') {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name, uid: `uid-${name}`, resourceVersion: '1', generation: 1 },
    spec: { controllerName },
  } as const;
}

/** A child that the controller made for a Gateway. */
export function child(
  kind: 'ServiceAccount' | 'Deployment' | 'Service',
  of: ReturnType<typeof gateway>,
  { labels = {}, ...metadata }: { readonly labels?: object; readonly [key: string]: unknown } = {},
) {
  const { name, namespace, uid } = of.metadata;
  const owner = { apiVersion: of.apiVersion, kind: 'Gateway', name, uid, controller: true };
  return {
    apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
    kind,
    metadata: {
      name: `${name}-gari`,
      namespace,
      uid: `uid-${kind}-${name}`,
      resourceVersion: '1',
      labels: {
        'app.kubernetes.io/managed-by': 'gari',
        'gari.dev/component': 'dataplane',
        'gateway.networking.k8s.io/gateway-name': name,
        'gateway.networking.k8s.io/gateway-class-name': of.spec.gatewayClassName,
        ...labels,
      },
      annotations: { 'gari.dev/gateway': `${namespace}/${name}` },
      ownerReferences: [owner],
      ...metadata,
    },
  } as const;
}
