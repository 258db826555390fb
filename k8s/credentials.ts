import { readFileSync } from 'node:fs';

/** Where an API server is and who asks it. */
export interface Credentials {
  readonly server: string;
  /** PEM. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure: boolean;
  /** The headers that say who asks, fresh for each request: tokens change. */
  readonly authorization: () => Promise<Readonly<Record<string, string>>>;
}

/** No credentials are to be had; the message says why in one line. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials';
}

/**
 * Reads credentials as kubectl does: a kubeconfig (with exec plugins), or those of the pod.
 * @throws {NoCredentials} if there are none.
 */
export async function loadCredentials(options: {
  readonly kubeconfig?: string;
  readonly context?: string;
}): Promise<Credentials> {
  // Takes a quarter of a second to load, so only where it is needed.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  try {
    if (options.kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(options.kubeconfig);
    if (options.context !== undefined) config.setCurrentContext(options.context);
  } catch (error) {
    throw new NoCredentials(`the kubeconfig cannot be read: ${messageOf(error)}`, { cause: error });
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null || config.getContextObject(config.getCurrentContext()) === null) {
    const contexts = config.getContexts().map(({ name }) => name);
    throw new NoCredentials(
      `the kubeconfig has no context ${JSON.stringify(config.getCurrentContext())}; it has ${contexts.join(', ') || 'none'} (--context, --kubeconfig or KUBECONFIG choose another)`,
    );
  }
  const read = (data: string | undefined, file: string | undefined): string | undefined =>
    data !== undefined ? Buffer.from(data, 'base64').toString() : file && readFileSync(file, 'utf8');
  const user = config.getCurrentUser();
  const ca = read(cluster.caData, cluster.caFile);
  const cert = read(user?.certData, user?.certFile);
  const key = read(user?.keyData, user?.keyFile);
  return {
    server: cluster.server,
    insecure: cluster.skipTLSVerify === true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    authorization: async () => {
      const request: { headers: Record<string, string> } = { headers: {} };
      try {
        await config.applyToHTTPSOptions(request);
      } catch (error) {
        throw new NoCredentials(`the credentials cannot be had: ${messageOf(error)}`, { cause: error });
      }
      return request.headers;
    },
  };
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
