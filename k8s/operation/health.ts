import type { Answer } from './health-server.ts';

/** How one kind of object is followed, in all namespaces or in one. */
export interface FollowedState {
  readonly type: { readonly group: string; readonly plural: string };
  readonly namespace?: string;
  /** Whether everything of it has been read once. */
  readonly synced: boolean;
  /** When the server last gave a sign of life (ms, monotonic). */
  readonly lastContact: number;
  readonly lastError?: string;
}

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

/** A resource as RBAC names it: `listenersets.gateway.networking.k8s.io`. */
export function resourceOf({ type: { group, plural } }: FollowedState): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function nameOf(state: FollowedState): string {
  const resource = resourceOf(state);
  return state.namespace === undefined ? resource : `${resource} in namespace ${state.namespace}`;
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
