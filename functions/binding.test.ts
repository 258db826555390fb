import { describe, expect, it } from 'vitest';
import type { RenderedObject } from '../render/objects.ts';
import { wantedBinding } from './binding.ts';

const ours = (name: string) => ({ kind: 'ServiceAccount' as const, name: `${name}-gari`, namespace: 'prod' });
const OWN = { 'app.kubernetes.io/managed-by': 'gari', 'app.kubernetes.io/name': 'gari-dataplane' };
const binding = (metadata: object, subjects?: object[]): RenderedObject =>
  ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'gari-dataplane', ...metadata },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'gari-dataplane' },
    ...(subjects === undefined ? {} : { subjects }),
  }) as unknown as RenderedObject;
const user = { kind: 'User', name: 'zoe' };
const wanted = (there: RenderedObject | undefined, ...names: string[]) =>
  wantedBinding('gari-dataplane', { subjects: names.map(ours), retainSubjects: [] }, there);

describe('wantedBinding', () => {
  it('keeps a subject that nobody can judge now where it is, and adds none', () => {
    const wish = { subjects: [ours('web')], retainSubjects: [ours('kept'), ours('new')] };
    const there = binding({ labels: OWN }, [ours('gone'), ours('kept')]);
    expect(wantedBinding('gari-dataplane', wish, there)).toEqual(
      binding({ labels: OWN }, [ours('kept'), ours('web')]),
    );
    expect(wantedBinding('gari-dataplane', wish, undefined)).toEqual(binding({ labels: OWN }, [ours('web')]));
  });

  it('is made where there is none and one is needed', () => {
    expect(wanted(undefined)).toBeUndefined();
    expect(wanted(undefined, 'web')).toEqual(binding({ labels: OWN }, [ours('web')]));
  });

  it('of our making follows the Gateways, and goes with the last', () => {
    const there = binding({ labels: OWN, annotations: { note: 'mine' } }, [user, ours('old')]);
    expect(wanted(there, 'web')).toEqual({ ...there, subjects: [user, ours('web')] });
    expect(wanted(binding({ labels: OWN }, [ours('old')]))).toBe('remove');
    expect(wanted(binding({ labels: OWN }, [user, ours('old')]))).toEqual(binding({ labels: OWN }, [user]));
  });

  it('of an install is filled, and stays when nobody is left', () => {
    const installed = binding({ labels: OWN, annotations: { 'gari.dev/installed': 'true' } });
    const filled = wanted(installed, 'web');
    expect(filled).toEqual({ ...installed, subjects: [ours('web')] });
    expect(wanted(filled as RenderedObject)).toEqual(installed);
  });

  it('of a user gets ours beside theirs, whatever these look like, and the list of ours', () => {
    const theirs = [user, ours('by-hand')];
    const there = binding({ labels: { team: 'a' } }, theirs);
    const filled = wanted(there, 'web', 'shop') as RenderedObject;
    expect(filled.subjects).toEqual([...theirs, ours('shop'), ours('web')]);
    expect(filled.metadata.annotations).toEqual({ 'gari.dev/subjects': 'prod/web-gari,prod/shop-gari' });
    expect((wanted(filled, 'web') as RenderedObject).subjects).toEqual([...theirs, ours('web')]);
    expect(wanted(filled)).toEqual(there);
  });
});
