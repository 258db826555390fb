// The ready-made data planes in a real cluster: with `gari apply`, in a namespace that enforces Pod Security restricted.
import { beforeAll, expect, it } from 'vitest';
import { dataPlaneRbac } from '../k8s/data-plane-rbac.ts';
import type { JsonObject } from '../render/json.ts';
import type { KubeObject } from './cluster/client.ts';
import { eventually } from './cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from './cluster/vitest.ts';
import { ensureDataPlaneCrd } from './data-plane-crd.ts';
import { DATA_PLANES, exampleObjects } from './data-planes.ts';
import { runGari } from './run-gari.ts';

const RESTRICTED = {
  'pod-security.kubernetes.io/enforce': 'restricted',
  'pod-security.kubernetes.io/warn': 'restricted',
};

interface Deployment extends KubeObject {
  readonly status?: { readonly availableReplicas?: number; readonly replicas?: number };
}

describeCluster(
  'the ready-made data planes',
  ['gateway-api', 'controller-manager', 'scheduler', 'kwok'],
  () => {
    beforeAll(async () => {
      await ensureDataPlaneCrd();
      for (const object of dataPlaneRbac('gari-dataplane')) await sharedCluster().client.apply(object);
    });

    it.each(DATA_PLANES)('%s runs under Pod Security restricted', async (name) => {
      const { client, kubeconfig } = sharedCluster();
      const namespace = await testNamespace(RESTRICTED);
      const inNamespace = (object: JsonObject) =>
        JSON.parse(
          JSON.stringify(object).replaceAll(/"(prod|gari-system)"/g, JSON.stringify(namespace)),
        ) as JsonObject;
      const objects = [...exampleObjects(name, 'class'), ...exampleObjects(name, 'gateway')].map(inNamespace);
      // The class is read from the files: there is one of each name in a cluster.
      const own = objects.filter(({ kind }) => kind !== 'Namespace' && kind !== 'GatewayClass');
      for (const object of own) await client.apply(object);

      const { exitCode, stderr } = await runGari('apply', objects, '--kubeconfig', kubeconfig);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web-gari`;
      await eventually('its pods are admitted and run', async () => {
        const { status } = await client.get<Deployment>(path);
        return status?.availableReplicas === (name === 'gari' ? 4 : 1);
      });

      // What the namespace would have said, had it something to say.
      const deployment = exampleObjects(name, 'rendered').find(({ kind }) => kind === 'Deployment')!;
      const asked = {
        query: { dryRun: 'All', fieldManager: 'other', force: true },
        contentType: 'application/apply-patch+yaml',
      };
      const { warnings } = await client.request('PATCH', path, { ...asked, body: inNamespace(deployment) });
      expect(warnings).toEqual([]);
      const privileged = { spec: { template: { spec: { hostNetwork: true } } } };
      const worse = await client.request('PATCH', path, {
        query: { dryRun: 'All' },
        contentType: 'application/merge-patch+json',
        body: privileged,
      });
      expect(worse.warnings.join()).toContain('would violate PodSecurity');
    });
  },
);
