import type { Diagnostic } from './diagnostic.ts';
import type { Gateway } from './gateway-api.ts';
import type { GatewayContext, InfrastructureMetadata, KindRenderer } from './gateway-context.ts';
import { identityViolations, withoutReservedKeys } from './identity-guard.ts';
import { infrastructureOrigin } from './infrastructure.ts';
import { LAYERS, type Layer, type Layered, mergeLayers } from './layers.ts';
import { PARAMETER_LAYERS, type Parameters, parameterLayer } from './parameters.ts';
import type { Sourced } from './source.ts';

/** What an object is layered from, beside its kind. */
export interface LayerInput {
  readonly gateway: Sourced<Gateway>;
  readonly context: GatewayContext;
  readonly infrastructure: InfrastructureMetadata;
  readonly parameters: Parameters;
}

/** Builds one object from its layers, lowest first, with the identity on top. */
export function layerObject(
  renderer: KindRenderer,
  { gateway, context, infrastructure, parameters }: LayerInput,
): { layered: Layered; diagnostics: readonly Diagnostic[] } {
  const { kind, apiVersion } = renderer;
  const identity = renderer.identity(context);
  const layers: Layer[] = [
    { name: 'defaults', value: renderer.defaults(context) },
    {
      name: 'infrastructure',
      value: renderer.infrastructure(infrastructure, context),
      from: infrastructureOrigin(gateway),
    },
    { name: 'identity', value: { apiVersion, kind, ...identity } },
  ];
  const diagnostics: Diagnostic[] = [];
  for (const name of PARAMETER_LAYERS) {
    const layer = parameters[name];
    if (layer?.objects[kind] === undefined) continue;
    const violations = identityViolations(kind, name, layer, identity);
    const { value, diagnostics: dropped } = withoutReservedKeys(kind, layer);
    diagnostics.push(...violations, ...(violations.length > 0 ? [] : dropped));
    layers.push(parameterLayer(name, layer, value));
  }
  layers.sort((a, b) => LAYERS.indexOf(a.name) - LAYERS.indexOf(b.name));
  const layered = mergeLayers(kind, layers);
  const derived = renderer.derived?.(layered.value);
  return {
    layered:
      derived === undefined ? layered : mergeLayers(kind, [...layers, { name: 'identity', value: derived }]),
    diagnostics,
  };
}
