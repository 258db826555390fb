import { DEFAULT_CLASS_NAME } from '../../render/claim.ts';
import type { ListenerSet, ObjectMeta } from '../../render/gateway-api.ts';
import type { Json } from '../../render/json.ts';
import { parentKey } from '../../render/listener-sets.ts';
import { GATEWAY_ANNOTATION, gatewayKey } from '../../render/metadata.ts';
import { renderedName } from '../../render/names.ts';
import { parametersKey } from '../../render/parameters/resolve.ts';
import { subjectKey } from '../../render/subjects.ts';
import { canonical } from '../canonical.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedClass, ObservedGateway } from '../status/observed.ts';
import { type ClusterView, gatewayIndexKey, gatewayLabelOf } from './cluster-view.ts';
import { ownPart } from './own-part.ts';
import { BINDING_KEY, classQueueKey, gatewayQueueKey } from './queue-key.ts';
import type { ServiceEvent } from './service-warning.ts';

/** A change of an object in the cluster: without `before` it is new, without `after` it is gone. */
export interface Changed {
  readonly kind: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The keys of what a change concerns: everything that it influences, and nothing else. */
export function concernedBy(view: ClusterView, { kind, before, after }: Changed): readonly string[] {
  const rule = RULES[kind];
  return rule === undefined ? [] : [...new Set(rule(view, before, after))];
}

type Rule = (view: ClusterView, before: unknown, after: unknown) => readonly string[];

const RULES: Readonly<Record<string, Rule>> = {
  Gateway: rule<ObservedGateway>((view, before, after) => {
    const gateway = after ?? before;
    if (gateway === undefined || (before && after && same(partOf(before), partOf(after)))) return [];
    const { namespace, name } = gateway.metadata;
    const namesakes = gatewaysBy(view, 'renderedName', `${namespace}/${renderedName(name)}`);
    const others = before === undefined || after === undefined ? namesakes : [];
    // One that is gone has taken a subject with it.
    return [gatewayQueueKey(gatewayKey(gateway)), ...others, ...(after === undefined ? [BINDING_KEY] : [])];
  }),

  GatewayClass: rule<ObservedClass>((view, before, after) => {
    const name = (after ?? before)?.metadata.name ?? '';
    const status = after === undefined ? [] : [classQueueKey(name)];
    if (same(specOf(before), specOf(after))) return same(before?.status, after?.status) ? [] : status;
    // Whether there is any class at all decides about the one of gari's name.
    const classes = before === undefined || after === undefined ? [name, DEFAULT_CLASS_NAME] : [name];
    return [...status, ...classes.flatMap((each) => gatewaysBy(view, 'class', each))];
  }),

  DataPlane: rule<LiveObject>((view, before, after) => {
    const object = after ?? before;
    if (object === undefined || same(specOf(before), specOf(after))) return [];
    const { namespace = '', name } = object.metadata;
    const key = parametersKey({ kind: 'DataPlane', namespace, name });
    const classes = view.store('GatewayClass').by('parameters', key) as readonly ObservedClass[];
    return [
      ...gatewaysBy(view, 'parameters', key),
      ...classes.flatMap(({ metadata }) => [
        classQueueKey(metadata.name),
        ...gatewaysBy(view, 'class', metadata.name),
      ]),
    ];
  }),

  ListenerSet: rule<ListenerSet>((_, before, after) => {
    if (same(specOf(before), specOf(after))) return [];
    return [before, after].flatMap((each) => {
      const parent = each === undefined ? undefined : parentKey(each);
      return parent === undefined ? [] : [gatewayQueueKey(parent)];
    });
  }),

  Namespace: rule<LiveObject>((view, before, after) => {
    if (same(before?.metadata.labels, after?.metadata.labels)) return [];
    const name = (after ?? before)?.metadata.name ?? '';
    const listenerSets = view.store('ListenerSet').by('namespace', name) as readonly ListenerSet[];
    return listenerSets.flatMap((each) => {
      const [namespace, gatewayName = ''] = (parentKey(each) ?? '').split('/');
      const gateway = view.store('Gateway').get(namespace, gatewayName) as ObservedGateway | undefined;
      const from = gateway?.spec.allowedListeners?.namespaces?.from;
      return gateway !== undefined && from === 'Selector' ? [gatewayQueueKey(gatewayKey(gateway))] : [];
    });
  }),

  ServiceAccount: rule<LiveObject>((view, before, after) => {
    const isSame = same(before?.metadata.ownerReferences, after?.metadata.ownerReferences);
    const keys = childOf(view, before, after);
    return before && after && isSame ? keys : [...keys, BINDING_KEY];
  }),
  RoleBinding: rule<LiveObject>(childOf),
  Deployment: rule<LiveObject>(childOf),
  Service: rule<LiveObject>(childOf),

  Event: rule<ServiceEvent>((view, _, after) => {
    if (after === undefined) return [];
    const { namespace = '' } = after.metadata;
    return gatewaysBy(view, 'renderedName', `${namespace}/${after.involvedObject.name}`);
  }),

  ClusterRoleBinding: rule<LiveObject>((view, before, after) => {
    const [was, is] = [before, after].map((binding) => new Set((binding?.subjects ?? []).map(subjectKey)));
    const isOther = before === undefined || after === undefined || !same(before.roleRef, after.roleRef);
    const gateways = [...view.store('Gateway').list()] as readonly ObservedGateway[];
    const concerned = gateways.filter(({ metadata: { namespace, name } }) => {
      const key = subjectKey({ kind: 'ServiceAccount', namespace, name: renderedName(name) });
      return isOther || was?.has(key) !== is?.has(key);
    });
    return [BINDING_KEY, ...concerned.map((gateway) => gatewayQueueKey(gatewayKey(gateway)))];
  }),
};

// Stores hold what the API server has checked.
function rule<T>(concerned: (view: ClusterView, before?: T, after?: T) => readonly string[]): Rule {
  return (view, before, after) => concerned(view, before as T | undefined, after as T | undefined);
}

/** The Gateways that a child is of: by owner, annotation and label, before and now. */
function childOf(view: ClusterView, before?: LiveObject, after?: LiveObject): readonly string[] {
  return [before, after].flatMap((child) => {
    if (child === undefined) return [];
    const { namespace = '', ownerReferences, annotations } = child.metadata;
    const owner = ownerReferences?.find(({ kind, controller }) => controller === true && kind === 'Gateway');
    const named = annotations?.[GATEWAY_ANNOTATION];
    const label = gatewayLabelOf(child);
    return [
      ...(owner === undefined ? [] : [gatewayQueueKey(`${namespace}/${owner.name}`)]),
      ...(named === undefined || named.split('/')[0] !== namespace ? [] : [gatewayQueueKey(named)]),
      ...(label === undefined ? [] : gatewaysBy(view, 'label', gatewayIndexKey(namespace, label))),
    ];
  });
}

function gatewaysBy(view: ClusterView, index: string, value: string): readonly string[] {
  const gateways = view.store('Gateway').by(index, value) as readonly ObservedGateway[];
  return gateways.map((gateway) => gatewayQueueKey(gatewayKey(gateway)));
}

/** What of a Gateway matters: not the status of its listeners, which others write all the time. */
function partOf(gateway: ObservedGateway): Json {
  const { uid, generation = 0, deletionTimestamp = '', annotations } = gateway.metadata;
  const ours = Object.entries(annotations ?? {}).filter(([key]) => key.startsWith('gari.dev/'));
  return [uid, generation, deletionTimestamp, Object.fromEntries(ours), ownPart(gateway)];
}

function specOf(object: { readonly metadata: ObjectMeta } | undefined): Json {
  if (object === undefined) return null;
  const { uid = '', generation = 0 } = object.metadata as ObjectMeta & { generation?: number };
  return [uid, generation];
}

function same(a: unknown, b: unknown): boolean {
  return canonical((a ?? null) as Json) === canonical((b ?? null) as Json);
}
