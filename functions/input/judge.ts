import type { JsonObject } from '../../render/json.ts';
import { compileSchemas } from '../../render/validation/compile-schemas.ts';
import { PINNED_SCHEMAS } from '../../render/validation/pinned-schemas.ts';
import type { Schemas } from '../../render/validation/schemas.ts';
import { canValidate, type Validation, validate } from '../../render/validation/validate.ts';

export { UnusableCrds } from '../../render/validation/compile-schemas.ts';

/** Says what the API server would say about an object; undefined for a kind that it does not know. */
export type Judge = (object: JsonObject) => Promise<Validation | undefined>;

/** Judges with the Gateway API version that gari is built with. */
export const judgePinned: Judge = judgeWith(PINNED_SCHEMAS);

/**
 * Judges with the CRDs of another Gateway API version; undefined if Gateways are not among them.
 * @throws {UnusableCrds} if a CRD cannot be used.
 */
export async function judgeFromCrds(crds: readonly JsonObject[]): Promise<Judge | undefined> {
  const schemas = await compileSchemas(crds);
  return schemas.kinds.some(({ kind }) => kind === 'Gateway') ? judgeWith(schemas) : undefined;
}

function judgeWith(schemas: Schemas): Judge {
  return async (object) => (canValidate(object, schemas) ? validate(object, schemas) : undefined);
}
