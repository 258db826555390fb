import { type Diagnostic, diagnose, type ObjectReference, type Severity } from '../diagnostic.ts';
import type { NamespacedMeta } from '../gateway-api.ts';
import type { Path } from '../json.ts';
import type { Source } from '../source.ts';
import type { Problem } from '../validation/problem.ts';
import type { DataPlaneSpec, DataPlaneValues } from './data-plane-schema.ts';

/** A DataPlane, or a ConfigMap with the same spec, as it was read: what it says, or what is wrong with it. */
export interface ParametersObject {
  readonly kind: 'DataPlane' | 'ConfigMap';
  readonly metadata: NamespacedMeta;
  /** Undefined where there are problems. */
  readonly spec?: DataPlaneSpec;
  /** Where the spec stands in the object. */
  readonly specPath: Path;
  readonly problems: readonly Problem[];
}

/** The names of the layers that come from parameters, lowest first. */
export type ParameterLayerName = 'class' | 'gateway' | 'enforced';

/** What one object of parameters says, as one layer. */
export interface ParameterLayer {
  readonly name: ParameterLayerName;
  readonly values: DataPlaneValues;
  /** The object that the values were read from. */
  readonly from: ObjectReference;
  readonly source?: Source;
  /** Where the values stand in that object. */
  readonly path: Path;
  /** The GatewayClass or Gateway whose parameters they are. */
  readonly of: ObjectReference;
}

/** The parameters that apply to one Gateway, lowest first. */
export type Parameters = readonly ParameterLayer[];

/** A diagnostic about a field of parameters; `path` starts at their values. */
export function parametersProblem(
  { from, source, path: base, of }: Omit<ParameterLayer, 'name' | 'values'>,
  path: Path,
  message: string,
  severity: Severity = 'error',
  reason = 'InvalidParameters',
): Diagnostic {
  const subject = { object: from, ...(source === undefined ? {} : { source }) };
  return { ...diagnose(severity, reason, subject, [...base, ...path], message), parametersOf: of };
}

/** The last of the layers that says something, and what it says. */
export function lastOf<T>(
  parameters: Parameters,
  read: (values: DataPlaneValues) => T | undefined,
): { readonly layer: ParameterLayer; readonly value: T } | undefined {
  return parameters
    .flatMap((layer) => {
      const value = read(layer.values);
      return value === undefined ? [] : [{ layer, value }];
    })
    .at(-1);
}
