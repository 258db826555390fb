// A bundle has compiled code in place of this module (scripts/compile-validators.mjs); from the sources,
// as in tests, the same checks are compiled when they are first needed.
import { compileChecks } from './compile.ts';
import { PINNED } from './pinned-schemas.ts';
import type { SchemaCheck } from './schemas.ts';

/** The compiled checks of the pinned schemas, by their `checkName`. */
export const checks: Readonly<Record<string, SchemaCheck>> = compileChecks(PINNED.kinds);
