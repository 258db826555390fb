import { ownClassNames } from '../../render/claim.ts';
import type { Diagnostic } from '../../render/diagnostic.ts';
import { effectiveListeners } from '../../render/effective-listeners.ts';
import type { GatewayClass, ListenerSet, Namespace } from '../../render/gateway-api.ts';
import { attachedListenerSets } from '../../render/listener-sets.ts';
import { GATEWAY_CLASS_LABEL, gatewayKey } from '../../render/metadata.ts';
import { labelValue, renderedName } from '../../render/names.ts';
import type { ObjectKey, RenderedObject } from '../../render/objects.ts';
import { ownershipOf } from '../../render/ownership.ts';
import { type RenderResult, render } from '../../render/render.ts';
import type { LiveObject } from '../live-object.ts';
import { acceptedVerdict } from '../status/accepted.ts';
import type { Verdict } from '../status/conditions.ts';
import type { ObservedGateway } from '../status/observed.ts';
import { CHILD_KINDS, type ClusterView, labelledChildren } from './cluster-view.ts';
import type { LoadedParameters } from './parameters-loader.ts';

/** What decides which Gateways are ours, and how they are rendered. */
export interface PlanOptions {
  readonly controllerName: string;
  readonly classNames: readonly string[];
  readonly image: string;
  readonly bindingName: string;
  /** Only Gateways of these namespaces, and no request for anything outside them; default: the whole cluster. */
  readonly namespaces?: readonly string[];
}

/** `keep`: what there is stays, as nobody knows now what is wanted. */
export type SubjectPlan = 'wanted' | 'keep' | 'none';

/** It is gone, or going. */
export interface NothingToDo {
  readonly whose: 'nobody';
}

/** Another controller's, with what is left of it from a time when it was ours. */
export interface ForeignPlan {
  readonly whose: 'other';
  readonly gateway: ObservedGateway;
  readonly leftovers: readonly LiveObject[];
}

/** What is to be done for a Gateway of ours. */
export interface OwnPlan {
  readonly gateway: ObservedGateway;
  readonly objects: readonly RenderedObject[];
  readonly retain: readonly ObjectKey[];
  readonly subject: SubjectPlan;
  readonly accepted: Verdict;
  readonly attachedListenerSets: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly provenanceOf: RenderResult['provenanceOf'];
}

/** Whose a Gateway is: `claimed` ones are ours, and to be rendered. */
export type Claimed =
  | NothingToDo
  | ForeignPlan
  | { readonly whose: 'ours'; readonly gateway: ObservedGateway };

/** Says whose a Gateway is, from what the cluster holds. */
export function claimGateway(
  view: ClusterView,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  options: PlanOptions,
): Claimed {
  const gateway = view.store('Gateway').get(namespace, name) as ObservedGateway | undefined;
  if (gateway === undefined || gateway.metadata.deletionTimestamp !== undefined) return { whose: 'nobody' };
  const home = view.store('Namespace').get(undefined, namespace) as Namespace | undefined;
  // All in it goes, and nothing new can be made there.
  if (home?.metadata.deletionTimestamp !== undefined) return { whose: 'nobody' };
  const classes = ownClassNames([...view.store('GatewayClass').list()] as GatewayClass[], options);
  return classes.has(gateway.spec.gatewayClassName)
    ? { whose: 'ours', gateway }
    : { whose: 'other', gateway, leftovers: leftoversOf(view, gateway, classes) };
}

/** Says what is to be done for a Gateway of ours. Asks nobody and changes nothing. */
export function planGateway(
  view: ClusterView,
  gateway: ObservedGateway,
  parameters: LoadedParameters,
  options: PlanOptions,
): OwnPlan {
  const { namespace, name } = gateway.metadata;
  const key = gatewayKey(gateway);
  const listenerSets = sourced(view.store('ListenerSet').by('parent', key) as readonly ListenerSet[]);
  const namespaces = listenerSets.flatMap(({ object }) => {
    const found = view.store('Namespace').get(undefined, object.metadata.namespace) as Namespace | undefined;
    return found === undefined ? [] : [found];
  });
  const result = render(
    {
      gateways: sourced(
        view.store('Gateway').by('renderedName', `${namespace}/${renderedName(name)}`) as ObservedGateway[],
      ),
      gatewayClasses: sourced([...view.store('GatewayClass').list()] as GatewayClass[]),
      listenerSets,
      referenceGrants: [],
      namespaces: sourced(namespaces),
      // The apply engine sees for itself whose the objects are that are there.
      existing: [],
      clusterRoleBindings: [],
      ...parameters,
    },
    { ...options, gateway: key, scope: options.namespaces === undefined ? 'cluster' : 'namespaces' },
  );
  const diagnostics = result.diagnostics.filter((diagnostic) => concerns(diagnostic, gateway));
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  const objects = result.objects.get(key) ?? [];
  const attached = attachedListenerSets(
    { object: gateway },
    listenerSets,
    new Map(namespaces.map((each) => [each.metadata.name, each])),
  );
  const { listeners } = effectiveListeners({ object: gateway }, attached.listenerSets);
  const adding = new Set(listeners.map(({ owner }) => owner.object).filter((owner) => owner !== gateway));
  return {
    gateway,
    objects: failed ? [] : objects,
    // What is wrong now must not take away what was right before.
    retain: failed ? [...result.retain, ...objects.map((object) => keyOf(object, namespace))] : result.retain,
    subject:
      failed || result.retainSubjects.length > 0 ? 'keep' : result.subjects.length > 0 ? 'wanted' : 'none',
    accepted: acceptedVerdict(gateway, diagnostics, claimOf(options)),
    attachedListenerSets: adding.size,
    diagnostics,
    provenanceOf: result.provenanceOf,
  };
}

// With one Gateway in the input, nobody knows whether a class is used; and others are planned on their own.
function concerns({ reason, object }: Diagnostic, gateway: ObservedGateway): boolean {
  if (object === undefined || reason === 'ForeignClass' || reason === 'NeedsCluster') return false;
  const isOther = object.namespace !== gateway.metadata.namespace || object.name !== gateway.metadata.name;
  return object.kind !== 'Gateway' || !isOther;
}

function claimOf({ controllerName, bindingName }: PlanOptions): string {
  return `claimed by ${controllerName} with ClusterRoleBinding ${bindingName}`;
}

/**
 * What is left of a class of ours. What has the label of the class that the Gateway has now is not: it is
 * another install's, or of a class that is not ours any more, whose data planes keep running.
 */
function leftoversOf(
  view: ClusterView,
  gateway: ObservedGateway,
  ownClasses: ReadonlySet<string>,
): readonly LiveObject[] {
  const labels = new Set([...ownClasses].map(labelValue));
  return CHILD_KINDS.flatMap((kind) =>
    labelledChildren(view, gateway, kind).filter((child) => {
      const label = child.metadata.labels?.[GATEWAY_CLASS_LABEL];
      return label !== undefined && labels.has(label) && ownershipOf(child, gateway) !== 'foreign';
    }),
  );
}

function keyOf({ apiVersion, kind, metadata }: RenderedObject, namespace: string): ObjectKey {
  return { apiVersion, kind, namespace, name: metadata.name };
}

function sourced<T>(objects: readonly T[]): readonly { readonly object: T }[] {
  return objects.map((object) => ({ object }));
}
