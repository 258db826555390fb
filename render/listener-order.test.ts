import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gateway, Listener, ListenerSet } from './gateway-api.ts';
import { unknownOrder } from './listener-order.ts';

/** A listener as `HTTP 80 example.com`. */
function listener(text: string): Listener {
  const [protocol = '', port, hostname] = text.split(' ');
  return { name: text, protocol, port: Number(port), ...(hostname === undefined ? {} : { hostname }) };
}
const gateway = (...listeners: string[]): Gateway => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: { gatewayClassName: 'gari', listeners: listeners.map(listener) },
});
const set = (name: string, age: string | undefined, ...listeners: string[]): ListenerSet => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'ListenerSet',
  metadata: { name, namespace: 'team', ...(age === undefined ? {} : { creationTimestamp: age }) },
  spec: { parentRef: { name: 'web' }, listeners: listeners.map(listener) },
});
const diagnosticsOf = (web: Gateway, ...sets: ListenerSet[]) =>
  unknownOrder(
    { object: web },
    sets.map((object) => ({ object })),
    { http: 8000, https: 8443, tls: 8443, ready: 8081, http3: true },
  );
const [OLD, YOUNG] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];

describe('two ListenerSets of unknown age', () => {
  it.each<[string, string[], string[], boolean]>([
    // Title, listeners of the first, of the second, whether their order decides something.
    ['on two ports', ['HTTP 80'], ['HTTP 81'], false],
    ['with two hostnames on one port', ['HTTP 80 a'], ['HTTP 80 b'], false],
    ['with one hostname on one port', ['HTTP 80 a'], ['HTTP 80 a'], true],
    ['with protocols in conflict', ['HTTP 80'], ['HTTPS 80'], true],
    ['with a conflict in one of several', ['HTTP 80', 'TCP 90'], ['HTTP 81', 'TCP 90'], true],
    ['with TCP and UDP on one port', ['TCP 53'], ['UDP 53'], false],
    // The one whose own port it is stays in either order.
    ['with a port shifted to that of the other', ['TCP 53'], ['TCP 10053'], false],
    ['with UDP on the port of HTTP/3', ['HTTPS 443'], ['UDP 443'], false],
    // The port of the Service takes its name from the first.
    ['with HTTPS and TLS on one port', ['HTTPS 443 a'], ['TLS 443 b'], true],
    ['that are out whatever the order', ['SCTP 80'], ['SCTP 80'], false],
    ['of which one is out by itself', ['HTTP 80', 'HTTPS 80'], ['HTTP 80'], false],
    ['without listeners in common, in protocol or port', ['HTTP 80'], ['UDP 5514', 'TCP 5432'], false],
  ])('%s', (_, first, second, matters) => {
    const [a, b] = [set('a', undefined, ...first), set('b', undefined, ...second)];
    const reasons = (...sets: ListenerSet[]) =>
      diagnosticsOf(gateway('HTTP 8080'), ...sets).map(({ severity, reason }) => `${severity} ${reason}`);
    expect(reasons(a, b)).toEqual(matters ? ['warning NeedsCluster'] : []);
    expect(reasons(b, a)).toEqual(matters ? ['warning NeedsCluster'] : []);
  });

  it('lose to the Gateway whatever their order', () => {
    const sets = [set('a', undefined, 'HTTP 80'), set('b', undefined, 'HTTP 80')];
    expect(diagnosticsOf(gateway('HTTP 80'), ...sets)).toEqual([]);
  });
});

it.each<[string | undefined, string | undefined, number]>([
  [OLD, YOUNG, 0],
  [OLD, OLD, 0],
  [OLD, undefined, 1],
  [undefined, YOUNG, 1],
  [undefined, undefined, 1],
])('ages %s and %s: %i warnings', (first, second, count) => {
  const sets = [set('a', first, 'HTTP 80'), set('b', second, 'HTTP 80')];
  expect(diagnosticsOf(gateway(), ...sets)).toHaveLength(count);
});

it('names each pair whose order decides something, and the one taken as the first', () => {
  const sets = [
    set('a', undefined, 'HTTP 80'),
    set('b', undefined, 'HTTP 81'),
    set('c', undefined, 'HTTP 80', 'HTTP 81'),
  ];
  expect(diagnosticsOf(gateway(), ...sets)).toEqual(
    ['a', 'b'].map((name) => ({
      severity: 'warning',
      reason: 'NeedsCluster',
      object: { kind: 'Gateway', namespace: 'prod', name: 'web' },
      field: 'spec.listeners',
      message: `of ListenerSets team/${name} and team/c depend on which is older, and the input holds no creation time; team/${name} is taken as the first: needs-cluster`,
    })),
  );
});

/** Few ports and hostnames, so that much meets. */
const arbitraryListener = fc
  .tuple(
    fc.constantFrom('HTTP', 'HTTPS', 'TLS', 'TCP', 'UDP', 'SCTP'),
    fc.constantFrom(53, 443, 8000, 10053),
    fc.constantFrom('', ' a', ' b', ' A'),
  )
  .map(([protocol, port, hostname]) => `${protocol} ${port}${hostname}`);
const someListeners = (min: number) => fc.uniqueArray(arbitraryListener, { minLength: min, maxLength: 3 });

it('each with each says nothing more', () => {
  let warned = 0;
  const sets = fc.array(fc.tuple(fc.option(fc.constantFrom(OLD, YOUNG), { freq: 1 }), someListeners(1)), {
    minLength: 2,
    maxLength: 4,
  });
  fc.assert(
    fc.property(someListeners(0), sets, (ofGateway, ofSets) => {
      const web = gateway(...ofGateway);
      // In the order of precedence, which is by age and then by name: without an age first.
      const ordered = ofSets
        .sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
        .map(([age, listeners], index) => set(`s${index}`, age ?? undefined, ...listeners));
      const each = ordered.flatMap((first, index) =>
        ordered.slice(index + 1).flatMap((second) => diagnosticsOf(web, first, second)),
      );
      const found = diagnosticsOf(web, ...ordered);
      const messages = new Set(each.map(({ message }) => message));
      expect(found.filter(({ message }) => !messages.has(message))).toEqual([]);
      expect(found.length > 0).toBe(each.length > 0);
      if (found.length > 0) warned++;
    }),
    { numRuns: 500 },
  );
  expect(warned).toBeGreaterThan(20);
});

it.each<[string, (index: number) => string, number]>([
  ['that meet nowhere', (index) => `HTTP 80 h${index}`, 0],
  ['that all meet', () => 'HTTP 80', 1_999],
])('2,000 ListenerSets %s take no time', (_, listeners, warnings) => {
  const sets = Array.from({ length: 2_000 }, (_, index) => set(`s${index}`, undefined, listeners(index)));
  const start = performance.now();
  expect(diagnosticsOf(gateway('HTTP 8080'), ...sets)).toHaveLength(warnings);
  // Each with each takes 20 times as long.
  expect(performance.now() - start).toBeLessThan(3_000);
});
