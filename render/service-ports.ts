import type { Diagnostic } from './diagnostic.ts';
import type { JsonObject } from './json.ts';
import { describeListener, type ListenerEntry, leftOut, listenerWarning } from './listener-entry.ts';
import { itemKey } from './merge.ts';

/** The container ports of a data plane that do not depend on listeners. */
export interface DataPlanePorts {
  /** Where plain HTTP is served, over TCP. */
  readonly http: number;
  /** Where HTTPS is served over TCP and HTTP/3 over UDP. */
  readonly https: number;
  /** Where other TLS is served over TCP; it may be the same port. */
  readonly tls: number;
  /** Where the readiness probe asks, over TCP. */
  readonly ready: number;
  /** Whether HTTP/3 is served. */
  readonly http3: boolean;
}

type Transport = 'TCP' | 'UDP';

/** One port of the Service. */
export interface ServicePort extends JsonObject {
  readonly name: string;
  readonly port: number;
  readonly protocol: Transport;
  readonly targetPort: number;
}

/** The Service's ports and what had to be left out. */
export interface ServicePorts {
  /** By port, TCP before UDP. */
  readonly ports: readonly ServicePort[];
  /** The listener that each port comes from first, in the order of `ports`. */
  readonly listeners: readonly ListenerEntry[];
  /** The port that HTTP/3 is to be advertised on: the only HTTPS port, if HTTP/3 is served there. */
  readonly http3Port?: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface Candidate {
  readonly entry: ListenerEntry;
  readonly port: ServicePort;
}

/** The Service ports of listeners in order of precedence: one for each port and transport. */
export function servicePorts(listeners: readonly ListenerEntry[], dataPlane: DataPlanePorts): ServicePorts {
  const { available, diagnostics } = withFreeTargets(listeners, dataPlane);
  const ports = new Map<string, Candidate>();
  const notServed = new Set<ListenerEntry>();
  for (const entry of available) {
    const port = mainPort(entry, dataPlane);
    const key = portKey(port);
    const there = ports.get(key);
    if (there === undefined) ports.set(key, { entry, port });
    else if (there.port.targetPort !== port.targetPort) {
      const why = `port ${port.port}/${port.protocol} goes to container port ${there.port.targetPort} for ${describeListener(there.entry, entry)}`;
      diagnostics.push(leftOut(entry, 'PortUnavailable', why));
      notServed.add(entry);
    }
  }
  const https = new Map<number, ListenerEntry>();
  for (const entry of available.filter((each) => !notServed.has(each))) {
    if (entry.listener.protocol === 'HTTPS' && !https.has(entry.listener.port))
      https.set(entry.listener.port, entry);
  }
  const http3: number[] = [];
  for (const [number, entry] of dataPlane.http3 ? https : []) {
    const port: ServicePort = {
      name: `https-${number}-udp`,
      port: number,
      protocol: 'UDP',
      targetPort: dataPlane.https,
    };
    const taken = ports.get(portKey(port));
    if (taken === undefined) {
      ports.set(portKey(port), { entry, port });
      http3.push(number);
    } else diagnostics.push(withoutHttp3(entry, taken.entry));
  }
  const sorted = [...ports.values()].sort((a, b) => comparePorts(a.port, b.port));
  const [only] = http3;
  return {
    ports: sorted.map(({ port }) => port),
    listeners: sorted.map(({ entry }) => entry),
    ...(https.size === 1 && only !== undefined ? { http3Port: only } : {}),
    diagnostics,
  };
}

// A target below 1024 would need privileges that a container should not have.
function shifted(port: number): number {
  return port < 1024 ? port + 10000 : port;
}

function mainPort({ listener }: ListenerEntry, dataPlane: DataPlanePorts): ServicePort {
  const { port, protocol } = listener;
  const transport = protocol === 'UDP' ? 'UDP' : 'TCP';
  const target = { HTTP: dataPlane.http, HTTPS: dataPlane.https, TLS: dataPlane.tls }[protocol];
  return {
    name: `${protocol.toLowerCase()}-${port}`,
    port,
    protocol: transport,
    targetPort: target ?? shifted(port),
  };
}

/** Without the TCP and UDP listeners whose target another listener or the data plane itself has. */
function withFreeTargets(
  listeners: readonly ListenerEntry[],
  dataPlane: DataPlanePorts,
): { available: ListenerEntry[]; diagnostics: Diagnostic[] } {
  const taken = new Map<string, ListenerEntry | 'data plane'>([
    [targetKey(dataPlane.http, 'TCP'), 'data plane'],
    [targetKey(dataPlane.https, 'TCP'), 'data plane'],
    [targetKey(dataPlane.tls, 'TCP'), 'data plane'],
    ...(dataPlane.http3 ? [[targetKey(dataPlane.https, 'UDP'), 'data plane'] as const] : []),
    [targetKey(dataPlane.ready, 'TCP'), 'data plane'],
  ]);
  const claim = (entry: ListenerEntry): void => {
    const { targetPort, protocol } = mainPort(entry, dataPlane);
    const key = targetKey(targetPort, protocol);
    if (!taken.has(key)) taken.set(key, entry);
  };
  const isForwarded = ({ listener: { protocol } }: ListenerEntry) => protocol === 'TCP' || protocol === 'UDP';
  const forwarded = listeners.filter(isForwarded);
  // The listener whose own port the target is comes before one that is shifted there.
  for (const entry of forwarded) if (entry.listener.port >= 1024) claim(entry);
  for (const entry of forwarded) claim(entry);

  const diagnostics: Diagnostic[] = [];
  const available = listeners.filter((entry) => {
    if (!isForwarded(entry)) return true;
    const { targetPort, protocol } = mainPort(entry, dataPlane);
    const holder = taken.get(targetKey(targetPort, protocol));
    if (holder === entry || holder === undefined) return true;
    const who = holder === 'data plane' ? 'the data plane itself' : describeListener(holder, entry);
    diagnostics.push(
      leftOut(entry, 'PortUnavailable', `its container port ${targetPort}/${protocol} is that of ${who}`),
    );
    return false;
  });
  return { available, diagnostics };
}

function withoutHttp3(https: ListenerEntry, udp: ListenerEntry): Diagnostic {
  const { port } = https.listener;
  const message = `is served without HTTP/3: UDP port ${port} is that of ${describeListener(udp, https)}`;
  return listenerWarning(https, 'PortUnavailable', message);
}

function portKey(port: ServicePort): string {
  return itemKey(port, ['port', 'protocol']);
}

function targetKey(port: number, transport: Transport): string {
  return `${port}/${transport}`;
}

function comparePorts(a: ServicePort, b: ServicePort): number {
  return a.port - b.port || (a.protocol === b.protocol ? 0 : a.protocol === 'TCP' ? -1 : 1);
}
