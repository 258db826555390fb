import { join } from 'node:path';
import { type ApiServer, startApiServer } from './apiserver.ts';
import { type Assets, findAssets, type Part } from './assets.ts';
import type { Report } from './build.ts';
import { type Client, createClient } from './client.ts';
import { startControllerManager, startScheduler } from './controllers.ts';
import { createCredentials, type User, writeKubeconfig } from './credentials.ts';
import { compactEtcd, startEtcd } from './etcd.ts';
import { startKwok } from './kwok.ts';
import type { Launcher } from './launch.ts';
import { installManifests, readManifests } from './manifests.ts';
import { installMetalLb, startMetalLb } from './metallb.ts';
import type { ManagedProcess } from './process.ts';
import { createRunDirectory, removeStaleRuns } from './run-directory.ts';
import { ClusterUnavailable } from './text.ts';

/** All that is needed to use a running cluster from any process; plain data. */
export interface ClusterInfo {
  readonly server: string;
  readonly ca: string;
  /** The admin's token. */
  readonly token: string;
  /** Path of the admin's kubeconfig. */
  readonly kubeconfig: string;
  readonly auditLog: string;
  /** Logs and keys; removed when the cluster stops. */
  readonly directory: string;
  readonly parts: readonly Part[];
  /** Path of a kubectl of the server's version; `kubectl` (on PATH) if there is none. */
  readonly kubectl: string;
}

/** A cluster that this process has started. */
export interface Cluster extends ClusterInfo {
  readonly client: Client;
  /** Ends the API server alone: SIGKILL is a crash, SIGTERM an orderly end. */
  stopApiServer(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Starts it again at the same address, with the same data. */
  startApiServer(): Promise<void>;
  /** Has etcd forget what has been: who follows the cluster from an earlier version has to read it anew (410). */
  compact(): Promise<void>;
  /** Ends everything and removes its files. */
  stop(): Promise<void>;
}

/** Options of {@link startCluster}. */
export interface ClusterOptions {
  /** Default: all that can be had. `[]` is etcd and the API server alone, which start fastest. */
  readonly parts?: readonly Part[];
  /** Gets progress lines. */
  readonly report?: Report;
}

/** Builds what is missing and starts a cluster. What it starts ends with this process at the latest. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const report = options.report ?? (() => {});
  for (const line of removeStaleRuns()) report(line);
  const assets = await findAssets(report, options.parts);
  const parts = options.parts ?? assets.parts;
  const absent = parts.filter((part) => !assets.parts.includes(part));
  if (absent.length > 0)
    throw new ClusterUnavailable(`KUBEBUILDER_ASSETS has nothing for: ${absent.join(', ')}`);

  const run = createRunDirectory();
  const launcher: Launcher = { assets, run };
  const processes: (() => ManagedProcess)[] = [];
  const stopAll = async () => {
    await Promise.all(processes.map((process) => process().stop()));
    run.remove();
  };
  try {
    const credentials = createCredentials(run.path);
    const etcd = await startEtcd(launcher);
    processes.push(() => etcd.process);
    const server = await startApiServer(launcher, etcd.url, credentials);
    processes.push(() => server.process);
    const kubeconfigs = (user: User) =>
      writeKubeconfig(join(run.path, `${user}.kubeconfig`), {
        ...server.connection,
        token: credentials.tokens[user],
      });
    const client = createClient(server.connection);
    const controllers = await startParts(parts, { launcher, client, kubeconfigs, credentials });
    processes.push(...controllers.map((process) => () => process));
    return {
      ...server.connection,
      kubeconfig: kubeconfigs('admin'),
      auditLog: server.auditLog,
      directory: run.path,
      parts,
      kubectl: kubectlIn(assets),
      client,
      ...apiServerControl(server),
      compact: () => compactEtcd(etcd.url),
      stop: stopAll,
    };
  } catch (error) {
    // The logs stay for reading; the next run removes them.
    await Promise.all(processes.map((process) => process().stop()));
    throw error;
  }
}

interface PartsContext {
  readonly launcher: Launcher;
  readonly client: Client;
  readonly kubeconfigs: (user: User) => string;
  readonly credentials: { readonly serviceAccountKey: string };
}

async function startParts(parts: readonly Part[], context: PartsContext): Promise<ManagedProcess[]> {
  const { launcher, client, kubeconfigs, credentials } = context;
  const has = (part: Part) => parts.includes(part);
  // Kinds come first: the garbage collector looks for new ones only every 30 s.
  await Promise.all([
    has('gateway-api') && installManifests(client, readManifests(launcher.assets.path('gateway-api-crds'))),
    has('metallb') && installMetalLb(launcher, client),
  ]);
  const started: Promise<ManagedProcess>[] = [];
  if (has('controller-manager')) {
    const kubeconfig = kubeconfigs('controller-manager');
    started.push(startControllerManager(launcher, client, kubeconfig, credentials.serviceAccountKey));
  }
  if (has('scheduler')) started.push(startScheduler(launcher, kubeconfigs('scheduler')));
  if (has('kwok')) started.push(startKwok(launcher, client, kubeconfigs('kwok')));
  if (has('metallb')) started.push(startMetalLb(launcher, client, kubeconfigs('metallb')));
  const results = await Promise.allSettled(started);
  const running = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await Promise.all(running.map((process) => process.stop()));
    throw failed.reason;
  }
  return running;
}

function apiServerControl(server: ApiServer): Pick<Cluster, 'startApiServer' | 'stopApiServer'> {
  return {
    stopApiServer: (signal = 'SIGTERM') => server.process.signal(signal),
    startApiServer: () => server.start(),
  };
}

function kubectlIn(assets: Assets): string {
  try {
    return assets.path('kubectl');
  } catch {
    return 'kubectl';
  }
}
