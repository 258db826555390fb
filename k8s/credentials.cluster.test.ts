// Credentials that change while they are used, on a real API server.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { serviceAccountToken } from '../test/cluster/service-account.ts';
import { describeCluster, sharedCluster, testNamespace } from '../test/cluster/vitest.ts';
import { holdingProxy } from '../test/holding-proxy.ts';
import { runGari } from '../test/run-gari.ts';
import { podCredentials } from './pod-credentials.ts';
import { Transport } from './transport.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gari-credentials-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
});

describeCluster('credentials', ['gateway-api'], () => {
  it('of an exec plugin are asked for again once the server refuses them', async () => {
    const cluster = sharedCluster();
    const namespace = await testNamespace();
    const gateway = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'web', namespace },
      spec: { gatewayClassName: 'gari', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
    };
    await cluster.client.apply(gateway);
    const [token, plugin] = [join(directory, 'token'), join(directory, 'plugin')];
    const credential = '{"apiVersion":"%s","kind":"ExecCredential","status":{"token":"%s"}}';
    const version = 'client.authentication.k8s.io/v1';
    writeFileSync(plugin, `#!/bin/sh\nprintf '${credential}' ${version} "$(cat '${token}')"\n`);
    chmodSync(plugin, 0o755);
    writeFileSync(token, 'expired');
    // Whoever holds the credentials renews them when the first request is on its way.
    const proxy = await holdingProxy(cluster, async () => writeFileSync(token, cluster.token));
    const config = JSON.parse(readFileSync(proxy.kubeconfig, 'utf8'));
    const exec = { apiVersion: version, command: plugin, interactiveMode: 'Never' };
    config.users = [{ name: 'proxy', user: { exec } }];
    const kubeconfig = join(directory, 'kubeconfig');
    writeFileSync(kubeconfig, JSON.stringify(config));
    const { exitCode, stdout } = await runGari(
      'apply',
      [gateway],
      ...['--kubeconfig', kubeconfig, '--dry-run=server', '--binding-name', 'gari-absent'],
    );
    expect(exitCode).toBe(1);
    expect(stdout.match(/created/g)).toHaveLength(3);
    const reads = proxy.passed.filter((request) => request.endsWith('/gatewayclasses/gari'));
    expect(reads).toHaveLength(2);
  });

  it('of a pod are read again once the server refuses them', async () => {
    const cluster = sharedCluster();
    const namespace = await testNamespace();
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
    await cluster.client.apply({
      ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
    });
    const token = join(directory, 'token');
    writeFileSync(join(directory, 'ca.crt'), cluster.ca);
    writeFileSync(token, 'expired');
    const { hostname, port } = new URL(cluster.server);
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const credentials = podCredentials(env, directory);
    if (credentials === undefined) throw new Error('there is a token');
    const transport = new Transport(credentials);
    onTestFinished(() => transport.close());
    await expect(transport.request('GET', '/api')).rejects.toMatchObject({ code: 401 });
    writeFileSync(token, await serviceAccountToken(cluster, namespace, 'default'));
    // It may not read itself, and that is what it is told now.
    await expect(transport.request('GET', path)).rejects.toMatchObject({ code: 403 });
    expect(await transport.request('GET', '/version')).toHaveProperty('gitVersion');
  });
});
