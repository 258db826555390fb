import { expect, it, onTestFinished } from 'vitest';
import { auditEvents, auditMark } from '../../test/cluster/audit.ts';
import { serviceAccountKubeconfig } from '../../test/cluster/service-account.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { watchedResources } from '../controller/watched.ts';
import { loadCredentials } from '../credentials.ts';
import { namespaceRules } from '../install/controller-rbac.ts';
import { policyRule } from '../install/manifest.ts';
import { Transport } from '../transport.ts';
import { createLog } from './log.ts';
import { type Needs, NotInstalled, preflight } from './preflight.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Asks as an account that has these rights in its own namespace. */
async function asked(needs: Partial<Needs>, rules: readonly object[] = []) {
  const cluster = sharedCluster();
  const namespace = await testNamespace();
  const metadata = { name: 'gari', namespace };
  await cluster.client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  await cluster.client.create({ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules });
  await cluster.client.create({
    ...{ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'gari' },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  });
  const kubeconfig = await serviceAccountKubeconfig(cluster, namespace, 'gari');
  const transport = new Transport(await loadCredentials({ kubeconfig }));
  onTestFinished(() => transport.close());
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const all = { resources: watchedResources('gari-none'), ...needs };
  const ask = (more: Partial<Needs> = {}) =>
    preflight(transport, { ...all, ...more }, log, new AbortController().signal);
  return { ask, namespace, user: `system:serviceaccount:${namespace}:gari`, lines };
}

describeCluster('the questions at the start', ['gateway-api'], () => {
  it('name each right that is missing, once', async () => {
    const { ask } = await asked({ bindingName: 'gari-none' });
    const error: unknown = await ask().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NotInstalled);
    const problems = (error as NotInstalled).message.split('; ');
    expect(problems).toContain('no right to list gateways.gateway.networking.k8s.io');
    expect(problems).toContain('no right to list serviceaccounts');
    expect(problems).toContain('no right to get clusterrolebindings.rbac.authorization.k8s.io gari-none');
    expect(problems).toHaveLength(new Set(problems).size);
  });

  it('stay within the namespaces of the scope, and need no more rights than a Role there gives', async () => {
    const mark = await auditMark(sharedCluster());
    const { ask, namespace, user } = await asked({}, namespaceRules().map(policyRule));
    await ask({ namespaces: [namespace] });
    const uris = (await auditEvents(sharedCluster(), mark))
      .filter(({ user: { username } }) => username === user)
      .map(({ requestURI }) => requestURI);
    expect(uris.length).toBeGreaterThan(5);
    expect(uris.filter((uri) => !uri.includes(`/namespaces/${namespace}/`))).toEqual([]);
    await expect(ask({ namespaces: [namespace, 'default'] })).rejects.toThrow(
      'no right to list deployments.apps in namespace default',
    );
  });

  it('tell a missing binding and a missing kind from a missing right', async () => {
    const transport = new Transport(await loadCredentials({ kubeconfig: sharedCluster().kubeconfig }));
    onTestFinished(() => transport.close());
    const log = createLog('error', { write: () => undefined });
    const type = { group: 'gari.dev', version: 'v1', plural: 'nothings', kind: 'Nothing', namespaced: true };
    const needs = { resources: [{ type }], bindingName: 'no-such-binding' };
    const { signal } = new AbortController();
    await expect(preflight(transport, needs, log, signal)).rejects.toThrow(
      "the cluster has no nothings.gari.dev: install the Gateway API's CRDs; the cluster has no clusterrolebindings.rbac.authorization.k8s.io no-such-binding; gari install --only=data-plane-rbac prints it",
    );
    const optional = { resources: [{ type, optional: true }] };
    await expect(preflight(transport, optional, log, signal)).resolves.toBeUndefined();
  });

  it('are asked again while the server cannot be reached', async () => {
    const credentials = {
      ...{ server: 'https://127.0.0.1:1', insecure: true },
      authorization: async () => ({}),
    };
    const transport = new Transport(credentials);
    const end = new AbortController();
    const lines: string[] = [];
    const log = createLog('error', {
      write: (line) => {
        if (lines.push(line) === 2) end.abort();
      },
    });
    await preflight(transport, { resources: [], bindingName: 'x' }, log, end.signal);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('https://127.0.0.1:1 cannot be reached');
  });
});
