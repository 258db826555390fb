import { requestedAddresses } from './addresses.ts';
import { deployment } from './deployment.ts';
import { type Diagnostic, diagnose, subjectOf } from './diagnostic.ts';
import { effectiveListeners } from './effective-listeners.ts';
import type { Gateway, GatewayClass, ListenerSet, Namespace } from './gateway-api.ts';
import type { GatewayContext, KindRenderer, Scope } from './gateway-context.ts';
import { infrastructureMetadata } from './infrastructure.ts';
import { layerObject } from './layer-object.ts';
import type { Layered } from './layers.ts';
import { inListenerOrder } from './listener-entry.ts';
import { unknownOrder } from './listener-order.ts';
import { attachedListenerSets } from './listener-sets.ts';
import { missingGatewayArg } from './missing-arg.ts';
import { renderedName } from './names.ts';
import { normalize } from './normalize.ts';
import { unsupported } from './not-yet.ts';
import type { ObjectKey, RenderedObject } from './objects.ts';
import type { DataPlaneValues } from './parameters/data-plane-schema.ts';
import { dataPlaneContainer } from './parameters/image.ts';
import { lastOf, type Parameters, parametersProblem } from './parameters/parameters.ts';
import { type ParametersIndex, resolveParameters } from './parameters/resolve.ts';
import { type Settings, settingsOf } from './parameters/settings.ts';
import { roleBinding } from './role-binding.ts';
import { service } from './service.ts';
import { serviceAccount } from './service-account.ts';
import { servicePorts } from './service-ports.ts';
import type { Sourced } from './source.ts';

/** What a Gateway's objects depend on, beside the Gateway. */
export interface Surroundings {
  readonly gatewayClass?: Sourced<GatewayClass>;
  readonly listenerSets: readonly Sourced<ListenerSet>[];
  readonly namespaces: ReadonlyMap<string, Namespace>;
  readonly parameters: ParametersIndex;
  readonly image: string;
  readonly scope: Scope;
}

/** The objects of one Gateway. */
export interface GatewayResult {
  readonly objects: readonly RenderedObject[];
  /** Whether its ServiceAccount belongs in the shared binding. */
  readonly shared: boolean;
  /** Objects that cannot be rendered now and must stay as they are. */
  readonly retain: readonly ObjectKey[];
  /** Whether its ServiceAccount stays in the shared binding if it is there. */
  readonly retainShared: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Where each field comes from, for each object in `objects`. */
  readonly layered: readonly Layered[];
}

const KINDS: readonly KindRenderer[] = [serviceAccount, roleBinding, deployment, service];

