import { describe, expect, it } from 'vitest';
import { type Changed, concernedBy } from './enqueue.ts';
import { child, gateway, gatewayClass, viewOf } from './test-view.ts';

const web = gateway('web');
const api = gateway('api', { gatewayClassName: 'edge' });
const selecting = gateway('open', { allowedListeners: { namespaces: { from: 'Selector' } } });

const set = (parent: string, generation = 1) => ({
  kind: 'ListenerSet',
  metadata: { name: 'a', namespace: 'team', uid: 's', generation },
  spec: { parentRef: { name: parent, namespace: 'prod' }, listeners: [] },
});
const setOfOpen = set('open');
const setOfWeb = { ...set('web'), metadata: { ...setOfOpen.metadata, name: 'b' } };

const view = viewOf(web, api, selecting, gatewayClass('edge'), setOfOpen, setOfWeb);

type Meta = { readonly metadata: object };
const meta = <T extends Meta>(object: T, metadata: object): T => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});

const condition = (type: string, reason: string) => ({
  type,
  status: 'True',
  reason,
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});
const binding = (...names: readonly string[]) => ({
  metadata: { name: 'gari-dataplane' },
  roleRef: { kind: 'ClusterRole', name: 'gari-dataplane' },
  subjects: names.map((name) => ({ kind: 'ServiceAccount', namespace: 'prod', name })),
});
const namespace = (labels: object) => ({ metadata: { name: 'team', labels } });
const event = {
  metadata: { name: 'e', namespace: 'prod' },
  involvedObject: { kind: 'Service', name: 'web-gari' },
};
const deployment = child('Deployment', web);
const account = child('ServiceAccount', web);

const update = (kind: string, before: unknown, after: unknown): Changed => ({ kind, before, after });
const create = (kind: string, after: unknown): Changed => ({ kind, before: undefined, after });
const remove = (kind: string, before: unknown): Changed => ({ kind, before, after: undefined });

describe('what a change concerns', () => {
  it.each<[string, Changed, readonly string[]]>([
    ['a new Gateway', create('Gateway', web), ['gateway/prod/web']],
    ['a changed Gateway', update('Gateway', web, meta(web, { generation: 2 })), ['gateway/prod/web']],
    [
      'a Gateway that is going',
      update('Gateway', web, meta(web, { deletionTimestamp: 'now' })),
      ['gateway/prod/web'],
    ],
    ['a Gateway that is gone', remove('Gateway', web), ['gateway/prod/web', 'binding']],
    [
      'a Gateway that is paused',
      update('Gateway', web, meta(web, { annotations: { 'gari.dev/paused': 'true' } })),
      ['gateway/prod/web'],
    ],
    ['a Gateway with a label more', update('Gateway', web, meta(web, { labels: { a: 'b' } })), []],
    [
      'a Gateway whose listeners have a status',
      update('Gateway', web, { ...web, status: { listeners: [{ name: 'http' }] } }),
      [],
    ],
    [
      "a Gateway with another controller's condition",
      update('Gateway', web, { ...web, status: { conditions: [condition('example.com/Other', 'A')] } }),
      [],
    ],
    [
      'a Gateway whose condition of ours is another',
      update('Gateway', web, { ...web, status: { conditions: [condition('Programmed', 'A')] } }),
      ['gateway/prod/web'],
    ],
    [
      'a new class',
      create('GatewayClass', gatewayClass('edge')),
      ['class/edge', 'gateway/prod/api', 'gateway/prod/web', 'gateway/prod/open'],
    ],
    [
      'a changed class',
      update('GatewayClass', gatewayClass('edge'), meta(gatewayClass('edge'), { generation: 2 })),
      ['class/edge', 'gateway/prod/api'],
    ],
    [
      'a class with a status',
      update('GatewayClass', gatewayClass('edge'), { ...gatewayClass('edge'), status: { conditions: [] } }),
      ['class/edge'],
    ],
    [
      'a class with a label more',
      update('GatewayClass', gatewayClass('edge'), meta(gatewayClass('edge'), { labels: {} })),
      [],
    ],
    [
      'a class that is gone',
      remove('GatewayClass', gatewayClass('edge')),
      ['gateway/prod/api', 'gateway/prod/web', 'gateway/prod/open'],
    ],
    ['a new ListenerSet', create('ListenerSet', setOfOpen), ['gateway/prod/open']],
    ['a ListenerSet with a status', update('ListenerSet', setOfOpen, { ...setOfOpen, status: {} }), []],
    [
      'a ListenerSet that moves to another Gateway',
      update('ListenerSet', setOfOpen, set('web', 2)),
      ['gateway/prod/open', 'gateway/prod/web'],
    ],
    ['a ListenerSet that is gone', remove('ListenerSet', setOfOpen), ['gateway/prod/open']],
    [
      'labels of a Namespace, for Gateways that select by them',
      update('Namespace', namespace({}), namespace({ team: 'a' })),
      ['gateway/prod/open'],
    ],
    ['a Namespace with the labels that it had', update('Namespace', namespace({}), namespace({})), []],
    ['a changed Deployment', update('Deployment', deployment, deployment), ['gateway/prod/web']],
    ['a Deployment that is gone', remove('Deployment', deployment), ['gateway/prod/web']],
    [
      'a Deployment that has lost its owner',
      update('Deployment', deployment, meta(deployment, { ownerReferences: [] })),
      ['gateway/prod/web'],
    ],
    [
      'a Service that has lost its marks, by its owner',
      update('Service', child('Service', web), meta(child('Service', web), { labels: {}, annotations: {} })),
      ['gateway/prod/web'],
    ],
    ['a new ServiceAccount', create('ServiceAccount', account), ['gateway/prod/web', 'binding']],
    [
      'a ServiceAccount with another annotation',
      update('ServiceAccount', account, meta(account, { annotations: { a: 'b' } })),
      ['gateway/prod/web'],
    ],
    [
      'a ServiceAccount with another owner',
      update('ServiceAccount', account, meta(account, { ownerReferences: [] })),
      ['gateway/prod/web', 'binding'],
    ],
    ['a warning about a Service', create('Event', event), ['gateway/prod/web']],
    ['a warning that has expired', remove('Event', event), []],
    [
      'a subject more',
      update('ClusterRoleBinding', binding('api-gari'), binding('api-gari', 'web-gari')),
      ['binding', 'gateway/prod/web'],
    ],
    [
      'a binding that is gone',
      remove('ClusterRoleBinding', binding('api-gari')),
      ['binding', 'gateway/prod/web', 'gateway/prod/api', 'gateway/prod/open'],
    ],
  ])('%s', (_, change, keys) => {
    expect([...concernedBy(view, change)].sort()).toEqual([...keys].sort());
  });
});
