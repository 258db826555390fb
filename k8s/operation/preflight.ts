import { setTimeout as delay } from 'node:timers/promises';
import type { WatchedResource } from '../cache/cluster-cache.ts';
import { collectionPath, resourceName } from '../cache/resource-type.ts';
import { getObject } from '../live-object.ts';
import { StatusError } from '../status-error.ts';
import type { Transport } from '../transport.ts';
import type { Log } from './log.ts';

/** What a controller needs of its cluster. */
export interface Needs {
  readonly resources: readonly WatchedResource[];
  /** Only these are asked about; default: the whole cluster. */
  readonly namespaces?: readonly string[];
  /** None in a scope of namespaces, where nobody uses it. */
  readonly bindingName?: string;
}

/** The cluster is not as the controller needs it; the message names all of it in one line. */
export class NotInstalled extends Error {
  override readonly name = 'NotInstalled';
}

const LONGEST_WAIT_MS = 30_000;

/**
 * Asks, as the controller will, for one object of each kind, so that what is missing is said by name at
 * once: a CRD, a right, the shared binding. A server that cannot answer now is asked again, without end.
 * @throws {NotInstalled} if something is missing.
 */
export async function preflight(
  transport: Transport,
  needs: Needs,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  for (let waitMs = 1_000; !signal.aborted; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      const problems = await problemsOf(transport, needs, signal);
      if (problems.length > 0) throw new NotInstalled(problems.join('; '));
      return;
    } catch (error) {
      if (error instanceof NotInstalled) throw error;
      if (signal.aborted) return;
      log.error({ error, retryAfterMs: waitMs }, 'the cluster cannot be asked what it has');
    }
    await delay(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

async function problemsOf(
  transport: Transport,
  { resources, namespaces, bindingName }: Needs,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const scopes = (resource: WatchedResource): readonly (string | undefined)[] =>
    namespaces === undefined ? [undefined] : resource.type.namespaced ? namespaces : [];
  const [ofBinding, ...ofLists] = await Promise.all([
    bindingName === undefined ? undefined : bindingProblem(transport, bindingName),
    ...resources.flatMap((resource) =>
      scopes(resource).map((namespace) => listProblem(transport, resource, namespace, signal)),
    ),
  ]);
  const problems = [...ofLists, ofBinding].filter((problem) => problem !== undefined);
  return [...new Set(problems)];
}

async function listProblem(
  transport: Transport,
  resource: WatchedResource,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { type, otherVersions = [], optional, labelSelector, fieldSelector } = resource;
  const name = resourceName(type);
  for (const version of [type.version, ...otherVersions]) {
    try {
      const query = { limit: '1', labelSelector, fieldSelector };
      await transport.request('GET', collectionPath({ ...type, version }, namespace), { query, signal });
      return undefined;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
      if (error.code === 403) return `no right to list ${name}${where}`;
      if (error.code === 401) return 'the server does not take the credentials; they may have expired';
      if (error.code !== 404) throw error;
    }
  }
  return optional ? undefined : `the cluster has no ${name}: install the Gateway API's CRDs`;
}

async function bindingProblem(transport: Transport, name: string): Promise<string | undefined> {
  const what = `clusterrolebindings.rbac.authorization.k8s.io ${name}`;
  try {
    const found = await getObject(transport, { kind: 'ClusterRoleBinding', name });
    return found === undefined
      ? `the cluster has no ${what}; gari install --only=data-plane-rbac prints it`
      : undefined;
  } catch (error) {
    if (error instanceof StatusError && error.code === 403) return `no right to get ${what}`;
    throw error;
  }
}
