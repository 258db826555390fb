import { describe, expect, it } from 'vitest';
import type { RenderedObject } from './objects.ts';
import { type DataPlaneSubject, foreignRole, sharedBinding } from './subjects.ts';

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
  });
});
