import type { Diagnostic } from '../diagnostic.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject, type Path } from '../json.ts';
import { DATA_PLANE_SPEC, type DataPlaneSpec } from './data-plane-schema.ts';
import { type ParameterLayer, parametersProblem } from './parameters.ts';
import type { Field, FieldLeaf } from './schema-field.ts';

/** What a class lets the parameters of its Gateways say. */
export type Policy = NonNullable<DataPlaneSpec['policy']>;

/** The access that is more than another comes later. */
const BY_EXTENT = ['None', 'Namespaced', 'Shared'] as const;

/** Whether one access gives more than another. */
export function isMore(access: (typeof BY_EXTENT)[number], than: (typeof BY_EXTENT)[number]): boolean {
  return BY_EXTENT.indexOf(access) > BY_EXTENT.indexOf(than);
}

/**
 * Errors for all that a Gateway's own parameters set and may not: a tenant who may create a Gateway must
 * not gain, by gari's rights, a pod that it could not create itself.
 */
export function policyViolations(
  layer: ParameterLayer,
  spec: DataPlaneSpec,
  policy: Policy,
  className: string,
  isClassKnown: boolean,
): readonly Diagnostic[] {
  const hint = isClassKnown
    ? 'let the class allow it (policy.allow)'
    : `add GatewayClass ${className} to the input if it allows it`;
  const refused = (path: Path) =>
    parametersProblem(
      layer,
      path,
      isClassOnly(path)
        ? 'may be set in the parameters of a class only; remove it'
        : `may not be set by a Gateway of class ${className}; remove it, or ${hint}`,
    );
  const never = (path: Path) =>
    parametersProblem(layer, path, 'may never be set by a Gateway, whatever its class allows; remove it');
  const diagnostics: Diagnostic[] = [];
  const visit = (field: Field, value: Json, path: readonly string[]): void => {
    if ('fields' in field && field.gateway === undefined) {
      for (const [name, below] of Object.entries(isJsonObject(value) ? value : {})) {
        const known = field.fields[name];
        if (known !== undefined) visit(known, below, [...path, name]);
      }
      return;
    }
    if (!maySet(field, path.join('.'), policy)) diagnostics.push(refused(path));
    else if (!('fields' in field)) diagnostics.push(...neverSet(field, value, path).map(never));
  };
  visit(DATA_PLANE_SPEC, spec as JsonObject, []);
  const { access } = spec;
  const { maxAccess } = policy;
  if (access !== undefined && maxAccess !== undefined && isMore(access, maxAccess)) {
    const message = `is ${access}, which is more than class ${className} lets a Gateway have (${maxAccess})`;
    diagnostics.push(parametersProblem(layer, ['access'], message));
  }
  return diagnostics;
}

function maySet(field: Field, path: string, { allow = [], deny = [] }: Policy): boolean {
  const covers = (listed: string) => path === listed || path.startsWith(`${listed}.`);
  if (field.gateway === 'never' || deny.some(covers)) return false;
  return field.gateway === 'allowed' || allow.some(covers);
}

function isClassOnly([first]: Path): boolean {
  return first === 'policy' || first === 'enforced';
}

/** What is set of the fields that no Gateway may set, in the value or in the items of a list. */
function neverSet({ never = [] }: FieldLeaf, value: Json, path: Path): readonly Path[] {
  if (isJsonList(value)) {
    return value.flatMap((item, index) => setOf(never, item, [...path, index]));
  }
  return setOf(never, value, path);
}

function setOf(names: readonly string[], value: Json, path: Path): readonly Path[] {
  if (!isJsonObject(value)) return [];
  return names.filter((name) => value[name] !== undefined).map((name) => [...path, name]);
}
