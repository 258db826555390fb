import { describe, expect, it } from 'vitest';
import type { RenderedObject } from '../render/objects.ts';
import { wantedBinding, withoutSubjects } from './binding.ts';

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
    expect(filled.metadata.annotations).toEqual({ 'gari.dev/subjects': 'prod/shop-gari,prod/web-gari' });
    expect((wanted(filled, 'web') as RenderedObject).subjects).toEqual([...theirs, ours('web')]);
    expect(wanted(filled)).toEqual(there);
  });

  it('of a user keeps a subject that they put there themselves, in its place, when its Gateway goes', () => {
    const there = binding({}, [ours('web'), user]);
    expect(wanted(there, 'web')).toEqual(there);
    const filled = wanted(there, 'web', 'shop') as RenderedObject;
    expect(filled.subjects).toEqual([ours('web'), user, ours('shop')]);
    expect(filled.metadata.annotations).toEqual({ 'gari.dev/subjects': 'prod/shop-gari' });
    expect(wanted(filled)).toEqual(there);
  });

  it('lists only ServiceAccounts as ours', () => {
    const alike = { kind: 'User', name: 'web-gari', namespace: 'prod' };
    const there = binding({ annotations: { 'gari.dev/subjects': 'prod/web-gari' } }, [alike, ours('web')]);
    expect((wanted(there) as RenderedObject).subjects).toEqual([alike]);
  });

  it('loses no subject where not all Gateways are known', () => {
    const part = (there: RenderedObject) =>
      wantedBinding('gari-dataplane', { subjects: [ours('web')], retainSubjects: [] }, there, false);
    const own = binding({ labels: OWN }, [ours('old'), user]);
    expect(part(own)).toEqual({ ...own, subjects: [ours('old'), user, ours('web')] });
    const theirs = binding({ annotations: { 'gari.dev/subjects': 'prod/old-gari' } }, [ours('old')]);
    expect(part(theirs)).toEqual(
      binding({ annotations: { 'gari.dev/subjects': 'prod/old-gari,prod/web-gari' } }, [
        ours('old'),
        ours('web'),
      ]),
    );
  });
});

describe('withoutSubjects', () => {
  it('takes subjects off a binding of our making', () => {
    const there = binding({ labels: OWN }, [user, ours('web'), ours('shop')]);
    expect(withoutSubjects(there, [ours('web')])).toEqual({ ...there, subjects: [user, ours('shop')] });
    expect(withoutSubjects(there, [ours('old')])).toBeUndefined();
    expect(withoutSubjects(binding({ labels: OWN }, [ours('web')]), [ours('web')])).toEqual(
      binding({ labels: OWN }),
    );
  });

  it("takes only ours off a user's own", () => {
    const listed = { annotations: { 'gari.dev/subjects': 'prod/shop-gari,prod/web-gari' } };
    const there = binding(listed, [ours('mine'), ours('web'), ours('shop')]);
    const rest = binding({ annotations: { 'gari.dev/subjects': 'prod/shop-gari' } }, [
      ours('mine'),
      ours('shop'),
    ]);
    expect(withoutSubjects(there, [ours('mine'), ours('web')])).toEqual(rest);
  });
});
