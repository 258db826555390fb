import type { Change } from './change-set.ts';
import { type ClusterObject, rbacName } from './resources.ts';
import { StatusError } from './status-error.ts';
import { UnreachableError } from './transport.ts';

/**
 * An error of one object as what became of it, in one line.
 * @throws what is no answer about this object: an unreachable server, a bug.
 */
export function failure(object: ClusterObject, verb: string, error: unknown): Change {
  if (error instanceof UnreachableError || !(error instanceof StatusError)) throw error;
  return { object, action: 'failed', message: explain(object, verb, error) };
}

function explain({ kind, namespace, name }: ClusterObject, verb: string, error: StatusError): string {
  if (error.code === 401) return 'the server does not take the credentials; they may have expired';
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const terminating = error.causes.some(({ reason }) => reason === 'NamespaceTerminating');
  if (terminating) return `namespace ${namespace} is being deleted`;
  if (error.code === 403) return `no right to ${verb} ${rbacName(kind)} ${name}${where}`;
  if (error.code === 404 && namespace !== undefined)
    return `namespace ${namespace} is not there; create it first`;
  return error.message;
}
