import { describe, expect, it } from 'vitest';
import { effectiveListeners } from './effective-listeners.ts';
import type { Gateway, Listener, ListenerSet } from './gateway-api.ts';

/** A listener as `HTTP 80 example.com`, named as it is written. */
function listener(text: string): Listener {
  const [protocol = '', port, hostname] = text.split(' ');
  return { name: text, protocol, port: Number(port), ...(hostname === undefined ? {} : { hostname }) };
}
const gateway = (...listeners: string[]): { object: Gateway } => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace: 'prod' },
    spec: { gatewayClassName: 'gari', listeners: listeners.map(listener) },
  },
});
const listenerSet = (name: string, ...listeners: string[]): { object: ListenerSet } => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'ListenerSet',
    metadata: { name, namespace: 'prod' },
    spec: { parentRef: { name: 'web' }, listeners: listeners.map(listener) },
  },
});
const effective = (...owners: [{ object: Gateway }, ...{ object: ListenerSet }[]]) => {
  const [first, ...sets] = owners;
  const { listeners, diagnostics } = effectiveListeners(first, sets);
  return {
    served: listeners.map(({ listener: { name }, owner }) => `${owner.object.metadata.name}: ${name}`),
    problems: diagnostics.map(
      ({ severity, reason, object, field }) => `${severity} ${reason} ${object?.name} ${field}`,
    ),
    messages: diagnostics.map(({ message }) => message),
  };
};

describe('two listeners of one Gateway', () => {
  it.each<[string, string, string | undefined]>([
    // HTTP with HTTP, HTTPS and TLS with each other: told apart by hostname.
    ['HTTP 80 a.example.com', 'HTTP 80 b.example.com', undefined],
    ['HTTP 80', 'HTTP 80 a.example.com', undefined],
    ['HTTP 80 a.example.com', 'HTTP 80 a.example.com', 'HostnameConflict'],
    ['HTTP 80 a.example.com', 'HTTP 80 A.Example.COM', 'HostnameConflict'],
    ['HTTP 80', 'HTTP 80', 'HostnameConflict'],
    ['HTTP 80 *.example.com', 'HTTP 80 a.example.com', undefined],
    ['HTTPS 443 a.example.com', 'TLS 443 b.example.com', undefined],
    ['HTTPS 443 a.example.com', 'TLS 443 a.example.com', 'HostnameConflict'],
    ['HTTPS 443', 'HTTPS 443 a.example.com', undefined],
    // TCP-based protocols of two groups on one port.
    ['HTTP 80 a.example.com', 'HTTPS 80 b.example.com', 'ProtocolConflict'],
    ['HTTP 80', 'TLS 80', 'ProtocolConflict'],
    ['HTTP 80', 'TCP 80', 'ProtocolConflict'],
    ['HTTPS 443', 'TCP 443', 'ProtocolConflict'],
    ['TLS 443', 'TCP 443', 'ProtocolConflict'],
    // TCP and UDP know no hostnames.
    ['TCP 53', 'TCP 53', 'ProtocolConflict'],
    ['TCP 53 a.example.com', 'TCP 53 b.example.com', 'ProtocolConflict'],
    ['UDP 53', 'UDP 53', 'ProtocolConflict'],
    // UDP conflicts with no TCP-based protocol.
    ['UDP 53', 'TCP 53', undefined],
    ['UDP 80', 'HTTP 80', undefined],
    ['UDP 443', 'HTTPS 443', undefined],
    ['UDP 443', 'TLS 443', undefined],
    // Another port.
    ['HTTP 80', 'HTTPS 443', undefined],
    ['HTTP 80', 'HTTP 8080', undefined],
    ['TCP 53', 'TCP 5353', undefined],
  ])('%s and %s: %s', (a, b, reason) => {
    for (const pair of [
      [a, b],
      [b, a],
    ] as const) {
      const { served, problems } = effective(gateway(...pair));
      expect(served).toEqual(reason === undefined ? pair.map((each) => `web: ${each}`) : []);
      expect(problems).toEqual(
        reason === undefined ? [] : [0, 1].map((index) => `warning ${reason} web spec.listeners[${index}]`),
      );
    }
  });
});

