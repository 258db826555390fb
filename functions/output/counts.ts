import type { Diagnostic } from '../../render/diagnostic.ts';
import type { Gateway } from '../../render/gateway-api.ts';
import { groupBy } from '../../render/group-by.ts';
import { compareText } from '../../render/normalize.ts';
import { suggest } from '../../render/validation/suggest.ts';

/** What was read and rendered. */
export interface Counted {
  readonly result: { readonly others: readonly Gateway[] };
  /** How many files were read. */
  readonly files: number;
  /** The classes that are gari's, and those that the input holds. */
  readonly ownClasses: ReadonlySet<string>;
  readonly knownClasses: ReadonlySet<string>;
}

/** One line about the Gateways that are not rendered, or none where there is nothing to say. */
export function countsOf(
  rendered: number,
  { result: { others }, files, ownClasses, knownClasses }: Counted,
): readonly Diagnostic[] {
  if (rendered > 0 && others.length === 0) return [];
  const none = rendered > 0 ? [] : [`no Gateway of gari's in ${plural(files, 'file')}`];
  const classes = [...groupBy(others, ({ spec }) => spec.gatewayClassName)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, gateways]) => {
      // What nobody has declared may be misspelled.
      const meant = knownClasses.has(name) ? undefined : suggest(name, [...ownClasses]);
      return `${name} ${gateways.length}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    });
  const skipped =
    others.length === 0
      ? []
      : [`skipped ${plural(others.length, 'Gateway')} of other classes (${classes.join(', ')})`];
  return [{ severity: 'info', reason: 'Skipped', message: [...none, ...skipped].join('; ') }];
}

/** A count with its noun: `1 file`, `2 files`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
