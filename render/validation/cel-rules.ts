import { isJsonObject, type Json, type Path } from '../json.ts';
import { type CelRule, childSchema, type StructuralSchema } from './structural-schema.ts';

/** A rule and the value that it is about. */
export interface RuleUse {
  readonly rule: CelRule;
  readonly value: Json;
  readonly schema: StructuralSchema;
  readonly path: Path;
}

/**
 * The rules that the server evaluates when this value is created, in its order
 * (apiextensions-apiserver pkg/apiserver/schema/cel/validation.go). Transition rules, those that compare
 * with `oldSelf`, only run where an object is changed, unless they say that they can do without it.
 */
export function rulesFor(value: Json, schema: StructuralSchema | undefined, path: Path = []): RuleUse[] {
  if (schema === undefined || value === null) return [];
  const uses = [schema, ...(schema.allOf ?? [])]
    .flatMap((part) => part['x-kubernetes-validations'] ?? [])
    .filter((rule) => !isTransitionRule(rule))
    .map((rule) => ({ rule, value, schema, path }));
  if (Array.isArray(value)) {
    return [...uses, ...value.flatMap((item, index) => rulesFor(item, schema.items, [...path, index]))];
  }
  if (!isJsonObject(value)) return uses;
  const below = Object.entries(value).flatMap(([key, child]) =>
    rulesFor(child, childSchema(schema, key), [...path, key]),
  );
  return [...uses, ...below];
}

/** Whether a rule needs the object as it was before: it cannot be judged from a file. */
export function isTransitionRule({ rule, optionalOldSelf }: CelRule): boolean {
  return optionalOldSelf !== true && /\boldSelf\b/.test(rule);
}
