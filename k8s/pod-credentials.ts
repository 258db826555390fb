import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from './credentials.ts';

const DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

// The kubelet renews a token when a fifth of its time is left, so a minute is soon enough.
const MAX_AGE_MS = 60_000;

/**
 * The credentials of the pod that this runs in; undefined outside of one. Its token changes, so it is
 * read again. Without client-node, which a controller need not hold in memory.
 */
export function podCredentials(
  env: Readonly<Record<string, string | undefined>> = process.env,
  directory = DIRECTORY,
): Credentials | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  const tokenFile = join(directory, 'token');
  if (host === undefined || !existsSync(tokenFile)) return undefined;
  let token = '';
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: readFileSync(join(directory, 'ca.crt'), 'utf8'),
    insecure: false,
    authorization: async (refresh) => {
      if (refresh || performance.now() - readAt > MAX_AGE_MS) {
        token = (await readFile(tokenFile, 'utf8')).trim();
        readAt = performance.now();
      }
      return { authorization: `Bearer ${token}` };
    },
  };
}
