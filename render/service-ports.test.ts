import { describe, expect, it } from 'vitest';
import type { Gateway } from './gateway-api.ts';
import type { ListenerEntry } from './listener-entry.ts';
import { servicePorts } from './service-ports.ts';

/** Listeners as `HTTP 80`, in their order, all of one Gateway. */
function entries(...texts: string[]): ListenerEntry[] {
  const listeners = texts.map((text) => {
    const [protocol = '', port] = text.split(' ');
    return { name: text, protocol, port: Number(port) };
  });
  const object: Gateway = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace: 'prod' },
    spec: { gatewayClassName: 'gari', listeners },
  };
  return listeners.map((listener, index) => ({ listener, index, owner: { object } }));
}
const DATA_PLANE = { http: 8000, https: 8443, tls: 8443, ready: 8081, http3: true };
const portsOf = (...texts: string[]) => servicePorts(entries(...texts), DATA_PLANE);

describe('servicePorts', () => {
  it.each<[string, string[], string[], number | undefined, string[]]>([
    // Title, listeners, `name port/protocol→target`, HTTP/3 port, problems.
    ['HTTP', ['HTTP 80'], ['http-80 80/TCP→8000'], undefined, []],
    ['HTTPS, with HTTP/3', ['HTTPS 443'], ['https-443 443/TCP→8443', 'https-443-udp 443/UDP→8443'], 443, []],
    ['TLS, without', ['TLS 443'], ['tls-443 443/TCP→8443'], undefined, []],
    ['TCP', ['TCP 5432'], ['tcp-5432 5432/TCP→5432'], undefined, []],
    ['UDP', ['UDP 5514'], ['udp-5514 5514/UDP→5514'], undefined, []],
    ['the last privileged port', ['TCP 1023'], ['tcp-1023 1023/TCP→11023'], undefined, []],
    ['the first that is not', ['TCP 1024'], ['tcp-1024 1024/TCP→1024'], undefined, []],
    ['DNS', ['UDP 53', 'TCP 53'], ['tcp-53 53/TCP→10053', 'udp-53 53/UDP→10053'], undefined, []],
    [
      'sorted by port, not by order',
      ['HTTP 8080', 'HTTPS 443', 'HTTP 80'],
      [
        'http-80 80/TCP→8000',
        'https-443 443/TCP→8443',
        'https-443-udp 443/UDP→8443',
        'http-8080 8080/TCP→8000',
      ],
      443,
      [],
    ],
    ['several on one port, once', ['HTTP 80', 'HTTP 80', 'HTTP 80'], ['http-80 80/TCP→8000'], undefined, []],
    [
      'TLS before HTTPS on one port: the name of the first',
      ['TLS 443', 'HTTPS 443'],
      ['tls-443 443/TCP→8443', 'https-443-udp 443/UDP→8443'],
      443,
      [],
    ],
    [
      'two HTTPS ports: none to advertise',
      ['HTTPS 443', 'HTTPS 8443'],
      [
        'https-443 443/TCP→8443',
        'https-443-udp 443/UDP→8443',
        'https-8443 8443/TCP→8443',
        'https-8443-udp 8443/UDP→8443',
      ],
      undefined,
      [],
    ],
    [
      'one HTTPS port of two listeners',
      ['HTTPS 443', 'HTTPS 443'],
      ['https-443 443/TCP→8443', 'https-443-udp 443/UDP→8443'],
      443,
      [],
    ],
    [
      'UDP wins over HTTP/3 on its port',
      ['HTTPS 443', 'UDP 443'],
      ['https-443 443/TCP→8443', 'udp-443 443/UDP→10443'],
      undefined,
      ['PortUnavailable spec.listeners[0]'],
    ],
    [
      'UDP takes HTTP/3 from one of two HTTPS ports: still two HTTPS ports',
      ['HTTPS 443', 'HTTPS 444', 'UDP 443'],
      [
        'https-443 443/TCP→8443',
        'udp-443 443/UDP→10443',
        'https-444 444/TCP→8443',
        'https-444-udp 444/UDP→8443',
      ],
      undefined,
      ['PortUnavailable spec.listeners[0]'],
    ],
    [
      'the longest name has 15 characters',
      ['HTTPS 65535'],
      ['https-65535 65535/TCP→8443', 'https-65535-udp 65535/UDP→8443'],
      65535,
      [],
    ],
  ])('%s', (_, listeners, expected, http3Port, problems) => {
    const result = portsOf(...listeners);
    expect(
      result.ports.map(({ name, port, protocol, targetPort }) => `${name} ${port}/${protocol}→${targetPort}`),
    ).toEqual(expected);
    expect(result.http3Port).toBe(http3Port);
    expect(result.diagnostics.map(({ reason, field }) => `${reason} ${field}`)).toEqual(problems);
    expect(result.listeners).toHaveLength(result.ports.length);
  });

  it.each<[string, string[], string[], string[]]>([
    // Title, listeners, those that are served, those that are not.
    ['the port for HTTP', ['TCP 8000'], [], ['TCP 8000']],
    ['the port for TLS', ['TCP 8443'], [], ['TCP 8443']],
    ['the port for HTTP/3', ['UDP 8443'], [], ['UDP 8443']],
    ['the port of the probe', ['TCP 8081'], [], ['TCP 8081']],
    ['these ports in the other transport', ['UDP 8000', 'UDP 8081'], ['UDP 8000', 'UDP 8081'], []],
    ['a port that is shifted to one of another', ['TCP 53', 'TCP 10053'], ['TCP 10053'], ['TCP 53']],
    ['the same in the other order', ['TCP 10053', 'TCP 53'], ['TCP 10053'], ['TCP 53']],
    ['the same in the other transport', ['UDP 53', 'TCP 10053'], ['UDP 53', 'TCP 10053'], []],
    ['the same for UDP', ['UDP 53', 'UDP 10053'], ['UDP 10053'], ['UDP 53']],
    // The Service's own port of these is free: only their container ports are taken.
    [
      'HTTP on any of them',
      ['HTTP 8000', 'HTTP 8443', 'HTTP 8081'],
      ['HTTP 8000', 'HTTP 8081', 'HTTP 8443'],
      [],
    ],
  ])('of what needs %s', (_, listeners, served, out) => {
    const result = portsOf(...listeners);
    expect(result.listeners.map(({ listener }) => listener.name).sort()).toEqual([...served].sort());
    expect(result.diagnostics.map(({ severity, reason }) => `${severity} ${reason}`)).toEqual(
      out.map(() => 'warning PortUnavailable'),
    );
    for (const [index, name] of out.entries()) {
      expect(result.diagnostics[index]?.field).toBe(`spec.listeners[${listeners.indexOf(name)}]`);
    }
  });

  it('says who has the port', () => {
    expect(portsOf('TCP 53', 'TCP 10053', 'TCP 8081').diagnostics.map(({ message }) => message)).toEqual([
      '(TCP 53) is left out, PortUnavailable: its container port 10053/TCP is that of listener TCP 10053',
      '(TCP 8081) is left out, PortUnavailable: its container port 8081/TCP is that of the data plane itself',
    ]);
    expect(portsOf('HTTPS 443', 'UDP 443').diagnostics.map(({ message }) => message)).toEqual([
      '(HTTPS 443) is served without HTTP/3: UDP port 443 is that of listener UDP 443',
    ]);
  });

  it('an HTTPS port whose UDP listener cannot be served has HTTP/3', () => {
    const { ports, http3Port } = portsOf('HTTPS 8443', 'UDP 8443');
    expect(ports.map(({ name }) => name)).toEqual(['https-8443', 'https-8443-udp']);
    expect(http3Port).toBe(8443);
  });

  it('serves no HTTP/3 where the data plane does not, and leaves its UDP port to others', () => {
    const without = servicePorts(entries('HTTPS 443', 'UDP 8443'), { ...DATA_PLANE, http3: false });
    expect(without.ports.map(({ name }) => name)).toEqual(['https-443', 'udp-8443']);
    expect([without.http3Port, without.diagnostics]).toEqual([undefined, []]);
  });

  it('serves HTTPS and TLS on ports of their own, and so not both on one', () => {
    const own = { ...DATA_PLANE, tls: 9443 };
    const apart = servicePorts(entries('HTTPS 443', 'TLS 8883', 'TCP 9443'), own);
    expect(apart.ports.map(({ port, targetPort }) => [port, targetPort])).toEqual([
      [443, 8443],
      [443, 8443],
      [8883, 9443],
    ]);
    expect(apart.diagnostics.map(({ field }) => field)).toEqual(['spec.listeners[2]']);
    const together = servicePorts(entries('TLS 443', 'HTTPS 443'), own);
    expect(together.ports.map(({ name }) => name)).toEqual(['tls-443']);
    expect(together.diagnostics.map(({ message }) => message)).toEqual([
      '(HTTPS 443) is left out, PortUnavailable: port 443/TCP goes to container port 9443 for listener TLS 443',
    ]);
  });

  it('is nothing where nothing is served', () =>
    expect(portsOf()).toEqual({ ports: [], listeners: [], diagnostics: [] }));
});
