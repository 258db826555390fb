import type { Gateway } from '../render/gateway-api.ts';
import { renderedName } from '../render/names.ts';
import type { ObjectKey, RenderedObject } from '../render/objects.ts';
import { ownershipOf } from '../render/ownership.ts';
import type { DataPlaneSubject } from '../render/subjects.ts';
import { applyObject, type WriteOptions } from './apply-object.ts';
import { changeSubjects } from './binding.ts';
import { type Change, isProblem } from './change-set.ts';
import { getObject } from './live-object.ts';
import { pruneChildren } from './prune.ts';
import type { ClusterKind, ClusterObject } from './resources.ts';
import type { Transport } from './transport.ts';

/** What is wanted of one Gateway. */
export interface WantedGateway {
  /** With the uid that it has in the cluster. */
  readonly gateway: Gateway;
  readonly objects: readonly RenderedObject[];
  /** Objects that stay as they are, although they cannot be rendered now. */
  readonly retain: readonly ObjectKey[];
  /** Whether its ServiceAccount is to be a subject of the shared binding. */
  readonly shared: boolean;
}

/** Tells of each change when it is done. */
export type OnChange = (change: Change) => void;

/**
 * Makes a Gateway's objects what is wanted: the ServiceAccount, then its rights, then what needs
 * them; last, what is not wanted any more goes.
 */
export async function applyGateway(
  transport: Transport,
  { gateway, objects, retain, shared }: WantedGateway,
  bindingName: string,
  options: WriteOptions,
  onChange: OnChange,
): Promise<void> {
  for (const object of objects) {
    const change = await applyObject(transport, object, gateway, options);
    onChange(change);
    if (object.kind === 'ServiceAccount') {
      // A foreign ServiceAccount must never gain rights, and one that is not there needs none.
      const add =
        shared && !isProblem(change) && (options.dryRun || (await isOurs(transport, gateway, options)))
          ? [subjectOf(gateway)]
          : [];
      const remove = add.length === 0 ? [subjectOf(gateway)] : [];
      onChange(await changeSubjects(transport, bindingName, { add, remove }, options));
    }
  }
  for (const { kind, namespace, name } of retain) {
    const object = { kind: kind as ClusterKind, name, ...(namespace === undefined ? {} : { namespace }) };
    onChange({ object, action: 'retained', message: 'the Gateway has no listener that can be served' });
  }
  const keep = [...objects.map(({ kind, metadata }) => ({ kind, name: metadata.name })), ...retain];
  for (const change of await pruneChildren(transport, gateway, keep, options)) onChange(change);
}

/** Removes all that was made for a Gateway: its rights first. */
export async function deleteGatewayObjects(
  transport: Transport,
  gateway: Gateway,
  bindingName: string,
  options: WriteOptions,
  onChange: OnChange,
): Promise<void> {
  const change = { add: [], remove: [subjectOf(gateway)] };
  onChange(await changeSubjects(transport, bindingName, change, options));
  for (const pruned of await pruneChildren(transport, gateway, [], options)) onChange(pruned);
}

function subjectOf({ metadata }: Gateway): DataPlaneSubject {
  return { kind: 'ServiceAccount', name: renderedName(metadata.name), namespace: metadata.namespace };
}

async function isOurs(transport: Transport, gateway: Gateway, { read }: WriteOptions): Promise<boolean> {
  const { namespace, name } = gateway.metadata;
  const object: ClusterObject = { kind: 'ServiceAccount', namespace, name: renderedName(name) };
  const live = await (read?.(object) ?? getObject(transport, object));
  return live !== undefined && ownershipOf(live, gateway) === 'owned';
}
