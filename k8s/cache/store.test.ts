import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Store, type StoredObject } from './store.ts';

const object = (namespace: string | undefined, name: string, tags: readonly string[], version: string) =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: name,
      resourceVersion: version,
    },
    tags,
  }) as StoredObject;

const tagsOf = (each: StoredObject) => each.tags as readonly string[];

describe('Store', () => {
  it('has what was put last, by name, by namespace and by each index', () => {
    const namespace = fc.constantFrom(undefined, 'a', 'b');
    const name = fc.constantFrom('x', 'y', 'z');
    const tags = fc.array(fc.constantFrom('red', 'green', 'blue'), { maxLength: 4 });
    const step = fc.oneof(
      fc.record({ do: fc.constant('put' as const), namespace, name, tags }),
      fc.record({ do: fc.constant('delete' as const), namespace, name }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const store = new Store({ tag: tagsOf, first: (each) => tagsOf(each).slice(0, 1) });
        const model = new Map<string, StoredObject>();
        for (const [index, each] of steps.entries()) {
          const key = `${each.namespace}/${each.name}`;
          if (each.do === 'put') {
            const put = object(each.namespace, each.name, each.tags, String(index));
            store.put(put);
            model.set(key, put);
          } else {
            store.delete(each.namespace, each.name);
            model.delete(key);
          }
          const all = [...model.values()];
          expect(store.size).toBe(all.length);
          expect(new Set(store.list())).toEqual(new Set(all));
          for (const space of ['a', 'b']) {
            const there = all.filter(({ metadata }) => metadata.namespace === space);
            expect(new Set(store.list(space))).toEqual(new Set(there));
          }
          for (const value of ['red', 'green', 'blue']) {
            const tagged = store.by('tag', value);
            expect(new Set(tagged)).toEqual(new Set(all.filter((one) => tagsOf(one).includes(value))));
            expect(new Set(tagged).size).toBe(tagged.length);
            expect(new Set(store.by('first', value))).toEqual(
              new Set(all.filter((one) => tagsOf(one)[0] === value)),
            );
          }
          expect(store.get(each.namespace, each.name)).toBe(model.get(key));
        }
      }),
    );
  });

  it('gives a list that stays as it is while the store changes', () => {
    const store = new Store({ tag: tagsOf });
    store.put(object('a', 'x', ['red'], '1'));
    const before = store.by('tag', 'red');
    store.put(object('a', 'y', ['red'], '2'));
    expect(before).toHaveLength(1);
  });

  it('says that there is no such index', () => {
    expect(() => new Store().by('owner', 'x')).toThrow('there is no index owner');
  });
});
