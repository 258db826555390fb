import type { Listener } from './gateway-api.ts';

/** Why two listeners cannot both be served, in the Gateway API's words. */
export type ConflictReason = 'ProtocolConflict' | 'HostnameConflict';

// What can share a port, told apart by hostname. TCP-based protocols of two groups cannot share one.
const GROUPS: Readonly<Record<string, string>> = {
  HTTP: 'HTTP',
  HTTPS: 'TLS',
  TLS: 'TLS',
  TCP: 'TCP',
  UDP: 'UDP',
};

/** The protocols that gari knows. */
export const PROTOCOLS: ReadonlySet<string> = new Set(Object.keys(GROUPS));

/** Why two listeners cannot be told apart, or undefined if they can. */
export function conflictOf(a: Listener, b: Listener): ConflictReason | undefined {
  if (a.port !== b.port || isUdp(a) !== isUdp(b)) return undefined;
  if (GROUPS[a.protocol] !== GROUPS[b.protocol]) return 'ProtocolConflict';
  // TCP and UDP know no hostnames, whatever the listener says.
  if (a.protocol === 'TCP' || a.protocol === 'UDP') return 'ProtocolConflict';
  return hostnameOf(a) === hostnameOf(b) ? 'HostnameConflict' : undefined;
}

function isUdp(listener: Listener): boolean {
  return listener.protocol === 'UDP';
}

function hostnameOf({ hostname = '' }: Listener): string {
  return hostname.toLowerCase();
}
