import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ClusterInfo } from './cluster/cluster.ts';

/** The way to a server, which can be closed. It carries bytes and knows nothing of what they mean. */
export interface NetworkLink {
  /** The server's address by this way. */
  readonly server: string;
  /** Breaks what is open, and refuses what comes. */
  cut(): void;
  /** Carries nothing any more, and says nothing about it: what is open stays open. */
  silence(): void;
  /** What comes now is carried; what was silenced stays so. */
  restore(): void;
}

/** Lays a way to a cluster's API server, for the running test. */
export async function networkLink({ server }: Pick<ClusterInfo, 'server'>): Promise<NetworkLink> {
  const { hostname, port, protocol } = new URL(server);
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'silent' = 'open';
  const listener = createServer((near) => {
    if (state === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    near.pipe(far).pipe(near);
    if (state === 'silent') mute(near, far);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return {
    server: `${protocol}//127.0.0.1:${(listener.address() as AddressInfo).port}`,
    cut: () => {
      state = 'cut';
      for (const socket of sockets) socket.resetAndDestroy();
    },
    silence: () => {
      state = 'silent';
      mute(...sockets);
    },
    restore: () => {
      state = 'open';
    },
  };
}

function mute(...sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.unpipe().pause();
}
