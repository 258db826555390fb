import { Configs, type KubernetesObject, TestRunner } from 'kpt-functions';
import { describe, expect, it, vi } from 'vitest';
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
      },
    ]);
  });
});
