import { describe, expect, it } from 'vitest';
import type { RenderedObject } from './objects.ts';
import {
  type DataPlaneSubject,
  foreignRole,
  isOfOurMaking,
  looksLikeOurs,
  mergeSubjects,
  sharedBinding,
  sortSubjects,
} from './subjects.ts';

const ours = (namespace: string, name: string): DataPlaneSubject => ({
  kind: 'ServiceAccount',
  name,
  namespace,
});
const role = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
const binding = (subjects: RenderedObject['subjects'], labels = {}): RenderedObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'gari-dataplane', labels, annotations: { mine: 'yes' } },
  roleRef: role('gari-dataplane'),
  subjects: subjects ?? [],
});
const OWN = { 'app.kubernetes.io/managed-by': 'gari', 'app.kubernetes.io/name': 'gari-dataplane' };

it('sortSubjects orders by namespace, then name, by code unit, and changes nothing that is given', () => {
  const given = [ours('b', 'a'), ours('a-b', 'a'), ours('a', 'b'), ours('a', 'a'), ours('a', '0')];
  const before = [...given];
  expect(sortSubjects(given)).toEqual([
    ours('a', '0'),
    ours('a', 'a'),
    ours('a', 'b'),
    ours('a-b', 'a'),
    ours('b', 'a'),
  ]);
  expect(given).toEqual(before);
});

describe('looksLikeOurs', () => {
  it.each<[string, string, boolean]>([
    ['ServiceAccount', 'web-gari', true],
    ['ServiceAccount', 'gari', false],
    ['ServiceAccount', 'web-gari-2', false],
    ['ServiceAccount', 'prometheus', false],
    ['User', 'web-gari', false],
    ['Group', 'web-gari', false],
  ])('%s %s: %s', (kind, name, expected) => expect(looksLikeOurs({ kind, name })).toBe(expected));
});

describe('mergeSubjects', () => {
  const [zoe, monitoring] = [
    { kind: 'User', name: 'zoe' },
    { kind: 'ServiceAccount', name: 'prometheus', namespace: 'monitoring' },
  ];

  it('moves those of ours that are there already to their place, and changes nothing that is given', () => {
    const existing = [ours('b', 'web-gari'), zoe, ours('a', 'web-gari'), monitoring];
    const before = JSON.stringify(existing);
    expect(mergeSubjects(existing, [ours('b', 'web-gari'), ours('a', 'web-gari')])).toEqual([
      zoe,
      monitoring,
      ours('a', 'web-gari'),
      ours('b', 'web-gari'),
    ]);
    expect(JSON.stringify(existing)).toBe(before);
  });

  it('takes an empty apiGroup for none', () => {
    const [spelled, inOurs] = [
      { ...monitoring, apiGroup: '' },
      { ...ours('a', 'web-gari'), apiGroup: '' },
    ];
    expect(mergeSubjects([monitoring, spelled, inOurs], [ours('a', 'web-gari')])).toEqual([
      expect.objectContaining(monitoring),
      ours('a', 'web-gari'),
    ]);
  });

  it('tells subjects apart by kind, namespace and name', () => {
    const others = [
      { kind: 'User', name: 'a' },
      { kind: 'Group', name: 'a' },
      { kind: 'ServiceAccount', name: 'a', namespace: 'x' },
      { kind: 'ServiceAccount', name: 'a', namespace: 'y' },
      { kind: 'ServiceAccount', name: 'b', namespace: 'x' },
    ];
    expect(mergeSubjects(others, [])).toEqual(others);
  });

  it('lets the caller say which are stale, but for those that are wanted', () => {
    const existing = [zoe, ours('gone', 'web-gari'), monitoring];
    expect(mergeSubjects(existing, [], () => false)).toEqual(existing);
    expect(mergeSubjects(existing, [ours('gone', 'web-gari')], () => true)).toEqual([
      ours('gone', 'web-gari'),
    ]);
  });
});

