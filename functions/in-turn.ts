interface Turn<Item, Told> {
  readonly item: Item;
  readonly told: Told[];
  isDone: boolean;
}

/**
 * Works on several items at a time, and tells what comes of them as if it had been one after the other.
 * @throws what the first work has thrown, once those that were under way have ended; no other is begun.
 */
export async function inTurn<Item, Told>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item, tell: (told: Told) => void) => Promise<void>,
  tell: (told: Told) => void,
): Promise<void> {
  const turns = items.map((item): Turn<Item, Told> => ({ item, told: [], isDone: false }));
  const errors: unknown[] = [];
  let first = 0;
  const tellInOrder = (): void => {
    for (let turn = turns[first]; turn !== undefined; turn = turns[++first]) {
      for (const told of turn.told.splice(0)) tell(told);
      if (!turn.isDone) return;
    }
  };
  const rest = turns.values();
  const worker = async (): Promise<void> => {
    for (const turn of rest) {
      if (errors.length > 0) return;
      try {
        await work(turn.item, (told) => {
          turn.told.push(told);
          tellInOrder();
        });
      } catch (error) {
        errors.push(error);
      }
      turn.isDone = true;
      tellInOrder();
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  if (errors.length > 0) throw errors[0];
}
