import { expect, it } from 'vitest';
import type { SubjectChange } from './binding.ts';
import type { Change } from './change-set.ts';
import { gatherSubjects } from './gather-subjects.ts';

const subject = (name: string) => ({ kind: 'ServiceAccount', namespace: 'prod', name }) as const;
const add = (name: string): SubjectChange => ({ add: [subject(name)], remove: [] });
const configured: Change = {
  object: { kind: 'ClusterRoleBinding', name: 'gari-dataplane' },
  action: 'configured',
};

/** Writes that end when they are told to. */
function heldWrites() {
  const begun: { change: SubjectChange; end: (result: Change | Error) => void }[] = [];
  const write = (change: SubjectChange) =>
    new Promise<Change>((resolve, reject) => {
      const end = (result: Change | Error) => (result instanceof Error ? reject(result) : resolve(result));
      begun.push({ change, end });
    });
  return { begun, write };
}

it('writes one after the other, and what comes meanwhile at once; the first of each is told', async () => {
  const { begun, write } = heldWrites();
  const change = gatherSubjects(write);
  const first = change(add('a'));
  await expect.poll(() => begun.length).toBe(1);
  const meanwhile = [change(add('b')), change({ add: [], remove: [subject('c')] }), change(add('d'))];
  await new Promise(setImmediate);
  expect(begun).toHaveLength(1);
  begun[0]?.end(configured);
  expect(await first).toBe(configured);
  await expect.poll(() => begun.length).toBe(2);
  expect(begun[1]?.change).toEqual({ add: [subject('b'), subject('d')], remove: [subject('c')] });
  begun[1]?.end(configured);
  expect(await Promise.all(meanwhile)).toEqual([configured, undefined, undefined]);
});

it('tells everybody whose change was not written why, and goes on', async () => {
  const { begun, write } = heldWrites();
  const change = gatherSubjects(write);
  const both = Promise.allSettled([change(add('a')), change(add('b'))]);
  await expect.poll(() => begun.length).toBe(1);
  const later = change(add('c'));
  begun[0]?.end(new Error('unreachable'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect.poll(() => begun.length).toBe(2);
  expect(begun[1]?.change).toEqual(add('c'));
  begun[1]?.end(configured);
  expect(await later).toBe(configured);
});
