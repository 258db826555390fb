import type { KindSchemas } from '../schema-file.ts';
import { completeSchema } from '../schemas.ts';
import type { ValidationCase } from './case.ts';
import { metadataCases } from './metadata-cases.ts';
import { otherCases } from './other-cases.ts';
import { ruleCases } from './rule-cases.ts';
import { schemaCases } from './schema-cases.ts';

/**
 * The table of objects that gari and the API server must judge alike: for each constraint of the schemas,
 * each CEL rule and each rule for metadata, objects that are accepted and that are refused.
 *
 * @param kinds The kinds of the data file; a field or a pattern without a sample is an error.
 */
export function validationCases(kinds: readonly KindSchemas[]): ValidationCase[] {
  const fromSchemas = kinds.flatMap(({ kind, schemas }) =>
    schemas.flatMap((version) => schemaCases(kind, completeSchema(version))),
  );
  const named = new Map<string, ValidationCase>();
  for (const one of [...fromSchemas, ...ruleCases(), ...otherCases(), ...metadataCases()]) {
    const known = named.get(one.name);
    if (known !== undefined && JSON.stringify(known.object) !== JSON.stringify(one.object)) {
      throw new Error(`two cases are called ${one.name}`);
    }
    named.set(one.name, one);
  }
  return [...named.values()];
}
