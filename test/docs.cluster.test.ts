// The commands in the documentation that need a cluster.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from './cluster/eventually.ts';
import { describeCluster, ownCluster, sharedCluster, testNamespace } from './cluster/vitest.ts';
import { ensureDataPlaneCrd } from './data-plane-crd.ts';
import { documentedCommands, NEEDS_CLUSTER } from './docs-commands.ts';
import { docsShell } from './docs-shell.ts';

const pages = [
  'docs/how-to/review-in-a-pull-request.md',
  'docs/how-to/apply-without-a-controller.md',
  'docs/how-to/parameters.md',
  'docs/how-to/bring-your-own-data-plane.md',
];
// What the examples bring with them.
const EXAMPLES = [
  '/api/v1/namespaces/prod',
  '/api/v1/namespaces/gari-system',
  '/apis/gateway.networking.k8s.io/v1/gatewayclasses/nginx',
];
const parts = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;

describeCluster('documented commands', parts, () => {
  it.each(pages)('%s', async (page) => {
    const cluster = sharedCluster();
    const namespace = await testNamespace();
    const directory = mkdtempSync(join(tmpdir(), 'gari-docs-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    onTestFinished(async () => {
      for (const path of EXAMPLES) await cluster.client.request('DELETE', path);
      for (const path of EXAMPLES) {
        await eventually(
          `${path} to go`,
          async () => (await cluster.client.request('GET', path)).status === 404,
          { timeoutMs: 60_000 },
        );
      }
    });
    for (const name of ['examples', 'k8s']) symlinkSync(resolve(name), join(directory, name));
    mkdirSync(join(directory, 'gateways'));
    const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: web, namespace: ${namespace}}
spec:
  gatewayClassName: gari
  listeners: [{name: http, port: 80, protocol: HTTP}]
`;
    writeFileSync(join(directory, 'gateways/web.yaml'), gateway);
    const run = docsShell(directory, cluster);
    expect(run('npx gari render gateways/ --output-dir rendered').status).toBe(0);
    // A server explains a new kind some time after it serves it.
    await ensureDataPlaneCrd();
    await eventually('DataPlane is explained', () => run('kubectl explain dataplane.spec').status === 0);
    const commands = documentedCommands(page).filter(({ command }) => NEEDS_CLUSTER.test(command));
    expect(commands.length).toBeGreaterThan(0);
    for (const { command } of commands) {
      const { status, stdout } = run(command);
      expect(status, `${command}\n${stdout}`).toBe(0);
    }
  });
});

// In a cluster of its own: what is installed here is for the whole of it.
describeCluster('documented commands about the controller', parts, () => {
  it('README.md and docs/how-to/run-the-controller.md', async () => {
    const cluster = await ownCluster({ parts });
    const directory = mkdtempSync(join(tmpdir(), 'gari-docs-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const page = 'docs/how-to/run-the-controller.md';
    const [gateway = ''] =
      /(?<=^```yaml\n)apiVersion: gateway[\s\S]*?(?=^```)/m.exec(readFileSync(page, 'utf8')) ?? [];
    writeFileSync(join(directory, 'web.yaml'), gateway);
    const run = docsShell(directory, cluster);
    expect(run('kubectl create namespace shop && kubectl create namespace blog').status).toBe(0);
    const commands = ['README.md', page].flatMap(documentedCommands);
    const ofCluster = commands.filter(({ command }) => NEEDS_CLUSTER.test(command));
    expect(ofCluster.length).toBeGreaterThan(10);
    for (const { command } of ofCluster) {
      const { status, stdout } = run(command);
      expect(status, `${command}\n${stdout}`).toBe(0);
    }
    // All that was installed for the whole cluster is gone.
    expect(run('kubectl get clusterrole gari-dataplane gari-system-controller').stdout).toMatch(
      /not found[\s\S]*not found/,
    );
  });
});
