import { describe, expect, it } from 'vitest';
import { changedBy, exactly } from './binding.ts';

const subject = (namespace: string, name: string) => ({ kind: 'ServiceAccount', namespace, name }) as const;
const group = { kind: 'Group', name: 'web-gari', apiGroup: 'rbac.authorization.k8s.io' };
const user = subject('z', 'somebody');
const a = subject('a', 'web-gari');
const b = subject('b', 'web-gari');
const c = subject('c', 'web-gari');

describe('who knows only some Gateways', () => {
  it('adds where it keeps a sorted list sorted, behind all others', () => {
    expect(changedBy({ add: [b], remove: [] })([user, group, a, c])).toEqual([user, group, a, b, c]);
    expect(changedBy({ add: [c, a], remove: [] })([user, b])).toEqual([user, a, b, c]);
    expect(changedBy({ add: [a], remove: [] })([])).toEqual([a]);
  });

  it('leaves all others as they are, in their order, and adds nobody twice', () => {
    const there = [c, group, a, user];
    expect(changedBy({ add: [a], remove: [] })(there)).toEqual(there);
    expect(changedBy({ add: [b, b], remove: [c] })(there)).toEqual([group, a, user, b]);
    expect(changedBy({ add: [], remove: [b] })(there)).toEqual(there);
  });

  it('knows one by its kind, namespace and name alone', () => {
    const withGroup = { ...a, apiGroup: '' };
    expect(changedBy({ add: [a], remove: [] })([withGroup])).toEqual([withGroup]);
  });
});

describe('who knows all Gateways', () => {
  it('drops what looks like a data plane and is none, keeps others, sorts its own', () => {
    expect(exactly([c, a])([c, user, b, group])).toEqual([user, group, a, c]);
    expect(exactly([])([b])).toEqual([]);
    expect(exactly([c], [b, a])([user, b, group])).toEqual([user, group, b, c]);
  });
});
