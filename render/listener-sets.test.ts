import { describe, expect, it } from 'vitest';
import type { AllowedListeners, Gateway, ListenerSet, Namespace, ParentReference } from './gateway-api.ts';
import { attachedListenerSets, parentKey } from './listener-sets.ts';

const listenerSet = (
  namespace: string,
  name: string,
  creationTimestamp?: string,
  parentRef: ParentReference = { name: 'web', namespace: 'prod' },
): { object: ListenerSet } => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'ListenerSet',
    metadata: { name, namespace, ...(creationTimestamp === undefined ? {} : { creationTimestamp }) },
    spec: { parentRef, listeners: [] },
  },
});
const gateway = (namespaces?: AllowedListeners['namespaces']): { object: Gateway } => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace: 'prod' },
    spec: {
      gatewayClassName: 'gari',
      listeners: [],
      ...(namespaces === undefined ? {} : { allowedListeners: { namespaces } }),
    },
  },
});
const NAMESPACES = new Map<string, Namespace>(
  [
    ['prod', {}],
    ['team-a', { team: 'a' }],
    ['team-b', { team: 'b' }],
  ].map(([name, labels]) => [
    name as string,
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: name as string, labels: labels as Record<string, string> },
    },
  ]),
);
const SETS = ['prod', 'team-a', 'team-b', 'unknown'].map((namespace) => listenerSet(namespace, 'extra'));

describe('allowedListeners', () => {
  const byTeam = { matchLabels: { team: 'a' } };
  it.each<[string, AllowedListeners['namespaces'] | undefined, string[], string[]]>([
    // Title, allowedListeners.namespaces, namespaces that are let in, those that only the cluster knows of.
    ['nobody by default', undefined, [], []],
    ['nobody where from is not set', {}, [], []],
    ['None', { from: 'None' }, [], []],
    ['Same', { from: 'Same' }, ['prod'], []],
    ['All', { from: 'All' }, ['prod', 'team-a', 'team-b', 'unknown'], []],
    ['something new', { from: 'Friends' }, [], []],
    ['Selector', { from: 'Selector', selector: byTeam }, ['team-a'], ['unknown']],
    ['Selector without a selector: nobody', { from: 'Selector' }, [], []],
    [
      'an empty selector: everybody',
      { from: 'Selector', selector: {} },
      ['prod', 'team-a', 'team-b', 'unknown'],
      [],
    ],
    [
      'a selector of the name that every Namespace has as a label',
      { from: 'Selector', selector: { matchLabels: { 'kubernetes.io/metadata.name': 'unknown' } } },
      ['unknown'],
      [],
    ],
    [
      'the name decides, though a label is unknown',
      { from: 'Selector', selector: { matchLabels: { 'kubernetes.io/metadata.name': 'team-a', team: 'a' } } },
      ['team-a'],
      [],
    ],
    // A selector without from: None, as the CRD's default has it.
    ['a selector that nothing asks for', { selector: byTeam }, [], []],
  ])('%s', (_, namespaces, allowed, unknown) => {
    const { listenerSets, diagnostics } = attachedListenerSets(gateway(namespaces), SETS, NAMESPACES);
    expect(listenerSets.map(({ object }) => object.metadata.namespace)).toEqual(allowed);
    const out = SETS.map(({ object }) => object.metadata.namespace).filter((name) => !allowed.includes(name));
    expect(diagnostics.map(({ severity, reason, object }) => [severity, reason, object?.namespace])).toEqual(
      out.map((name) => ['warning', unknown.includes(name) ? 'NeedsCluster' : 'NotAllowed', name]),
    );
  });

  it('the labels that a file gives do not beat the name that the server gives', () => {
    const spoof = new Map<string, Namespace>([
      [
        'evil',
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: 'evil', labels: { 'kubernetes.io/metadata.name': 'prod' } },
        },
      ],
    ]);
    const selector = { matchLabels: { 'kubernetes.io/metadata.name': 'prod' } };
    const { listenerSets } = attachedListenerSets(
      gateway({ from: 'Selector', selector }),
      [listenerSet('evil', 'x')],
      spoof,
    );
    expect(listenerSets).toEqual([]);
  });

  it('says why, and what is missing', () => {
    const messages = (namespaces?: AllowedListeners['namespaces']) =>
      attachedListenerSets(
        gateway(namespaces),
        [listenerSet('team-b', 'x'), listenerSet('unknown', 'x')],
        NAMESPACES,
      ).diagnostics.map(({ field, message }) => `${field} ${message}`);
    expect(messages()[0]).toBe(
      'spec.parentRef is not accepted: Gateway prod/web does not allow ListenerSets of namespace team-b (its spec.allowedListeners.namespaces.from is None)',
    );
    expect(messages({ from: 'Selector', selector: byTeam })).toEqual([
      'spec.parentRef is not accepted: Gateway prod/web does not allow ListenerSets of namespace team-b (its spec.allowedListeners.namespaces.selector does not match)',
      'spec.parentRef is not accepted: whether Gateway prod/web allows it depends on the labels of Namespace unknown, which is not in the input: needs-cluster',
    ]);
  });

  it('says that there may be ListenerSets elsewhere only where some would be let in', () => {
    const reasons = (namespaces?: AllowedListeners['namespaces']) =>
      attachedListenerSets(gateway(namespaces), [], NAMESPACES).diagnostics.map(({ reason }) => reason);
    expect(reasons()).toEqual([]);
    expect(reasons({ from: 'None' })).toEqual([]);
    expect(reasons({ from: 'Same' })).toEqual(['NeedsCluster']);
  });
});

describe('the order of ListenerSets', () => {
  it('is by age, then namespace, then name', () => {
    const [old, young] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
    const sets = [
      listenerSet('team-a', 'a', young),
      listenerSet('team-b', 'a', old),
      listenerSet('team-a', 'c', old),
      listenerSet('team-a', 'b', old),
    ];
    for (const order of [sets, [...sets].reverse()]) {
      const { listenerSets } = attachedListenerSets(gateway({ from: 'All' }), order, NAMESPACES);
      expect(
        listenerSets.map(({ object: { metadata } }) => `${metadata.namespace}/${metadata.name}`),
      ).toEqual(['team-a/b', 'team-a/c', 'team-b/a', 'team-a/a']);
    }
  });
});

describe('parentKey', () => {
  it.each<[ParentReference, string | undefined]>([
    [{ name: 'web' }, 'team-a/web'],
    [{ name: 'web', namespace: 'prod' }, 'prod/web'],
    [{ name: 'web', group: 'gateway.networking.k8s.io', kind: 'Gateway' }, 'team-a/web'],
    [{ name: 'web', kind: 'Service' }, undefined],
    [{ name: 'web', group: '' }, undefined],
    [{ name: 'web', group: 'networking.istio.io' }, undefined],
  ])('%j is %s', (parentRef, expected) => {
    expect(parentKey(listenerSet('team-a', 'x', undefined, parentRef).object)).toBe(expected);
  });
});
