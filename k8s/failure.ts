import { DATA_PLANE_ROLE } from '../render/subjects.ts';
import type { Change } from './change-set.ts';
import { UnsendableText } from './json-body.ts';
import { type ClusterObject, rbacName } from './resources.ts';
import { StatusError } from './status-error.ts';

/**
 * An error of one object as what became of it, in one line.
 * @throws what is no answer about this object: an unreachable server, credentials that it does not take, a bug.
 */
export function failure(object: ClusterObject, error: unknown): Change {
  if (error instanceof UnsendableText) {
    return { object, action: 'failed', message: error.message, terminal: true };
  }
  if (!(error instanceof StatusError) || error.code === 401) throw error;
  return { object, action: 'failed', message: explain(object, error), terminal: error.isTerminal };
}

function explain(object: ClusterObject, error: StatusError): string {
  const { namespace } = object;
  const terminating = error.causes.some(({ reason }) => reason === 'NamespaceTerminating');
  if (terminating) return `namespace ${namespace} is being deleted`;
  if (error.code === 403) return missingRight(object, error);
  if (error.code === 404 && object.kind === 'Gateway' && error.reason !== 'NotFound')
    return "the Gateway API's CRDs are not installed in this cluster";
  if (error.code === 404 && namespace !== undefined)
    return `namespace ${namespace} is not there; create it first`;
  return error.message.replaceAll(/\s*\n\s*/g, ' ');
}

/** Which right is missing: the verb in the server's words, as one request can need two. */
function missingRight({ kind, namespace, name }: ClusterObject, { message }: StatusError): string {
  if (message.includes('attempting to grant')) {
    return `no right to bind ClusterRole ${DATA_PLANE_ROLE}, which a change of its subjects needs`;
  }
  // Of the admission plugin OwnerReferencesPermissionEnforcement, where an object is adopted.
  const owner = message.includes("on a resource you can't delete") ? 'delete' : undefined;
  const verb = owner ?? /cannot (\w+) resource/.exec(message)?.[1];
  if (verb === undefined) return message;
  const what = [rbacName(kind), name].filter((word) => word !== '').join(' ');
  return `no right to ${verb} ${what}${namespace === undefined ? '' : ` in namespace ${namespace}`}`;
}
