import type { ObjectReference } from './diagnostic.ts';
import type { JsonObject } from './json.ts';
import type { Layer } from './layers.ts';
import type { LayeredKind } from './merge-schema.ts';
import type { Source } from './source.ts';

/** What one object of parameters says of a Gateway's objects: partial objects, by kind. */
export interface ParameterLayer {
  readonly objects: Readonly<Partial<Record<LayeredKind, JsonObject>>>;
  /** The object that the parameters were read from. */
  readonly from: ObjectReference;
  readonly source?: Source;
}

/** The parameters that apply to one Gateway. */
export interface Parameters {
  /** Of the GatewayClass (`spec.parametersRef`). */
  readonly class?: ParameterLayer;
  /** Of the Gateway (`spec.infrastructure.parametersRef`). */
  readonly gateway?: ParameterLayer;
  /** What the class's parameters lock: it wins over everything but identity. */
  readonly enforced?: ParameterLayer;
}

/** The names of the layers that come from parameters. */
export const PARAMETER_LAYERS = ['class', 'gateway', 'enforced'] as const;

/** Parameters as a layer of one object, with what they say of it. */
export function parameterLayer(
  name: (typeof PARAMETER_LAYERS)[number],
  { from, source }: ParameterLayer,
  value: JsonObject,
): Layer {
  const origin = { object: from, ...(source === undefined ? {} : { source }) };
  return { name, value, from: { ...origin, fieldOf: (path) => path } };
}
