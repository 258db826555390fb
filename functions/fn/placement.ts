import { posix } from 'node:path';
import type { FilePlace } from './annotations.ts';

/** Gives new items a place that no other item has. */
export class Placement {
  readonly #used = new Set<string>();
  /** By file, the index below which nothing is free. */
  readonly #next = new Map<string, number>();

  constructor(taken: readonly FilePlace[]) {
    for (const place of taken) this.#used.add(key(place));
  }

  /** The first free place in a file. */
  next(path: string, packagePath: string | undefined): FilePlace {
    const file = { path, ...(packagePath === undefined ? {} : { package: packagePath }) };
    const fileKey = key({ ...file, index: 0 });
    let index = this.#next.get(fileKey) ?? 0;
    while (this.#used.has(key({ ...file, index }))) index++;
    this.#next.set(fileKey, index + 1);
    const place = { ...file, index };
    this.#used.add(key(place));
    return place;
  }
}

/** The file that a path template names, beside the file of the Gateway. */
export function fillTemplate(
  template: string,
  beside: string,
  words: { readonly namespace: string; readonly gateway: string; readonly name: string },
): string {
  const filled = template.replace(/\{(dir|namespace|gateway|name)\}/g, (_, word: string) =>
    word === 'dir' ? posix.dirname(beside) : words[word as keyof typeof words],
  );
  return posix.normalize(filled);
}

function key({ path, index, package: packagePath = '' }: FilePlace): string {
  return JSON.stringify([packagePath, path, index]);
}
