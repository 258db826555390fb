import { accessOf, missingGatewayArg } from './access.ts';
import { requestedAddress } from './addresses.ts';
import { DATA_PLANE_PORTS } from './data-plane.ts';
import { deployment } from './deployment.ts';
import { type Diagnostic, diagnose, subjectOf } from './diagnostic.ts';
import { effectiveListeners } from './effective-listeners.ts';
import type { Gateway, GatewayClass, ListenerSet, Namespace } from './gateway-api.ts';
import type { GatewayContext, KindRenderer } from './gateway-context.ts';
import { infrastructureMetadata } from './infrastructure.ts';
import { layerObject } from './layer-object.ts';
import type { Layered } from './layers.ts';
import { unknownOrder } from './listener-order.ts';
import { attachedListenerSets } from './listener-sets.ts';
import { renderedName } from './names.ts';
import { normalize } from './normalize.ts';
import { unsupported } from './not-yet.ts';
import type { ObjectKey, RenderedObject } from './objects.ts';
import type { Parameters } from './parameters.ts';
import { service } from './service.ts';
import { serviceAccount } from './service-account.ts';
import { servicePorts } from './service-ports.ts';
import type { Sourced } from './source.ts';

/** What a Gateway's objects depend on, beside the Gateway. */
export interface Surroundings {
  readonly gatewayClass?: Sourced<GatewayClass>;
  readonly listenerSets: readonly Sourced<ListenerSet>[];
  readonly namespaces: ReadonlyMap<string, Namespace>;
  readonly parameters: Parameters;
  readonly image: string;
}

/** The objects of one Gateway. */
export interface GatewayResult {
  readonly objects: readonly RenderedObject[];
  /** Whether its ServiceAccount belongs in the shared binding. */
  readonly shared: boolean;
  /** Objects that cannot be rendered now and must stay as they are. */
  readonly retain: readonly ObjectKey[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where each field comes from, for each object in `objects`. */
  readonly layered: readonly Layered[];
}

const KINDS: readonly KindRenderer[] = [serviceAccount, deployment, service];

/** Renders one Gateway. With an error among the diagnostics there are no objects, and all are retained. */
export function renderGateway(gateway: Sourced<Gateway>, surroundings: Surroundings): GatewayResult {
  const { parameters, image } = surroundings;
  const sets = attachedListenerSets(gateway, surroundings.listenerSets, surroundings.namespaces);
  const { listeners, diagnostics: conflicts } = effectiveListeners(gateway, sets.listenerSets);
  const { ports, http3Port, diagnostics: portProblems } = servicePorts(listeners, DATA_PLANE_PORTS);
  const { address, diagnostics: addressProblems } = requestedAddress(gateway);
  const { metadata, diagnostics: droppedKeys } = infrastructureMetadata(gateway);
  const context: GatewayContext = {
    gateway: gateway.object,
    name: renderedName(gateway.object.metadata.name),
    image,
    access: accessOf(parameters),
    ports,
    ...(http3Port === undefined ? {} : { http3Port }),
    ...(address === undefined ? {} : { requestedAddress: address }),
  };
  const rendered = KINDS.map((renderer) => ({
    renderer,
    ...layerObject(renderer, { gateway, context, infrastructure: metadata, parameters }),
  }));
  const objects = rendered.map(({ layered }) => normalize(layered.value) as RenderedObject);
  const diagnostics = [
    ...unsupported(gateway, surroundings.gatewayClass),
    ...droppedKeys,
    ...sets.diagnostics,
    ...unknownOrder(gateway, sets.listenerSets, DATA_PLANE_PORTS),
    ...conflicts,
    ...portProblems,
    ...addressProblems,
    ...rendered.flatMap((each) => each.diagnostics),
    ...argsProblem(gateway, objects, parameters),
    ...(ports.length === 0 ? [noPort(gateway)] : []),
  ];
  if (diagnostics.some(({ severity }) => severity === 'error')) {
    return {
      objects: [],
      shared: false,
      retain: KINDS.map((kind) => keyOf(kind, context)),
      diagnostics,
      layered: [],
    };
  }
  // A Service needs a port: without one the last good Service stays (envoyproxy/gateway#3044).
  const kept = ({ kind }: { kind: string }) => kind !== 'Service' || ports.length > 0;
  return {
    objects: objects.filter(kept),
    layered: rendered.filter(({ renderer }) => kept(renderer)).map(({ layered }) => layered),
    shared: context.access === 'Shared',
    retain: KINDS.filter((kind) => !kept(kind)).map((kind) => keyOf(kind, context)),
    diagnostics,
  };
}

function argsProblem(
  gateway: Sourced<Gateway>,
  objects: readonly RenderedObject[],
  parameters: Parameters,
): readonly Diagnostic[] {
  const rendered = objects.find(({ kind }) => kind === 'Deployment');
  const missing = rendered === undefined ? undefined : missingGatewayArg(rendered, gateway.object);
  if (missing === undefined) return [];
  const layer = parameters.enforced ?? parameters.gateway ?? parameters.class;
  const subject =
    layer === undefined
      ? subjectOf(gateway)
      : { object: layer.from, ...(layer.source === undefined ? {} : { source: layer.source }) };
  const path = ['Deployment', 'spec', 'template', 'spec', 'containers'];
  const message = `has --dataplane-mode in its args without ${missing}: such a data plane would serve every Gateway; add it`;
  return [diagnose('error', 'InvalidParameters', subject, path, message)];
}

function noPort(gateway: Sourced<Gateway>): Diagnostic {
  const message =
    'has no listener that can be served, so no Service is rendered; one that is there stays as it is';
  return diagnose('warning', 'NoPort', subjectOf(gateway), ['spec', 'listeners'], message);
}

function keyOf({ apiVersion, kind }: KindRenderer, { gateway, name }: GatewayContext): ObjectKey {
  return { apiVersion, kind, namespace: gateway.metadata.namespace, name };
}
