import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Chooses a number of ports; tests choose ones that are taken. */
export type ChoosePorts = (count: number) => Promise<number[]>;

/**
 * Ports on 127.0.0.1 that are free now. Another process can take one before it is used: whoever starts
 * something on it tries again with other ports (`launchOnFreePorts`).
 */
export async function freePorts(count: number): Promise<number[]> {
  // All are held open until all are known, so that no two are equal.
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
