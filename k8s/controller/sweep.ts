import { ownClassNames } from '../../render/claim.ts';
import type { Gateway, GatewayClass } from '../../render/gateway-api.ts';
import { isJsonList, isJsonObject, type Json } from '../../render/json.ts';
import { GATEWAY_ANNOTATION, GATEWAY_CLASS_LABEL, MANAGED_BY_LABEL } from '../../render/metadata.ts';
import { labelValue } from '../../render/names.ts';
import type { Change } from '../change-set.ts';
import { FIELD_MANAGER } from '../field-manager.ts';
import { getObject, type LiveObject } from '../live-object.ts';
import { pruneChildren } from '../prune.ts';
import type { Transport } from '../transport.ts';
import { CHILD_KINDS, type ChildKind, type ClusterView } from './cluster-view.ts';
import type { PlanOptions } from './plan.ts';

/** What a sweep works with. */
export interface SweepTools {
  readonly transport: Transport;
  readonly view: ClusterView;
  readonly dryRun: boolean;
}

/** An object that no event will ever lead to, as its Gateway is gone. */
interface Leftover {
  readonly kind: ChildKind;
  readonly object: LiveObject;
  /** Its Gateway, as it says itself. */
  readonly gateway: { readonly namespace: string; readonly name: string };
}

/**
 * Deletes what is left of Gateways that are gone and that garbage collection does not take: objects that the
 * controller applied, which have lost their owner, as after a deletion with `--cascade=orphan`. Returns what
 * became of each.
 */
export async function sweep(
  { transport, view, dryRun }: SweepTools,
  options: PlanOptions,
  signal: AbortSignal,
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const { kind, object, gateway } of leftovers(view, options)) {
    // A cache can be behind, and this cannot be taken back.
    if ((await getObject(transport, { kind: 'Gateway', ...gateway })) !== undefined) continue;
    const gone: Gateway = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: gateway,
      spec: { gatewayClassName: '', listeners: [] },
    };
    const pruned = await pruneChildren(transport, gone, [], {
      dryRun,
      listChildren: async (_, each) => (each === kind ? [object] : []),
    });
    changes.push(...pruned);
    signal.throwIfAborted();
  }
  return changes;
}

function leftovers(view: ClusterView, options: PlanOptions): readonly Leftover[] {
  const classes = ownClassNames([...view.store('GatewayClass').list()] as GatewayClass[], options);
  const labels = new Set([...classes].map(labelValue));
  return CHILD_KINDS.flatMap((kind) =>
    ([...view.store(kind).list()] as LiveObject[]).flatMap((object) => {
      const gateway = orphanOf(object, labels);
      if (gateway === undefined || view.store('Gateway').get(gateway.namespace, gateway.name)) return [];
      return [{ kind, object, gateway }];
    }),
  );
}

/** The Gateway that an object without an owner was of, if a controller of this install applied it. */
function orphanOf({ metadata }: LiveObject, classes: ReadonlySet<string>): Leftover['gateway'] | undefined {
  const { labels = {}, annotations = {}, ownerReferences = [], deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined || ownerReferences.length > 0) return undefined;
  const isOurs = labels[MANAGED_BY_LABEL] === 'gari' && classes.has(labels[GATEWAY_CLASS_LABEL] ?? '');
  // What a GitOps tool applied is its to delete, and its Gateway may still come.
  if (!isOurs || !isApplied(metadata)) return undefined;
  const [namespace, name, ...more] = (annotations[GATEWAY_ANNOTATION] ?? '').split('/');
  if (namespace !== metadata.namespace || name === undefined || more.length > 0) return undefined;
  return { namespace: namespace ?? '', name };
}

function isApplied(metadata: object): boolean {
  const { managedFields } = metadata as { managedFields?: Json };
  return (
    isJsonList(managedFields) &&
    managedFields
      .filter(isJsonObject)
      .some(({ manager, operation }) => manager === FIELD_MANAGER && operation === 'Apply')
  );
}
