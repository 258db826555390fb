import { readFileSync } from 'node:fs';

/** A command in a page for users, and what it is said to print (empty: nothing is said). */
export interface DocumentedCommand {
  readonly page: string;
  readonly command: string;
  readonly output: string;
}

/**
 * The commands of a page: in `console` blocks the lines after `$ `, with their output, in which `...`
 * stands for what is left out; in `sh` blocks each line.
 */
export function documentedCommands(page: string): readonly DocumentedCommand[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```(console|sh)\n([\s\S]*?)^```/gm);
  return [...blocks].flatMap(([, language, body = '']) => {
    if (language === 'sh') {
      return body
        .trim()
        .split('\n')
        .map((command) => ({ page, command, output: '' }));
    }
    return body
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...output] = part.trimEnd().split('\n');
        return { page, command, output: output.join('\n') };
      });
  });
}

/** Whether a command's real output is what the page says, where `...` stands for anything. */
export function matchesOutput(documented: string, actual: string): boolean {
  const pattern = documented
    .split('...')
    .map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*');
  return new RegExp(`^${pattern}$`).test(actual.trim());
}

/** The commands that need a cluster. */
export const NEEDS_CLUSTER = /^(kubectl (?!kustomize)|npx gari (apply|delete)|.*\| kubectl (apply|delete))/;
