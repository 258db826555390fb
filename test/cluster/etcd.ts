import { join } from 'node:path';
import { type Launcher, launchOnFreePorts } from './launch.ts';
import type { ManagedProcess } from './process.ts';

/** A running etcd and its client URL. */
export interface Etcd {
  readonly process: ManagedProcess;
  readonly url: string;
}

/** Starts an etcd that does not wait for the disk: its data is thrown away in any case. */
export async function startEtcd(launcher: Launcher): Promise<Etcd> {
  const url = (port: number) => `http://127.0.0.1:${port}`;
  const { process, ports } = await launchOnFreePorts<[number, number]>(launcher, 2, (client, peer) => ({
    name: 'etcd',
    args: [
      `--data-dir=${join(launcher.run.path, 'etcd')}`,
      '--unsafe-no-fsync',
      '--log-level=warn',
      `--listen-client-urls=${url(client)}`,
      `--advertise-client-urls=${url(client)}`,
      `--listen-peer-urls=${url(peer)}`,
      `--initial-advertise-peer-urls=${url(peer)}`,
      `--initial-cluster=default=${url(peer)}`,
    ],
    ready: async () => (await fetch(`${url(client)}/health`)).ok,
  }));
  return { process, url: url(ports[0]) };
}
