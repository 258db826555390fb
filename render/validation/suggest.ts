/** The name that was probably meant: the nearest of the known ones, if it is near. */
export function suggest(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.ceil(name.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** How many insertions, deletions, replacements and swaps of neighbours lead from one word to the other. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(previous, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] && i > 1 && j > 1;
      current.push(
        Math.min(
          replaced,
          at(previous, j) + 1,
          at(current, j - 1) + 1,
          swapped ? at(beforePrevious, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
