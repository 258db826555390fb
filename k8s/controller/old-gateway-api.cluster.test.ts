// A cluster with an older Gateway API: kinds and fields that are not there.
import { expect, it } from 'vitest';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, ownCluster } from '../../test/cluster/vitest.ts';
import { loadCredentials } from '../credentials.ts';
import { dataPlaneRbac } from '../data-plane-rbac.ts';
import { createLog } from '../operation/log.ts';
import { createMetrics } from '../operation/metrics.ts';
import type { ObservedClass, ObservedGateway } from '../status/observed.ts';
import { Transport } from '../transport.ts';
import { runController } from './controller.ts';

interface Crd {
  readonly spec: {
    readonly versions: {
      readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly status: Schema } } };
    }[];
  };
}

interface Schema {
  readonly properties: Record<string, unknown>;
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUP = 'gateway.networking.k8s.io';

describeCluster('an older Gateway API', ['gateway-api'], () => {
  it('has no ListenerSets and fewer fields, and does', { timeout: 120_000 }, async () => {
    const cluster = await ownCluster({ parts: ['gateway-api'] });
    const { client } = cluster;
    const without = async (plural: string, field: string): Promise<void> => {
      const crd = await client.get<Crd>(`${CRDS}/${plural}.${GROUP}`);
      for (const { schema } of crd.spec.versions) {
        delete schema.openAPIV3Schema.properties.status.properties[field];
      }
      const { status } = await client.request('PUT', `${CRDS}/${plural}.${GROUP}`, { body: crd });
      expect(status).toBe(200);
    };
    await without('gatewayclasses', 'supportedFeatures');
    await without('gateways', 'attachedListenerSets');
    await client.delete(`${CRDS}/listenersets.${GROUP}`);
    await eventually('no ListenerSets', async () => {
      const { status } = await client.request('GET', `/apis/${GROUP}/v1/listenersets`);
      return status === 404;
    });
    for (const object of dataPlaneRbac('gari-dataplane')) await client.apply(object);
    const transport = new Transport(await loadCredentials({ kubeconfig: cluster.kubeconfig }));
    const end = new AbortController();
    const running = runController(
      transport,
      {
        controllerName: 'gari.dev/gateway-controller',
        classNames: [],
        image: 'gari-dataplane:v0.1.0',
        bindingName: 'gari-dataplane',
        status: 'infrastructure',
        maxUnavailableGateways: 1,
        dryRun: false,
      },
      {
        log: createLog('error', { write: () => undefined }),
        events: { record: () => undefined },
        metrics: createMetrics(),
        readParameters: async () => undefined,
      },
      end.signal,
    );
    try {
      const apiVersion = `${GROUP}/v1`;
      const spec = { controllerName: 'gari.dev/gateway-controller' };
      await client.apply({ apiVersion, kind: 'GatewayClass', metadata: { name: 'old' }, spec });
      const listeners = [{ name: 'http', port: 80, protocol: 'HTTP' }];
      await client.apply({
        apiVersion,
        kind: 'Gateway',
        metadata: { name: 'web', namespace: 'default' },
        spec: { gatewayClassName: 'old', listeners },
      });
      const accepted = async (path: string) => {
        const { status } = await client.get<ObservedClass | ObservedGateway>(path);
        return status?.conditions?.some(({ type, status: value }) => type === 'Accepted' && value === 'True');
      };
      const base = `/apis/${GROUP}/v1`;
      await eventually('the class to be accepted', () => accepted(`${base}/gatewayclasses/old`));
      await eventually('the Gateway to be accepted', () =>
        accepted(`${base}/namespaces/default/gateways/web`),
      );
    } finally {
      end.abort();
      await running;
      await transport.close();
    }
  });
});
