import { describe, expect, it } from 'vitest';
import { DATA_PLANE_PORTS, dataPlanePod } from './data-plane.ts';
import { deployment } from './deployment.ts';
import type { Gateway } from './gateway-api.ts';
import type { GatewayContext } from './gateway-context.ts';
import { settingsOf } from './parameters/settings.ts';
import { service } from './service.ts';
import { serviceAccount } from './service-account.ts';

const gateway: Gateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: { gatewayClassName: 'gari', listeners: [] },
};
const { settings } = settingsOf([], {});
const context: GatewayContext = {
  gateway,
  name: 'web-gari',
  roleKind: 'ClusterRole',
  image: 'i:1',
  ports: [],
  requestedAddresses: [],
  settings,
};
const ARGS = ['--dataplane-mode', '--gateway-namespace=prod', '--gateway-name=web'];

describe('the pod of the built-in data plane', () => {
  const containerOf = (http3Port?: number) =>
    dataPlanePod({ ...context, ...(http3Port === undefined ? {} : { http3Port }) }).containers;

  it('is one container, that serves one Gateway and is ready once it has its configuration', () => {
    expect(containerOf()).toEqual([
      {
        name: 'dataplane',
        image: 'i:1',
        args: ARGS,
        ports: [
          { name: 'http', containerPort: 8000, protocol: 'TCP' },
          { name: 'https', containerPort: 8443, protocol: 'TCP' },
          { name: 'http3', containerPort: 8443, protocol: 'UDP' },
          { name: 'ready', containerPort: 8081, protocol: 'TCP' },
        ],
        readinessProbe: { httpGet: { path: '/readyz', port: 'ready' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
      },
    ]);
    expect(DATA_PLANE_PORTS).toEqual({ http: 8000, https: 8443, tls: 8443, ready: 8081, http3: true });
  });

  it('passes Pod Security "restricted"', () => {
    expect(dataPlanePod(context).securityContext).toEqual({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
  });

  it('advertises HTTP/3 in one more argument, and changes with nothing else', () => {
    expect(containerOf(443)).toEqual([
      { ...(containerOf() as [object])[0], args: [...ARGS, '--proxy-http3-advertised-port=443'] },
    ]);
  });
});

describe('Deployment', () => {
  it('sets no replicas, so that kubectl scale and an autoscaler keep what they set', () => {
    for (const layer of [deployment.defaults(context), deployment.identity(context)])
      expect(layer.spec).not.toHaveProperty('replicas');
  });

  it.each([
    ['Shared', undefined],
    ['None', false],
  ] as const)('with access %s mounts a token: %s', (access, expected) => {
    expect(deployment.defaults({ ...context, settings: { ...settings, access } })).toEqual({
      spec: {
        template: {
          spec: {
            ...dataPlanePod(context),
            ...(expected === undefined ? {} : { automountServiceAccountToken: expected }),
          },
        },
      },
    });
  });

  it('passes on image and HTTP/3 port', () => {
    expect(deployment.defaults({ ...context, image: 'mirror/i:2', http3Port: 443 })).toEqual({
      spec: { template: { spec: dataPlanePod({ ...context, image: 'mirror/i:2', http3Port: 443 }) } },
    });
  });

  it('hashes the template as it is rendered: nothing empty, keys in order', () => {
    const hashOf = (template: object, more = {}) =>
      deployment.derived?.({ spec: { ...more, template: template as never } });
    const written = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'dataplane' }] } };
    const loose = {
      spec: { volumes: [], containers: [{ name: 'dataplane', env: null }] },
      metadata: { annotations: {}, labels: { a: 'b' } },
    };
    expect(hashOf(loose)).toEqual(hashOf(written));
    expect(hashOf(written, { replicas: 3 })).toEqual(hashOf(written));
    expect(hashOf({ ...written, spec: {} })).not.toEqual(hashOf(written));
  });
});

describe('Service', () => {
  const NOBODYS = { labels: {}, annotations: {} };

  it('is a LoadBalancer, with the address that is asked for', () => {
    expect(service.defaults(context)).toEqual({ spec: { type: 'LoadBalancer', ports: [] } });
    expect(service.infrastructure(NOBODYS, context)).toEqual({ metadata: NOBODYS });
    expect(service.infrastructure(NOBODYS, { ...context, requestedAddresses: ['192.0.2.1'] })).toEqual({
      metadata: NOBODYS,
      spec: { loadBalancerIP: '192.0.2.1' },
    });
  });

  it('selects the pods of the Deployment', () => {
    const selector = {
      'gari.dev/component': 'dataplane',
      'gateway.networking.k8s.io/gateway-name': 'web',
    };
    expect(service.identity(context).spec).toEqual({ selector, ports: [] });
    expect(deployment.identity(context).spec).toMatchObject({
      selector: { matchLabels: selector },
      template: { metadata: { labels: selector }, spec: { serviceAccountName: 'web-gari' } },
    });
  });
});

it.each([
  [serviceAccount, 'v1', 'ServiceAccount'],
  [deployment, 'apps/v1', 'Deployment'],
  [service, 'v1', 'Service'],
] as const)(
  'each kind is what it is, and has the name, the labels and the annotation: %#',
  (renderer, apiVersion, kind) => {
    expect([renderer.apiVersion, renderer.kind]).toEqual([apiVersion, kind]);
    expect(renderer.identity(context).metadata).toEqual({
      name: 'web-gari',
      namespace: 'prod',
      labels: {
        'app.kubernetes.io/managed-by': 'gari',
        'app.kubernetes.io/name': 'gari-dataplane',
        'gari.dev/component': 'dataplane',
        'gateway.networking.k8s.io/gateway-class-name': 'gari',
        'gateway.networking.k8s.io/gateway-name': 'web',
      },
      annotations: { 'gari.dev/gateway': 'prod/web' },
    });
    const given = { labels: { team: 'a' }, annotations: { note: 'b' } };
    expect(renderer.infrastructure(given, context).metadata).toEqual(given);
  },
);
