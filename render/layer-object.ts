import { type Diagnostic, subjectOf } from './diagnostic.ts';
import type { Gateway } from './gateway-api.ts';
import type { GatewayContext, InfrastructureMetadata, KindRenderer } from './gateway-context.ts';
import {
  identityGuard,
  identityViolations,
  nothingRemoved,
  type WrittenLayer,
  withoutReservedKeys,
} from './identity-guard.ts';
import { infrastructureOrigin } from './infrastructure.ts';
import { LAYERS, type Layer, type Layered, mergeLayers } from './layers.ts';
import type { Parameters } from './parameters/parameters.ts';
import { valueLayers } from './parameters/value-layers.ts';
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
  const guard = identityGuard(kind, subjectOf(gateway).object, identity);
  for (const layer of parameters.flatMap((each) => valueLayers(kind, each, context))) {
    const violations = identityViolations(guard, layer);
    const { value, diagnostics: dropped } = withoutReservedKeys(layer);
    diagnostics.push(...violations, ...(violations.length > 0 ? [] : dropped));
    layers.push({ ...layer, value });
  }
  layers.sort((a, b) => LAYERS.indexOf(a.name) - LAYERS.indexOf(b.name));
  const finish = (value: Layered['value']) => renderer.finish?.(value, context) ?? value;
  const first = mergeLayers(kind, layers);
  for (const { layer, index } of first.notThere) {
    if (layer.from !== undefined) diagnostics.push(...nothingRemoved(layer as WrittenLayer, index));
  }
  const derived = renderer.derived?.(finish(first.value));
  const layered =
    derived === undefined ? first : mergeLayers(kind, [...layers, { name: 'identity', value: derived }]);
  return { layered: { ...layered, value: finish(layered.value) }, diagnostics };
}