describe('sharedBinding', () => {
  it('sorts ours by namespace and name', () => {
    expect(
      sharedBinding('b', [ours('b', 'a-gari'), ours('a', 'z-gari'), ours('a', 'b-gari')], undefined),
    ).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'b', labels: OWN },
      roleRef: role('gari-dataplane'),
      subjects: [ours('a', 'b-gari'), ours('a', 'z-gari'), ours('b', 'a-gari')],
    });
  });

  it("keeps others' subjects first, in their order, and drops what looks like ours and is not wanted", () => {
    const others = [
      { kind: 'User', name: 'zoe' },
      { kind: 'ServiceAccount', name: 'prometheus', namespace: 'monitoring' },
      { kind: 'Group', name: 'x-gari' },
    ];
    const there = binding(
      [others[0]!, ours('gone', 'web-gari'), others[1]!, ours('a', 'web-gari'), others[2]!],
      OWN,
    );
    expect(sharedBinding('gari-dataplane', [ours('a', 'web-gari')], there)?.subjects).toEqual([
      ...others,
      ours('a', 'web-gari'),
    ]);
  });

  it('lists nobody twice', () => {
    const user = { kind: 'User', name: 'zoe' };
    expect(
      sharedBinding('b', [ours('a', 'b-gari'), ours('a', 'b-gari')], binding([user, user]))?.subjects,
    ).toEqual([user, ours('a', 'b-gari')]);
  });

  it('leaves the rest of a binding of a user', () => {
    const there = binding([], { team: 'platform' });
    expect(sharedBinding('gari-dataplane', [ours('a', 'b-gari')], there)).toEqual({
      ...there,
      subjects: [ours('a', 'b-gari')],
    });
  });

  it('leaves out of a binding of a user what only the server can say', () => {
    const { metadata, ...rest } = binding([{ kind: 'User', name: 'zoe' }]);
    const fromServer = {
      ...metadata,
      creationTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      generation: 1,
      managedFields: [{ manager: 'kubectl' }],
      resourceVersion: '1',
      selfLink: '/x',
      uid: 'u',
    };
    expect(sharedBinding('gari-dataplane', [], { ...rest, metadata: fromServer })?.metadata).toEqual({
      name: 'gari-dataplane',
      annotations: { mine: 'yes' },
    });
  });

  it('leaves the role of a binding of a user as it is', () => {
    const there = { ...binding([]), roleRef: role('other') };
    expect(sharedBinding('gari-dataplane', [ours('a', 'b-gari')], there)?.roleRef).toEqual(role('other'));
  });

  it('makes one of our own making anew', () => {
    const there = { ...binding([], { ...OWN, stale: 'x' }), roleRef: role('other') };
    expect(sharedBinding('b', [ours('a', 'b-gari')], there)).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'b', labels: OWN },
      roleRef: role('gari-dataplane'),
      subjects: [ours('a', 'b-gari')],
    });
  });

  it('lists nobody who is none', () => {
    const there = binding(['x', null, { kind: 'User' }, { name: 'zoe' }, { kind: 'User', name: 'zoe' }]);
    expect(sharedBinding('b', [], there)?.subjects).toEqual([{ kind: 'User', name: 'zoe' }]);
  });

  it('is nothing where there is nobody to list', () => {
    expect(sharedBinding('b', [], undefined)).toBeUndefined();
    expect(sharedBinding('b', [], binding([], OWN))).not.toHaveProperty('subjects');
  });
});

describe('foreignRole', () => {
  it('refuses a binding to any other role', () => {
    expect(foreignRole({ object: binding([]) })).toEqual([]);
    expect(foreignRole({ object: { ...binding([]), roleRef: role('cluster-admin') } })).toMatchObject([
      { severity: 'error', reason: 'ForeignRole', field: 'roleRef' },
    ]);
    const namesake = { ...role('gari-dataplane'), kind: 'Role' };
    expect(foreignRole({ object: { ...binding([]), roleRef: namesake } })).toHaveLength(1);
  });

  it('has nothing to say where there is no binding', () => expect(foreignRole(undefined)).toEqual([]));
});

describe('isOfOurMaking', () => {
  it.each<[object, boolean]>([
    [OWN, true],
    [{ 'app.kubernetes.io/name': 'gari-dataplane' }, true],
    // Kustomize and Helm overwrite it, so it decides nothing.
    [{ 'app.kubernetes.io/managed-by': 'gari' }, false],
    [{ 'app.kubernetes.io/name': 'gari' }, false],
    [{}, false],
  ])('%j: %s', (labels, expected) => expect(isOfOurMaking(binding([], labels))).toBe(expected));

  it('is not without labels', () =>
    expect(isOfOurMaking({ ...binding([]), metadata: { name: 'gari-dataplane' } })).toBe(false));
});
