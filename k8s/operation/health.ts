import type { FollowedState } from '../cache/cluster-cache.ts';
import { resourceName } from '../cache/resource-type.ts';
import type { Answer } from './health-server.ts';

/** Far longer than any watch is silent: bookmarks come each minute, and a watch that is silent is opened anew. */
const TOO_LONG_MS = 600_000;

/**
 * Whether this process can do its work at all: one that has been out of contact for ten minutes, for
 * whatever reason, is better started again.
 */
export function liveness(followed: readonly FollowedState[], now = performance.now()): Answer {
  return answer(
    followed.map((state) => {
      const silentMs = now - state.lastContact;
      const problem =
        silentMs > TOO_LONG_MS ? `out of contact for ${Math.round(silentMs / 1000)} s` : undefined;
      return { what: nameOf(state), problem: withReason(problem, state) };
    }),
  );
}

/** Whether everything is known that the work depends on. */
export function readiness(followed: readonly FollowedState[]): Answer {
  return answer(
    followed.map((state) => ({
      what: nameOf(state),
      problem: withReason(state.synced ? undefined : 'not read yet', state),
    })),
  );
}

function nameOf({ type, namespace }: FollowedState): string {
  return namespace === undefined ? resourceName(type) : `${resourceName(type)} in namespace ${namespace}`;
}

function withReason(problem: string | undefined, { lastError }: FollowedState): string | undefined {
  return problem === undefined || lastError === undefined ? problem : `${problem}: ${lastError}`;
}

/** In the form of the API server's own /readyz. */
function answer(checks: readonly { readonly what: string; readonly problem: string | undefined }[]): Answer {
  const lines = checks.map(({ what, problem }) =>
    problem === undefined ? `[+]${what} ok` : `[-]${what} ${problem}`,
  );
  const ok = checks.every(({ problem }) => problem === undefined);
  return { ok, body: `${[...lines, ok ? 'ok' : 'failed'].join('\n')}\n` };
}
