// A bundle has compiled code in place of this module (scripts/compile-validators.mjs); from the sources, as in
// tests, the same check is compiled when it is first needed.
import { compileChecks } from '../validation/compile.ts';
import type { Compiled } from '../validation/schemas.ts';
import { DATA_PLANE_KIND } from './data-plane-kind.ts';

export const checks: Compiled['checks'] = compileChecks([DATA_PLANE_KIND]);
