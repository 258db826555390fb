// A bundle has compiled code in place of this module (scripts/compile-validators.mjs); from the sources, as in
// tests, the same checks are compiled when they are first needed.
import { compileChecks } from './compile.ts';
import { PINNED } from './pinned-schemas.ts';
import type { Compiled } from './schemas.ts';

export const checks: Compiled['checks'] = compileChecks(PINNED.kinds);
export const rules: Compiled['rules'] = {};
