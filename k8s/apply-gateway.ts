import type { Gateway } from '../render/gateway-api.ts';
import { renderedName } from '../render/names.ts';
import type { ObjectKey, RenderedObject } from '../render/objects.ts';
import type { DataPlaneSubject } from '../render/subjects.ts';
import { applyObject, type WriteOptions } from './apply-object.ts';
import type { SubjectChange } from './binding.ts';
import type { Action, Change } from './change-set.ts';
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

/** Brings a change of subjects into the shared binding, at once or, without a result, later. */
export type ChangeSubjects = (change: SubjectChange) => Promise<Change | undefined>;

/** How a Gateway is applied. */
export interface GatewayOptions extends WriteOptions {
  readonly changeSubjects: ChangeSubjects;
  readonly onChange?: OnChange;
}

/**
 * Makes a Gateway's objects what is wanted: the ServiceAccount, then its rights, then what needs
 * them; last, what is not wanted any more goes. Returns what became of each.
 */
export async function applyGateway(
  transport: Transport,
  { gateway, objects, retain, shared }: WantedGateway,
  { changeSubjects, onChange, ...options }: GatewayOptions,
): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const tell = (change: Change | undefined): void => {
    if (change === undefined) return;
    changes.push(change);
    onChange?.(change);
  };
  let isForeignAccount = false;
  for (const object of objects) {
    if (isForeignAccount && object.kind === 'Deployment') {
      // Its pods would have whatever rights somebody else's account has.
      tell({
        object: childOf(gateway, object),
        action: 'retained',
        message: "its ServiceAccount is not gari's",
      });
      continue;
    }
    const change = await applyObject(transport, object, gateway, options);
    tell(change);
    if (object.kind === 'ServiceAccount') {
      isForeignAccount = change.action === 'conflict';
      const subjects = subjectsFor(gateway, shared, change.action);
      if (subjects !== undefined) tell(await changeSubjects(subjects));
    }
  }
  for (const { kind, namespace, name } of retain) {
    const object = { kind: kind as ClusterKind, name, ...(namespace === undefined ? {} : { namespace }) };
    tell({ object, action: 'retained', message: 'it cannot be rendered now' });
  }
  const keep = [...objects.map(({ kind, metadata }) => ({ kind, name: metadata.name })), ...retain];
  for (const change of await pruneChildren(transport, gateway, keep, options)) tell(change);
  return changes;
}

function childOf(
  { metadata: { namespace } }: Gateway,
  { kind, metadata: { name } }: RenderedObject,
): ClusterObject {
  return { kind: kind as ClusterKind, namespace, name };
}

/** Removes all that was made for a Gateway: its rights first. Returns what became of each. */
export async function deleteGatewayObjects(
  transport: Transport,
  gateway: Gateway,
  { changeSubjects, onChange, ...options }: GatewayOptions,
): Promise<readonly Change[]> {
  const revoked = await changeSubjects({ add: [], remove: [subjectOf(gateway)] });
  const changes = revoked === undefined ? [] : [revoked];
  for (const change of changes) onChange?.(change);
  const pruned = await pruneChildren(transport, gateway, [], options);
  for (const change of pruned) onChange?.(change);
  return [...changes, ...pruned];
}

/**
 * The right subjects of the binding after the ServiceAccount was applied. That it was is the proof that
 * it is the Gateway's own: a foreign one must never gain rights. Where it failed, nobody knows, and
 * a data plane that runs must not lose its rights for an API server that is busy.
 */
function subjectsFor(gateway: Gateway, shared: boolean, action: Action): SubjectChange | undefined {
  if (action === 'failed') return undefined;
  const subjects = [subjectOf(gateway)];
  return shared && action !== 'conflict' ? { add: subjects, remove: [] } : { add: [], remove: subjects };
}

function subjectOf({ metadata }: Gateway): DataPlaneSubject {
  return { kind: 'ServiceAccount', name: renderedName(metadata.name), namespace: metadata.namespace };
}
