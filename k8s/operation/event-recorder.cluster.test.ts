import { expect, it, onTestFinished } from 'vitest';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { loadCredentials } from '../credentials.ts';
import { Transport } from '../transport.ts';
import { ClusterEventRecorder, type EventObject, type RecordedEvent } from './event-recorder.ts';
import { createLog } from './log.ts';

interface EventOfServer {
  readonly note: string;
  readonly type: string;
  readonly reason: string;
  readonly reportingController: string;
  readonly series?: { readonly count: number };
}

async function recorder() {
  const transport = new Transport(await loadCredentials({ kubeconfig: sharedCluster().kubeconfig }));
  onTestFinished(() => transport.close());
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const reporter = { controller: 'gari.dev/test', instance: 'pod-1' };
  return { recorder: new ClusterEventRecorder(transport, reporter, log), lines };
}

const gateway = (namespace: string, uid = 'uid-1', name = 'web'): EventObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  ...{ namespace, name, uid },
});

const event = (regarding: EventObject, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  ...{ regarding, type: 'Warning', reason: 'ResourceConflict', action: 'Apply' },
  note: 'Service web-gari is in the way',
  ...more,
});

const eventsIn = (namespace: string) =>
  sharedCluster().client.list<EventOfServer>(`/apis/events.k8s.io/v1/namespaces/${namespace}/events`);

describeCluster('the event recorder', ['gateway-api'], () => {
  it('counts the same event, and records another one', async () => {
    const namespace = await testNamespace();
    const { recorder: events } = await recorder();
    for (let count = 0; count < 30; count++) events.record(event(gateway(namespace)));
    events.record(event(gateway(namespace), { note: 'Deployment web-gari is in the way' }));
    events.record(event(gateway(namespace), { type: 'Normal', reason: 'Programmed', note: 'done' }));
    await events.flush();
    for (let count = 0; count < 30; count++) events.record(event(gateway(namespace)));
    await events.flush();
    const found = await eventsIn(namespace);
    expect(found.map(({ reason, type, note, series }) => [reason, type, note, series?.count ?? 1])).toEqual(
      expect.arrayContaining([
        ['ResourceConflict', 'Warning', 'Service web-gari is in the way', 60],
        ['ResourceConflict', 'Warning', 'Deployment web-gari is in the way', 1],
        ['Programmed', 'Normal', 'done', 1],
      ]),
    );
    expect(found).toHaveLength(3);
    expect(found[0]?.reportingController).toBe('gari.dev/test');
  });

  it('lets no object flood the others', async () => {
    const namespace = await testNamespace();
    const { recorder: events } = await recorder();
    for (let count = 0; count < 200; count++) {
      events.record(event(gateway(namespace), { note: `try ${count}` }));
    }
    events.record(event(gateway(namespace, 'uid-2', 'other'), { note: 'the other one' }));
    await events.flush();
    const notes = (await eventsIn(namespace)).map(({ note }) => note);
    expect(notes.filter((note) => note.startsWith('try '))).toHaveLength(25);
    expect(notes).toContain('the other one');
  });

  it('goes on where one cannot be recorded', async () => {
    const namespace = await testNamespace();
    const { recorder: events, lines } = await recorder();
    events.record(event(gateway('no-such-namespace', 'uid-2')));
    events.record(event(gateway(namespace)));
    await events.flush();
    expect(await eventsIn(namespace)).toHaveLength(1);
    expect(lines.join('')).toContain('namespaces \\"no-such-namespace\\" not found');
  });

  it('makes a new one where the server has forgotten the first', async () => {
    const namespace = await testNamespace();
    const { recorder: events } = await recorder();
    events.record(event(gateway(namespace)));
    await events.flush();
    await sharedCluster().client.request('DELETE', `/apis/events.k8s.io/v1/namespaces/${namespace}/events`);
    events.record(event(gateway(namespace)));
    await events.flush();
    expect(await eventsIn(namespace)).toEqual([]);
    events.record(event(gateway(namespace)));
    await events.flush();
    expect(await eventsIn(namespace)).toHaveLength(1);
  });

  it('fits what the server takes: long names, long notes, objects in no namespace', async () => {
    const namespace = await testNamespace();
    const { recorder: events } = await recorder();
    const name = `${'long.'.repeat(50)}name`.slice(0, 253);
    events.record(event(gateway(namespace, 'uid-1', name), { note: 'ä€😀'.repeat(500) }));
    const { namespace: _, ...gatewayClass } = gateway('', `class-of-${namespace}`, 'gari');
    events.record(event({ ...gatewayClass, kind: 'GatewayClass' }, { note: namespace }));
    await events.flush();
    const [found] = await eventsIn(namespace);
    expect(Buffer.byteLength(found?.note ?? '')).toBeGreaterThan(1_000);
    expect(found?.note).toMatch(/^(ä€😀)+ä?€?…$/u);
    expect((await eventsIn('default')).map(({ note }) => note)).toContain(namespace);
  });
});
