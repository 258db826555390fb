import { basename, join } from 'node:path';
import { type Launcher, launchOnFreePorts } from './launch.ts';
import { type ChoosePorts, freePorts } from './ports.ts';
import type { ManagedProcess } from './process.ts';

/** A running etcd and its client URL. */
export interface Etcd {
  readonly process: ManagedProcess;
  readonly url: string;
}

/** Starts an etcd that does not wait for the disk: its data is thrown away in any case. */
export async function startEtcd(launcher: Launcher, choose: ChoosePorts = freePorts): Promise<Etcd> {
  const name = basename(launcher.run.path);
  const url = (port: number) => `http://127.0.0.1:${port}`;
  const program = (client: number, peer: number) => ({
    name: 'etcd',
    args: [
      `--name=${name}`,
      `--data-dir=${join(launcher.run.path, 'etcd')}`,
      '--unsafe-no-fsync',
      '--log-level=warn',
      `--listen-client-urls=${url(client)}`,
      `--advertise-client-urls=${url(client)}`,
      `--listen-peer-urls=${url(peer)}`,
      `--initial-advertise-peer-urls=${url(peer)}`,
      `--initial-cluster=${name}=${url(peer)}`,
    ],
    // Asked for its name: on a port that was taken meanwhile, another run's etcd might answer.
    ready: async () => {
      const answer = await fetch(`${url(client)}/v3/cluster/member/list`, { method: 'POST', body: '{}' });
      return (await answer.text()).includes(`"${name}"`);
    },
  });
  const { process, ports } = await launchOnFreePorts<[number, number]>(launcher, 2, program, choose);
  return { process, url: url(ports[0]) };
}

/** Drops all versions but the present one. */
export async function compactEtcd(url: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`etcd ${path}: ${text}`);
    return JSON.parse(text) as { header: { revision: string } };
  };
  const { header } = await post('/v3/kv/range', { key: 'AA==' });
  await post('/v3/kv/compaction', { revision: header.revision, physical: true });
}