/** Renders one Gateway. With an error among the diagnostics there are no objects, and all are retained. */
export function renderGateway(gateway: Sourced<Gateway>, surroundings: Surroundings): GatewayResult {
  const {
    parameters,
    policy,
    diagnostics: unresolved,
  } = resolveParameters(gateway, surroundings.gatewayClass, surroundings.parameters);
  const unusable = [...unsupported(gateway), ...unresolved];
  const name = renderedName(gateway.object.metadata.name);
  if (hasError(unusable)) return retained(gateway.object, name, unusable);
  const { settings: asked, diagnostics: unsettled } = settingsOf(parameters, policy);
  const isTooWide = surroundings.scope === 'namespaces' && asked.access === 'Shared';
  const settings: Settings = isTooWide ? { ...asked, access: 'Namespaced' } : asked;
  const sets = attachedListenerSets(gateway, surroundings.listenerSets, surroundings.namespaces);
  const { listeners, diagnostics: conflicts } = effectiveListeners(gateway, sets.listenerSets);
  const { ports, http3Port, diagnostics: portProblems } = servicePorts(listeners, settings.ports);
  const { addresses, diagnostics: addressProblems } = requestedAddresses(gateway, settings);
  const { metadata, diagnostics: droppedKeys } = infrastructureMetadata(gateway);
  const context: GatewayContext = {
    gateway: gateway.object,
    name,
    image: surroundings.image,
    roleKind: surroundings.scope === 'cluster' ? 'ClusterRole' : 'Role',
    ports,
    ...(http3Port === undefined ? {} : { http3Port }),
    requestedAddresses: addresses,
    settings,
  };
  const kinds = KINDS.filter((kind) => kind !== roleBinding || settings.access === 'Namespaced');
  const rendered = kinds.map((renderer) => ({
    renderer,
    ...layerObject(renderer, { gateway, context, infrastructure: metadata, parameters }),
  }));
  const objects = rendered.map(({ layered }) => normalize(layered.value) as RenderedObject);
  const diagnostics = [
    ...unusable,
    ...unsettled,
    ...(isTooWide ? accessLimited(parameters) : []),
    ...droppedKeys,
    ...sets.diagnostics,
    ...unknownOrder(gateway, sets.listenerSets, settings.ports),
    ...inListenerOrder([...conflicts, ...portProblems], [gateway, ...sets.listenerSets]),
    ...addressProblems,
    ...rendered.flatMap((each) => each.diagnostics),
    ...argsProblem(gateway, objects, parameters),
    ...(ports.length === 0 ? [noPort(gateway)] : []),
  ];
  if (hasError(diagnostics)) return retained(gateway.object, name, diagnostics);
  // A Service needs a port: without one the last good Service stays (envoyproxy/gateway#3044).
  const kept = ({ kind }: { kind: string }) => kind !== 'Service' || ports.length > 0;
  return {
    objects: objects.filter(kept),
    layered: rendered.filter(({ renderer }) => kept(renderer)).map(({ layered }) => layered),
    shared: settings.access === 'Shared',
    retain: kinds.filter((kind) => !kept(kind)).map((kind) => keyOf(kind, gateway.object, name)),
    retainShared: false,
    diagnostics,
  };
}

function hasError(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** All that the Gateway may have stays as it is, its rights included. */
function retained(gateway: Gateway, name: string, diagnostics: readonly Diagnostic[]): GatewayResult {
  const retain = KINDS.map((kind) => keyOf(kind, gateway, name));
  return { objects: [], shared: false, retain, retainShared: true, diagnostics, layered: [] };
}

function argsProblem(
  gateway: Sourced<Gateway>,
  objects: readonly RenderedObject[],
  parameters: Parameters,
): readonly Diagnostic[] {
  const rendered = objects.find(({ kind }) => kind === 'Deployment');
  const missing = rendered === undefined ? undefined : missingGatewayArg(rendered, gateway.object);
  const inOverlay = ({ overlays }: DataPlaneValues) =>
    dataPlaneContainer(overlays?.deployment?.merge ?? {})?.args;
  const from = lastOf(parameters, (values) => values.container?.args ?? inOverlay(values));
  if (missing === undefined || from === undefined) return [];
  const path =
    inOverlay(from.layer.values) === undefined ? ['container', 'args'] : ['overlays', 'deployment'];
  const message = `has --dataplane-mode without ${missing}: such a data plane would serve every Gateway; add it`;
  return [parametersProblem(from.layer, path, message)];
}

function noPort(gateway: Sourced<Gateway>): Diagnostic {
  const message =
    'has no listener that can be served, so no Service is rendered; one that is there stays as it is';
  return diagnose('warning', 'NoPort', subjectOf(gateway), ['spec', 'listeners'], message);
}

function keyOf({ apiVersion, kind }: KindRenderer, gateway: Gateway, name: string): ObjectKey {
  return { apiVersion, kind, namespace: gateway.metadata.namespace, name };
}

// The default is limited without a word: nobody has asked for it.
function accessLimited(parameters: Parameters): readonly Diagnostic[] {
  const asked = lastOf(parameters, ({ access }) => access);
  if (asked?.value !== 'Shared') return [];
  const message = 'is Shared, which this install for some namespaces cannot give; Namespaced is given';
  return [parametersProblem(asked.layer, ['access'], message, 'warning', 'AccessLimited')];
}
