import { DATA_PLANE_PORTS } from '../data-plane.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { Access } from '../gateway-context.ts';
import type { JsonObject } from '../json.ts';
import type { DataPlanePorts } from '../service-ports.ts';
import { DATA_PLANE_SPEC, type DataPlaneValues } from './data-plane-schema.ts';
import { dataPlaneImage } from './image.ts';
import { overlayProblems } from './overlay-layer.ts';
import { lastOf, type ParameterLayer, type Parameters, parametersProblem } from './parameters.ts';
import { isMore, type Policy } from './policy.ts';
import type { FieldRule } from './schema-field.ts';

/** How addresses that a Gateway asks for are passed on. */
export type RequestedAddress = NonNullable<NonNullable<DataPlaneValues['service']>['requestedAddress']>;

/** What parameters decide beside fields of objects: what several objects depend on. */
export interface Settings {
  readonly access: Access;
  readonly ports: DataPlanePorts;
  readonly readyPath: string;
  readonly requestedAddress: RequestedAddress;
  readonly serviceType: string;
  /** The objects that `spec.infrastructure` reaches: kinds, and `Pod`. */
  readonly infrastructureTargets?: readonly string[];
  /** In place of the registry of the data plane's image. */
  readonly imageRegistry?: string;
}

/** What the layers together say, and what is wrong only when they are taken together. */
export function settingsOf(
  parameters: Parameters,
  policy: Policy,
): { readonly settings: Settings; readonly diagnostics: readonly Diagnostic[] } {
  const last = <T>(read: (values: DataPlaneValues) => T | undefined) => lastOf(parameters, read)?.value;
  const ports = Object.assign({}, ...parameters.map(({ values }) => values.container?.ports ?? {}));
  const https = ports.https ?? DATA_PLANE_PORTS.https;
  const registry = last(({ container }) => container?.imageRegistry);
  const targets = last((values) => values.infrastructureMetadata);
  const settings: Settings = {
    access: accessOf(parameters, policy),
    ports: {
      http: ports.http ?? DATA_PLANE_PORTS.http,
      https,
      tls: ports.tls ?? https,
      ready: ports.ready ?? DATA_PLANE_PORTS.ready,
      http3: last((values) => values.http3) ?? true,
    },
    readyPath: last(({ container }) => container?.readyPath) ?? '/readyz',
    requestedAddress: last(({ service }) => service?.requestedAddress) ?? { via: 'LoadBalancerIP' },
    serviceType: last(({ service }) => service?.type) ?? 'LoadBalancer',
    ...(targets === undefined ? {} : { infrastructureTargets: targets }),
    ...(registry === undefined ? {} : { imageRegistry: registry }),
  };
  const { http, tls, ready } = settings.ports;
  return {
    settings,
    diagnostics: [
      ...parameters.flatMap(overlayProblems),
      ...broken(parameters, ['container', 'ports'], { http, https, tls, ready }),
      ...broken(
        parameters,
        ['service'],
        merged(parameters, (values) => values.service),
      ),
    ],
  };
}

/**
 * What the data plane may read. An image of its own gets nothing unless the same or a higher layer says
 * so: what was granted to one image is not granted to another.
 */
function accessOf(parameters: Parameters, { maxAccess = 'Shared' }: Policy): Access {
  let access: Access = 'Shared';
  for (const { values } of parameters) {
    if (dataPlaneImage(values) !== undefined) access = 'None';
    access = values.access ?? access;
  }
  return isMore(access, maxAccess) ? maxAccess : access;
}

/** Rules that each layer satisfies on its own, and not what is merged from them. */
function broken(
  parameters: Parameters,
  path: readonly ['service'] | readonly ['container', 'ports'],
  values: JsonObject,
): readonly Diagnostic[] {
  const [group, field] = path;
  const layer = lastOf(parameters, (each) =>
    field === undefined ? each[group] : each.container?.ports,
  )?.layer;
  if (layer === undefined) return [];
  return rulesOf(path)
    .filter(({ holds }) => !holds(values))
    .map(({ message }) =>
      parametersProblem(
        layer,
        path,
        `breaks, together with ${others(parameters, layer)}, the rule "${message}"`,
      ),
    );
}

function rulesOf([group]: readonly ['service'] | readonly ['container', 'ports']): readonly FieldRule[] {
  const { service, container } = DATA_PLANE_SPEC.fields;
  return group === 'service' ? service.rules : container.fields.ports.rules;
}

function others(parameters: Parameters, layer: ParameterLayer): string {
  const names = parameters.filter((each) => each !== layer).map(({ name }) => `the ${name} layer`);
  return ['the defaults', ...names].join(' and ');
}

function merged(
  parameters: Parameters,
  read: (values: DataPlaneValues) => JsonObject | undefined,
): JsonObject {
  return Object.assign({}, ...parameters.map(({ values }) => read(values) ?? {}));
}
