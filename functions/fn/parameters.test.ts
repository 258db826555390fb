// Parameters in a package: items of the list like all others.
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../render/json.ts';
import { parseYaml } from '../yaml.ts';
import { runFunction } from './run-function.ts';

const GATEWAY_API = 'gateway.networking.k8s.io/v1';
const gatewayClass = (kind: 'DataPlane' | 'ConfigMap') => ({
  apiVersion: GATEWAY_API,
  kind: 'GatewayClass',
  metadata: { name: 'gari' },
  spec: {
    controllerName: 'gari.dev/gateway-controller',
    parametersRef: {
      group: kind === 'DataPlane' ? 'gari.dev' : '',
      kind,
      name: 'standard',
      namespace: 'infra',
    },
  },
});
const gateway = {
  apiVersion: GATEWAY_API,
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: { gatewayClassName: 'gari', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
};
const metadata = (file: string) => ({
  name: 'standard',
  namespace: 'infra',
  annotations: { 'internal.config.kubernetes.io/path': file, 'config.kubernetes.io/index': '0' },
});
const dataPlane = (spec: object) => ({
  apiVersion: 'gari.dev/v1alpha1',
  kind: 'DataPlane',
  metadata: metadata('data-plane.yaml'),
  spec,
});
const configMap = (text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: metadata('config-map.yaml'),
  data: { 'dataplane.yaml': text },
});

async function run(items: readonly object[]) {
  let [stdout, stderr] = ['', ''];
  const list = { apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', items };
  const exitCode = await runFunction(JSON.stringify(list), {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
  });
  const output = parseYaml(stdout) as { items: JsonObject[] };
  return { exitCode, stderr, items: output.items };
}
const ofKind = (items: readonly JsonObject[], kind: string) => items.filter((item) => item.kind === kind);

describe('parameters in a package', () => {
  it.each<[string, object]>([
    ['DataPlane', dataPlane({ deployment: { replicas: 3 } })],
    ['ConfigMap', configMap('deployment:\n  replicas: 3\n')],
  ])('are followed to a %s, which stays as it is', async (kind, parameters) => {
    const { exitCode, stderr, items } = await run([gateway, gatewayClass(kind as 'DataPlane'), parameters]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(ofKind(items, 'Deployment')).toMatchObject([{ spec: { replicas: 3 } }]);
    expect(ofKind(items, kind)).toEqual([parameters]);
  });

  it('are an error that names them where they are missing, and the package comes out as it went in', async () => {
    const given = [gateway, gatewayClass('DataPlane')];
    const { exitCode, stderr, items } = await run(given);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'error: GatewayClass gari: spec.parametersRef names DataPlane infra/standard, which cannot be found and is needed to render; add it\n',
    );
    expect(items).toEqual(given);
  });

  it('are an error that names field and file where they are wrong', async () => {
    const { exitCode, stderr } = await run([gateway, gatewayClass('DataPlane'), dataPlane({ replicas: 3 })]);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'error: DataPlane infra/standard: spec.replicas is not a field of DataPlane (data-plane.yaml)\n',
    );
  });

  it('that give access to a namespace add a RoleBinding, which goes with it', async () => {
    const first = await run([gateway, gatewayClass('DataPlane'), dataPlane({ access: 'Namespaced' })]);
    expect(ofKind(first.items, 'RoleBinding')).toMatchObject([
      { metadata: { name: 'web-gari', namespace: 'prod' } },
    ]);
    expect(ofKind(first.items, 'ClusterRoleBinding')).toEqual([]);
    const without = first.items.map((item) =>
      item.kind === 'DataPlane' && isJsonObject(item.spec) ? { ...item, spec: { access: 'None' } } : item,
    );
    const second = await run(without);
    expect(second.exitCode).toBe(0);
    expect(ofKind(second.items, 'RoleBinding')).toEqual([]);
    expect(second.stderr).toContain(
      'RoleBinding prod/web-gari: is removed from the package: its Gateway prod/web needs none',
    );
  });
});
