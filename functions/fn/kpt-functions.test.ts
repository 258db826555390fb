import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Configs, type KubernetesObject, TestRunner } from 'kpt-functions';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gariFunction } from './kpt-functions.ts';

// The SDK makes a console of its own, and the one of vitest cannot.
await vi.hoisted(async () => {
  const { Console } = await import('node:console');
  Object.assign(globalThis.console, { Console });
});

const gateway = (port = 80): KubernetesObject =>
  ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace: 'prod' },
    spec: { gatewayClassName: 'gari', listeners: [{ name: 'http', port, protocol: 'HTTP' }] },
  }) as KubernetesObject;
// The SDK's runner is written for Jasmine.
vi.stubGlobal('expect', expect);
vi.stubGlobal('expectAsync', (promise: Promise<void>) => ({ toBeResolved: () => promise }));
const runner = new TestRunner(gariFunction);

describe('gariFunction', () => {
  it('renders what a Gateway needs, and changes nothing the second time', async () => {
    const configs = new Configs([gateway()]);
    await gariFunction(configs);
    const rendered = configs.getAll();
    expect(rendered.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'ClusterRoleBinding gari-dataplane',
      'Deployment web-gari',
      'Gateway web',
      'Service web-gari',
      'ServiceAccount web-gari',
    ]);
    await runner.assert(new Configs([gateway()]), new Configs(rendered));
    await runner.assert(new Configs(rendered), 'unchanged');
  });

  it('reads its configuration', async () => {
    const config = {
      apiVersion: 'fn.gari.dev/v1alpha1',
      kind: 'RenderGateways',
      metadata: { name: 'x' },
      spec: { image: 'example.com/proxy:v2' },
    } as KubernetesObject;
    const configs = new Configs([gateway()], config);
    await gariFunction(configs);
    expect(JSON.stringify(configs.getAll())).toContain('example.com/proxy:v2');
  });

  it('says what is wrong and leaves everything as it is', async () => {
    const configs = new Configs([gateway(0)]);
    await gariFunction(configs);
    expect(configs.getAll()).toEqual([gateway(0)]);
    expect(configs.getResults()).toEqual([
      {
        severity: 'error',
        message: 'Gateway prod/web: spec.listeners[0].port must be between 1 and 65535, not 0',
        resourceRef: {
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind: 'Gateway',
          namespace: 'prod',
          name: 'web',
        },
        field: { path: 'spec.listeners[0].port' },
      },
    ]);
  });

  it('says warnings in the words of the SDK', async () => {
    const { metadata, ...rest } = gateway();
    const configs = new Configs([{ ...rest, metadata: { name: metadata.name } }]);
    await gariFunction(configs);
    expect(configs.getResults()).toMatchObject([{ severity: 'warn', field: { path: 'metadata.namespace' } }]);
  });
});

describe('the package', () => {
  const list = (port: number) =>
    JSON.stringify({
      apiVersion: 'config.kubernetes.io/v1',
      kind: 'ResourceList',
      items: [gateway(port)],
    });
  const runs = (port: number) => {
    const directory = mkdtempSync(join(tmpdir(), 'gari-sdk-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    writeFileSync(join(directory, 'in.json'), list(port));
    const program = "require('kpt-functions').run(require('@gari-dev/gari/kpt-functions').gariFunction)";
    const args = ['--input', join(directory, 'in.json'), '--json', '--log-to-stderr'];
    // To a file: the SDK opens /dev/stdout, which a socket does not let it.
    args.push('--output', join(directory, 'out.json'));
    const { status, stderr } = spawnSync('node', ['-e', program, '--', 'FUNC', ...args], {
      encoding: 'utf8',
    });
    return { status, stderr, output: () => readFileSync(join(directory, 'out.json'), 'utf8') };
  };

  it("exports a function for the SDK's run", () => {
    const { status, stderr, output } = runs(80);
    expect(status, stderr).toBe(0);
    expect(output()).toContain('"web-gari"');
    const wrong = runs(0);
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toContain('spec.listeners[0].port must be between 1 and 65535, not 0');
  });

  it('has types', () => {
    // In the package, which then knows itself by name.
    const file = 'dist/types-check.mts';
    onTestFinished(() => rmSync(file));
    writeFileSync(
      file,
      `import { type KptFunc, run } from 'kpt-functions';
import { gariFunction } from '@gari-dev/gari/kpt-functions';
const fn: KptFunc = gariFunction;
void run(fn);
// @ts-expect-error It takes Configs.
void gariFunction(1);
`,
    );
    const args = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig', file];
    const { status, stdout } = spawnSync('node_modules/.bin/tsc', args, { encoding: 'utf8' });
    expect(status, stdout).toBe(0);
  });
});
