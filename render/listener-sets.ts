import { type Diagnostic, diagnose, subjectOf } from './diagnostic.ts';
import { GATEWAY_API_GROUP, type Gateway, type ListenerSet, type Namespace } from './gateway-api.ts';
import { matchSelector } from './label-selector.ts';
import { gatewayKey } from './metadata.ts';
import { compareText } from './normalize.ts';
import type { Sourced } from './source.ts';

/** The ListenerSets that add listeners to a Gateway, in order of precedence. */
export interface AttachedListenerSets {
  readonly listenerSets: readonly Sourced<ListenerSet>[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The children of a Gateway (ListenerSets that name it as their parent) that its `allowedListeners`
 * lets in, oldest first, then by namespace and name (GEP-1713).
 */
export function attachedListenerSets(
  gateway: Sourced<Gateway>,
  children: readonly Sourced<ListenerSet>[],
  namespaces: ReadonlyMap<string, Namespace>,
): AttachedListenerSets {
  const diagnostics: Diagnostic[] = [];
  const from = gateway.object.spec.allowedListeners?.namespaces?.from ?? 'None';
  if (children.length === 0 && from !== 'None') {
    diagnostics.push(
      diagnose(
        'warning',
        'NeedsCluster',
        subjectOf(gateway),
        ['spec', 'allowedListeners'],
        'lets ListenerSets add listeners, and the input holds none for this Gateway: needs-cluster to know whether there are some',
      ),
    );
  }
  const attached = [...children].sort(byAge).filter((child) => {
    const allowed = isAllowed(gateway.object, child.object, namespaces);
    if (allowed === true) return true;
    diagnostics.push(
      allowed === 'unknown'
        ? diagnose(
            'warning',
            'NeedsCluster',
            subjectOf(child),
            ['spec', 'parentRef'],
            `is not accepted: whether Gateway ${gatewayKey(gateway.object)} allows it depends on the labels of Namespace ${child.object.metadata.namespace}, which is not in the input: needs-cluster`,
          )
        : diagnose(
            'warning',
            'NotAllowed',
            subjectOf(child),
            ['spec', 'parentRef'],
            `is not accepted: Gateway ${gatewayKey(gateway.object)} does not allow ListenerSets of namespace ${child.object.metadata.namespace} (its spec.allowedListeners.namespaces.${from === 'Selector' ? 'selector does not match' : `from is ${from}`})`,
          ),
    );
    return false;
  });
  return { listenerSets: attached, diagnostics };
}

/** `<namespace>/<name>` of the Gateway that a ListenerSet belongs to, if its parent is one. */
export function parentKey({ metadata, spec }: ListenerSet): string | undefined {
  const {
    group = GATEWAY_API_GROUP,
    kind = 'Gateway',
    namespace = metadata.namespace,
    name,
  } = spec.parentRef;
  return group === GATEWAY_API_GROUP && kind === 'Gateway' ? `${namespace}/${name}` : undefined;
}

function isAllowed(
  gateway: Gateway,
  listenerSet: ListenerSet,
  namespaces: ReadonlyMap<string, Namespace>,
): boolean | 'unknown' {
  const { from = 'None', selector } = gateway.spec.allowedListeners?.namespaces ?? {};
  const { namespace } = listenerSet.metadata;
  switch (from) {
    case 'All':
      return true;
    case 'Same':
      return namespace === gateway.metadata.namespace;
    case 'Selector': {
      // As everywhere in Kubernetes: no selector selects nothing, an empty one everything.
      if (selector === undefined) return false;
      // The API server sets this label on every Namespace (KEP-2161).
      const name = { 'kubernetes.io/metadata.name': namespace };
      const known = namespaces.get(namespace);
      return matchSelector(selector, { ...known?.metadata.labels, ...name }, known !== undefined);
    }
    default:
      return false;
  }
}

function byAge(a: Sourced<ListenerSet>, b: Sourced<ListenerSet>): number {
  const [metaA, metaB] = [a.object.metadata, b.object.metadata];
  return (
    compareText(metaA.creationTimestamp ?? '', metaB.creationTimestamp ?? '') ||
    compareText(metaA.namespace, metaB.namespace) ||
    compareText(metaA.name, metaB.name)
  );
}