it('among three of one Gateway, the one that conflicts with none stays', () => {
  const { served } = effective(gateway('HTTP 80 a', 'HTTP 80 b', 'HTTP 80 a'));
  expect(served).toEqual(['web: HTTP 80 b']);
});

it('a protocol that nobody knows is out, and in nobody’s way', () => {
  const { served, problems, messages } = effective(gateway('example.com/quic 80', 'HTTP 80', 'http 81'));
  expect(served).toEqual(['web: HTTP 80']);
  expect(problems).toEqual([
    'warning UnsupportedProtocol web spec.listeners[0]',
    'warning UnsupportedProtocol web spec.listeners[2]',
  ]);
  expect(messages[0]).toBe(
    '(example.com/quic 80) is left out, UnsupportedProtocol: gari knows HTTP, HTTPS, TLS, TCP and UDP, not example.com/quic',
  );
});

describe('between a Gateway and its ListenerSets the one earlier in order stays', () => {
  it('the Gateway before its ListenerSets, these in their order', () => {
    const { served, problems } = effective(
      gateway('HTTP 80'),
      listenerSet('first', 'HTTP 80', 'TCP 5432'),
      listenerSet('second', 'TCP 5432', 'HTTP 80 a.example.com'),
      listenerSet('third', 'HTTPS 80'),
    );
    expect(served).toEqual(['web: HTTP 80', 'first: TCP 5432', 'second: HTTP 80 a.example.com']);
    expect(problems).toEqual([
      'warning HostnameConflict first spec.listeners[0]',
      'warning ProtocolConflict second spec.listeners[0]',
      'warning ProtocolConflict third spec.listeners[0]',
    ]);
  });

  it('within one ListenerSet there is no winner', () => {
    const { served } = effective(gateway('HTTP 81'), listenerSet('first', 'HTTP 80', 'HTTPS 80', 'TCP 90'));
    expect(served).toEqual(['web: HTTP 81', 'first: TCP 90']);
  });

  it('what is out itself is in nobody’s way', () => {
    const { served } = effective(
      gateway('HTTP 80', 'HTTPS 80'),
      listenerSet('first', 'HTTP 80'),
      listenerSet('second', 'HTTP 80'),
    );
    expect(served).toEqual(['first: HTTP 80']);
  });

  it('says whose listener it is that stays', () => {
    const { messages } = effective(
      gateway('HTTP 80', 'HTTP 81', 'TCP 81'),
      listenerSet('first', 'HTTP 80', 'TCP 80'),
    );
    expect(messages).toEqual([
      '(HTTP 81) is left out, ProtocolConflict: HTTP cannot share port 81 with TCP of listener TCP 81',
      '(TCP 81) is left out, ProtocolConflict: TCP cannot share port 81 with HTTP of listener HTTP 81',
      '(HTTP 80) is left out, ProtocolConflict: HTTP cannot share port 80 with TCP of listener TCP 80',
      '(TCP 80) is left out, ProtocolConflict: TCP cannot share port 80 with HTTP of listener HTTP 80',
    ]);
    expect(effective(gateway('HTTP 80'), listenerSet('first', 'HTTP 80')).messages).toEqual([
      '(HTTP 80) is left out, HostnameConflict: listener HTTP 80 of Gateway prod/web has the same port and no hostname either',
    ]);
    expect(effective(gateway('HTTP 80 a'), listenerSet('first', 'HTTP 80 a')).messages).toEqual([
      '(HTTP 80 a) is left out, HostnameConflict: listener HTTP 80 a of Gateway prod/web has the same port and hostname',
    ]);
  });
});
