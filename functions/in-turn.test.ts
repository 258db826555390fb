import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inTurn } from './in-turn.ts';

it('tells in order, whatever ends when, and never works on more than it should', async () => {
  const items = fc.array(fc.array(fc.nat(3), { maxLength: 4 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 5 }), async (lists, atATime) => {
      const told: string[] = [];
      let [working, most] = [0, 0];
      const work = async ([index, turns]: [number, number[]], tell: (text: string) => void) => {
        most = Math.max(most, ++working);
        for (const [step, pauses] of turns.entries()) {
          for (let count = 0; count < pauses; count++) await null;
          tell(`${index}.${step}`);
        }
        working--;
      };
      await inTurn([...lists.entries()], atATime, work, (text) => told.push(text));
      expect(told).toEqual(lists.flatMap((turns, index) => turns.map((_, step) => `${index}.${step}`)));
      expect(most).toBeLessThanOrEqual(atATime);
    }),
  );
});

it('begins nothing after something has thrown, and tells of all that had begun', async () => {
  const told: string[] = [];
  const begun: string[] = [];
  const work = async (item: string, tell: (text: string) => void) => {
    begun.push(item);
    tell(`${item} begins`);
    await null;
    if (item === 'b') throw new Error('enough');
    await null;
    tell(`${item} ends`);
  };
  const items = ['a', 'b', 'c', 'd', 'e'];
  await expect(inTurn(items, 2, work, (text) => told.push(text))).rejects.toThrow('enough');
  expect(begun).toEqual(['a', 'b']);
  expect(told).toEqual(['a begins', 'a ends', 'b begins']);
});

it('tells at once of what is first', async () => {
  const told: string[] = [];
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const all = inTurn(
    ['a', 'b'],
    1,
    async (item, tell: (text: string) => void) => {
      tell(item);
      await held;
    },
    (text) => told.push(text),
  );
  expect(told).toEqual(['a']);
  end();
  await all;
  expect(told).toEqual(['a', 'b']);
});
