import { describe, expect, it } from 'vitest';
import type { RenderedObject } from '../../render/objects.ts';
import type { DataPlaneSubject } from '../../render/subjects.ts';
import { bindingChanges, bindingProblems, type PackageBinding } from './binding-changes.ts';

const ours = (name: string): DataPlaneSubject => ({
  kind: 'ServiceAccount',
  name: `${name}-gari`,
  namespace: 'prod',
});
const OWN = {
  labels: { 'app.kubernetes.io/managed-by': 'gari', 'app.kubernetes.io/name': 'gari-dataplane' },
};
const INSTALLED = { ...OWN, annotations: { 'gari.dev/installed': 'true' } };
const user = { kind: 'User', name: 'zoe' };

function binding(
  name: string,
  metadata: object,
  subjects: object[] = [],
  role = 'gari-dataplane',
): PackageBinding {
  const object = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name, ...metadata },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    ...(subjects.length === 0 ? {} : { subjects }),
  } as unknown as RenderedObject;
  return { item: { object }, binding: { object } };
}

/** What becomes of bindings called `a`, `b` … in the order given, in short. */
function changes(
  bindings: readonly PackageBinding[],
  subjects: string[],
  { gone = [], whole = true }: { gone?: string[]; whole?: boolean } = {},
) {
  const wanted = {
    bindingName: 'new',
    subjects: subjects.map(ours),
    retainSubjects: [],
    gone: gone.map(ours),
    whole,
  };
  return bindingChanges(bindings, wanted).map((change) => {
    if (change.type === 'add') return ['add', change.object.subjects];
    const place = bindings.findIndex(({ item }) => item === change.item);
    return change.type === 'remove'
      ? ['remove', place, change.why]
      : ['replace', place, change.object.subjects];
  });
}

const TWICE = 'it is in the package twice';
const MOVED = 'ClusterRoleBinding new has its subjects now';

describe('several bindings of the name', () => {
  it('become one: the first of our making', () => {
    const two = [binding('new', OWN, [ours('web')]), binding('new', OWN, [ours('web')])];
    expect(changes(two, ['web'])).toEqual([['remove', 1, TWICE]]);
  });

  it('become that of gari install, filled', () => {
    const two = [binding('new', OWN, [ours('web')]), binding('new', INSTALLED)];
    expect(changes(two, ['web'])).toEqual([
      ['replace', 1, [ours('web')]],
      ['remove', 0, TWICE],
    ]);
  });

  it("become the user's own", () => {
    const two = [binding('new', OWN, [ours('web')]), binding('new', {}, [ours('mine')])];
    expect(changes(two, ['web'])).toEqual([
      ['replace', 1, [ours('mine'), ours('web')]],
      ['remove', 0, TWICE],
    ]);
  });

  it('lose none of the subjects that others have put there', () => {
    const two = [binding('new', OWN, [ours('web')]), binding('new', OWN, [user, ours('old')])];
    expect(changes(two, ['web'])).toEqual([
      ['replace', 0, [user, ours('web')]],
      ['remove', 1, TWICE],
    ]);
  });

  it('all go where nobody needs one', () => {
    const two = [binding('new', OWN, [ours('web')]), binding('new', OWN, [ours('web')])];
    expect(changes(two, [])).toEqual([
      ['remove', 0, 'no data plane needs it'],
      ['remove', 1, TWICE],
    ]);
  });

  it("are an error where two are a user's own", () => {
    const three = [binding('new', {}), binding('new', OWN), binding('new', {}), binding('other', {})];
    expect(bindingProblems(three, 'new').map(({ severity, reason }) => `${severity} ${reason}`)).toEqual([
      'error Duplicate',
    ]);
    expect(bindingProblems(three.slice(1), 'new')).toEqual([]);
  });

  it('are an error where one binds another role, whichever it is', () => {
    const two = [binding('new', OWN), binding('new', {}, [], 'admin')];
    expect(bindingProblems(two, 'new').map(({ reason }) => reason)).toEqual(['ForeignRole']);
  });
});

describe('a binding of another name, which the option had before,', () => {
  it('goes, as the new one has its subjects', () => {
    expect(changes([binding('old', OWN, [ours('web')])], ['web'])).toEqual([
      ['add', [ours('web')]],
      ['remove', 0, MOVED],
    ]);
  });

  it('goes with those of a Gateway that is gone as well', () => {
    const old = binding('old', OWN, [ours('shop'), ours('web')]);
    expect(changes([old], ['web'], { gone: ['shop'] }).at(-1)).toEqual(['remove', 0, MOVED]);
    expect(changes([old], ['web']).at(-1)).toEqual(['replace', 0, [ours('shop')]]);
  });

  it.each<[string, object, object[], unknown]>([
    ['with others in it', OWN, [user, ours('web')], [user]],
    ['of gari install', INSTALLED, [ours('web')], undefined],
    ["of a user's own", { annotations: { 'gari.dev/subjects': 'prod/web-gari' } }, [ours('web')], undefined],
  ])('%s stays, without them', (_, metadata, subjects, left) => {
    expect(changes([binding('old', metadata, subjects)], ['web']).at(-1)).toEqual(['replace', 0, left]);
  });

  it.each<[string, PackageBinding]>([
    ['to another role', binding('old', OWN, [ours('web')], 'admin')],
    ['that a user has filled', binding('old', {}, [ours('web')])],
    ['with subjects of other Gateways', binding('old', OWN, [ours('shop')])],
  ])('%s is left alone', (_, old) => {
    expect(changes([old], ['web'])).toEqual([['add', [ours('web')]]]);
  });

  it('is not removed, nor loses others, where not all Gateways are known', () => {
    const old = binding('old', OWN, [ours('web')]);
    expect(changes([old], ['web'], { whole: false }).at(-1)).toEqual(['replace', 0, undefined]);
    const two = binding('old', OWN, [ours('shop'), ours('web')]);
    expect(changes([two], ['web'], { whole: false, gone: ['shop'] }).at(-1)).toEqual([
      'replace',
      0,
      [ours('shop')],
    ]);
  });
});
