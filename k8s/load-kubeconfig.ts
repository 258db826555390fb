import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import type { CredentialsOptions } from './credentials.ts';
import { NoCredentials } from './no-credentials.ts';

/** A kubeconfig with the context that was asked for, and that context's cluster. */
export interface LoadedKubeconfig {
  readonly config: KubeConfig;
  readonly cluster: NonNullable<ReturnType<KubeConfig['getCurrentCluster']>>;
}

/**
 * Reads the kubeconfig that kubectl would: the one that is named, else those in KUBECONFIG, else
 * `~/.kube/config`. Returns undefined if nobody names one and there is none.
 * @throws {NoCredentials} if it cannot be used.
 */
export async function loadKubeconfig(options: CredentialsOptions): Promise<LoadedKubeconfig | undefined> {
  const files = filesOf(options);
  if (files.length === 0) return undefined;
  // Takes a quarter of a second to load, so only where it is needed.
  const { KubeConfig } = await import('./kube-config.ts');
  const configs = files.map((file) => {
    const each = new KubeConfig();
    try {
      each.loadFromFile(file);
    } catch (error) {
      // What client-node makes of a file with nothing in it.
      const reason = error instanceof TypeError ? 'it is empty' : messageOf(error);
      throw new NoCredentials(`the kubeconfig ${file} cannot be read: ${reason}`, { cause: error });
    }
    return each;
  });
  const config = new KubeConfig();
  // As kubectl does, unlike client-node: what comes first stays.
  config.loadFromOptions({
    clusters: firstOfEachName(configs.flatMap((each) => each.clusters ?? [])),
    users: firstOfEachName(configs.flatMap((each) => each.users ?? [])),
    contexts: firstOfEachName(configs.flatMap((each) => each.contexts ?? [])),
    currentContext: options.context ?? configs.find((each) => each.currentContext)?.currentContext,
  });
  return { config, cluster: checkedCluster(config) };
}

function filesOf({ kubeconfig }: CredentialsOptions): readonly string[] {
  if (kubeconfig !== undefined) return [kubeconfig];
  const listed = (process.env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  const there = listed.filter((file) => existsSync(file));
  if (listed.length > 0 && there.length === 0)
    throw new NoCredentials(
      `the kubeconfig cannot be read: ${listed.join(' and ')} (KUBECONFIG) is not there`,
    );
  if (listed.length > 0) return there;
  const usual = join(homedir(), '.kube', 'config');
  return existsSync(usual) ? [usual] : [];
}

function firstOfEachName<Named extends { readonly name: string }>(all: readonly Named[]): Named[] {
  return all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index);
}

function checkedCluster(config: KubeConfig): LoadedKubeconfig['cluster'] {
  const name = config.getCurrentContext();
  const choose = '(--context, --kubeconfig or KUBECONFIG choose another)';
  const context = config.getContextObject(name);
  if (context === null) {
    const contexts = config.getContexts().map((each) => each.name);
    const what = name ? `has no context ${JSON.stringify(name)}` : 'names no current context';
    throw new NoCredentials(`the kubeconfig ${what}; it has ${contexts.join(', ') || 'none'} ${choose}`);
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw missing('cluster', context.cluster);
  if (config.getCurrentUser() === null) throw missing('user', context.user);
  if (!/^https?:\/\//.test(cluster.server) || !URL.canParse(cluster.server))
    throw new NoCredentials(`the kubeconfig's server ${JSON.stringify(cluster.server)} is no https:// URL`);
  if (cluster.proxyUrl !== undefined && !/^https?:/.test(cluster.proxyUrl))
    throw new NoCredentials(`the kubeconfig's proxy-url ${cluster.proxyUrl} is no HTTP proxy`);
  return cluster;

  function missing(what: string, value: string): NoCredentials {
    return new NoCredentials(
      `the kubeconfig's context ${JSON.stringify(name)} is of a ${what} ${JSON.stringify(value)}, which it has not ${choose}`,
    );
  }
}

/** The first line of what went wrong. */
export function messageOf(error: unknown): string {
  return (
    (error instanceof Error ? error.message : String(error)).trim().split('\n')[0] || 'no reason is given'
  );
}
