import type { Gateway } from './gateway-api.ts';
import type { GatewayContext } from './gateway-context.ts';
import type { JsonObject } from './json.ts';
import { fromRegistry } from './parameters/registry.ts';
import type { DataPlanePorts } from './service-ports.ts';

/** The image where neither parameters nor the caller name one. */
export const DEFAULT_IMAGE = 'gari-dataplane:v0.1.0';

/** The container that is the data plane; its ports do not depend on listeners, so that a listener change restarts nothing. */
export const DATA_PLANE_CONTAINER = 'dataplane';

export const DATA_PLANE_PORTS: DataPlanePorts = {
  http: 8000,
  https: 8443,
  tls: 8443,
  ready: 8081,
  http3: true,
};

/** The pod of the built-in data plane; passes Pod Security `restricted`. */
export function dataPlanePod({ gateway, image, http3Port, settings }: GatewayContext): JsonObject {
  const { http, https, tls, ready, http3 } = settings.ports;
  return {
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: DATA_PLANE_CONTAINER,
        image: fromRegistry(image, settings.imageRegistry),
        args: [
          '--dataplane-mode',
          ...gatewayArgs(gateway),
          ...(http3Port === undefined ? [] : [`--proxy-http3-advertised-port=${http3Port}`]),
        ],
        ports: [
          { name: 'http', containerPort: http, protocol: 'TCP' },
          { name: 'https', containerPort: https, protocol: 'TCP' },
          ...(tls === https ? [] : [{ name: 'tls', containerPort: tls, protocol: 'TCP' }]),
          ...(http3 ? [{ name: 'http3', containerPort: https, protocol: 'UDP' }] : []),
          { name: 'ready', containerPort: ready, protocol: 'TCP' },
        ],
        // Passes only once the first configuration is applied.
        readinessProbe: { httpGet: { path: settings.readyPath, port: 'ready' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
      },
    ],
  };
}

/** The arguments that bind a data plane to its Gateway: without them it would serve every one. */
export function gatewayArgs({ metadata }: Gateway): readonly [string, string] {
  return [`--gateway-namespace=${metadata.namespace}`, `--gateway-name=${metadata.name}`];
}
