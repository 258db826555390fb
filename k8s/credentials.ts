import type { KubeConfig } from '@kubernetes/client-node';
import { loadKubeconfig, messageOf } from './load-kubeconfig.ts';
import { NoCredentials } from './no-credentials.ts';
import { podCredentials } from './pod-credentials.ts';

export { NoCredentials };

/** HTTP headers. */
export type Headers = Readonly<Record<string, string>>;

/** Where an API server is and who asks it. */
export interface Credentials {
  readonly server: string;
  /** PEM. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure: boolean;
  /** The name in the server's certificate, where it is not the host. */
  readonly serverName?: string;
  /** An HTTP proxy that the requests go through. */
  readonly proxy?: string;
  /** The headers that say who asks, as tokens change; with `refresh`, after the server refused the last ones. */
  readonly authorization: (refresh: boolean) => Promise<Headers>;
}

/** Where credentials are looked for. */
export interface CredentialsOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/**
 * Reads credentials as kubectl does: from a kubeconfig (with exec plugins), else those of the pod.
 * @throws {NoCredentials} if there are none.
 */
export async function loadCredentials(options: CredentialsOptions): Promise<Credentials> {
  const loaded = await loadKubeconfig(options);
  if (loaded === undefined) {
    const ofPod = options.context === undefined ? podCredentials() : undefined;
    if (ofPod !== undefined) return ofPod;
    throw new NoCredentials(
      'there is no kubeconfig: --kubeconfig and KUBECONFIG are not given, and ~/.kube/config is not there',
    );
  }
  const { config, cluster } = loaded;
  const { ca, cert, key, servername } = await applied(config);
  return {
    server: cluster.server,
    insecure: cluster.skipTLSVerify === true,
    ...(ca == null ? {} : { ca: String(ca) }),
    ...(cert == null ? {} : { cert: String(cert) }),
    ...(key == null ? {} : { key: String(key) }),
    ...(servername === undefined ? {} : { serverName: servername }),
    ...(cluster.proxyUrl === undefined ? {} : { proxy: cluster.proxyUrl }),
    authorization: remembered(async () => (await applied(config)).headers),
  };
}

interface Applied {
  readonly headers: Record<string, string>;
  readonly ca?: unknown;
  readonly cert?: unknown;
  readonly key?: unknown;
  readonly servername?: string;
}

/** What client-node makes of the current context; runs the exec plugin if there is one and its credential has expired. */
async function applied(config: KubeConfig): Promise<Applied> {
  const user = config.getCurrentUser();
  if (user?.exec !== undefined && user.exec !== null) tellPlugin(user.exec);
  const options: Applied = { headers: {} };
  try {
    await config.applyToHTTPSOptions(options as object);
  } catch (error) {
    const plugin = user?.exec?.command === undefined ? '' : ` from the plugin ${user.exec.command}`;
    // What client-node makes of an answer that is none.
    const isNone = plugin !== '' && (error instanceof TypeError || error instanceof SyntaxError);
    const reason = isNone ? 'it prints no ExecCredential with a status' : messageOf(error);
    throw new NoCredentials(`the credentials cannot be had${plugin}: ${reason}`, { cause: error });
  }
  return options;
}

interface Exec {
  readonly apiVersion?: string;
  env?: { name: string; value: string }[];
}

// What client-go tells its plugins and client-node does not; some refuse to work without it.
function tellPlugin(exec: Exec): void {
  const name = 'KUBERNETES_EXEC_INFO';
  const { apiVersion = 'client.authentication.k8s.io/v1', env } = exec;
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  const others = (env ?? []).filter((each) => each.name !== name);
  exec.env = [...others, { name, value: JSON.stringify(info) }];
}

const MAX_AGE_MS = 10_000;

// A plugin whose credential names no end would run for each request, and for all that are sent at a time.
function remembered(load: () => Promise<Headers>): Credentials['authorization'] {
  let headers: Promise<Headers> | undefined;
  let loadedAt = 0;
  return (refresh) => {
    if (headers === undefined || refresh || performance.now() - loadedAt > MAX_AGE_MS) {
      loadedAt = performance.now();
      headers = load();
      headers.catch(() => {
        headers = undefined;
      });
    }
    return headers;
  };
}
