// That an object says of itself that it is as it is wanted, on a real API server, and never when it is not.
import { expect, it } from 'vitest';
import { readParametersObject } from '../functions/input/parameters.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject, type Path } from '../render/json.ts';
import type { RenderedObject } from '../render/objects.ts';
import { render } from '../render/render.ts';
import { describeCluster, sharedCluster, testNamespace } from '../test/cluster/vitest.ts';
import { isApplied } from './is-applied.ts';
import { contentOf, type LiveObject } from './live-object.ts';

// With a load balancer class of nobody's, so that nobody writes to the Service meanwhile.
// Every kind, and in it lists of each type: atomic, by one key and by two, and a map that is owned as a whole.
const PARAMETERS = `
access: Namespaced
container:
  image: example.com/proxy:1
  args: [--gateway-namespace=$(GATEWAY_NAMESPACE), --gateway-name=$(GATEWAY_NAME)]
  env: [{name: B, value: b}, {name: A, value: a}]
  resources: {requests: {cpu: 100m, memory: 64Mi}}
deployment: {replicas: 2, labels: {tier: a}}
pod:
  nodeSelector: {disk: ssd}
  tolerations: [{key: a, operator: Exists}]
  terminationGracePeriodSeconds: 40
service: {annotations: {a: b}, externalTrafficPolicy: Local, loadBalancerClass: example.com/nobody}
`;

async function desiredIn(namespace: string): Promise<readonly RenderedObject[]> {
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'p', namespace } };
  const parameters = await readParametersObject(
    { ...configMap, data: { 'dataplane.yaml': PARAMETERS } },
    namespace,
  );
  if (parameters === undefined) throw new Error('no parameters');
  const gatewayClass = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name: 'gari' },
    spec: {
      controllerName: 'gari.dev/gateway-controller',
      parametersRef: { group: '', kind: 'ConfigMap', name: 'p', namespace },
    },
  } as const;
  const gateway = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace },
    spec: {
      gatewayClassName: 'gari',
      infrastructure: { labels: { team: 'a' }, annotations: { note: 'b' } },
      listeners: [
        { name: 'http', port: 80, protocol: 'HTTP' },
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: 'dns-tcp', port: 53, protocol: 'TCP' },
      ],
    },
  } as const;
  const empty = {
    listenerSets: [],
    referenceGrants: [],
    namespaces: [],
    existing: [],
    clusterRoleBindings: [],
  };
  const result = render({
    ...empty,
    gateways: [{ object: gateway }],
    gatewayClasses: [{ object: gatewayClass }],
    configMaps: [{ object: parameters }],
  });
  expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return [...result.objects.values()].flat();
}

/** All leaves of an object; lists of plain values are one leaf. */
function leavesOf(value: Json, path: Path = []): readonly Path[] {
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
  if (isJsonList(value) && value.some(isJsonObject)) {
    return value.flatMap((each, index) => leavesOf(each, [...path, index]));
  }
  return [path];
}

/** A copy with another value at a path; undefined is none. */
function withValue(value: Json, [first, ...rest]: Path, change: (old: Json) => Json | undefined): Json {
  if (first === undefined) return change(value) ?? null;
  if (isJsonList(value)) {
    return value.map((each, index) => (index === first ? withValue(each, rest, change) : each));
  }
  if (!isJsonObject(value)) return value;
  const { [first]: old = null, ...others } = value;
  const changed = rest.length === 0 ? change(old) : withValue(old, rest, change);
  return changed === undefined ? others : { ...others, [first]: changed };
}

function another(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (isJsonList(value)) return [...value, 'x'];
  return value === 'TCP' ? 'UDP' : `${String(value)}x`;
}

const NOT_FIELDS = new Set(['apiVersion', 'kind', 'metadata.name', 'metadata.namespace']);

describeCluster('an object that says whether it is as it is wanted', [], () => {
  it('says so after it was applied, and never after any field of ours was changed', {
    timeout: 120_000,
  }, async () => {
    const { client } = sharedCluster();
    const namespace = await testNamespace();
    const objects = await desiredIn(namespace);
    expect(objects.map(({ kind }) => kind)).toEqual([
      'ServiceAccount',
      'RoleBinding',
      'Deployment',
      'Service',
    ]);
    let drifts = 0;
    for (const desired of objects) {
      const path = await client.pathOf(desired);
      const apply = () => client.apply<LiveObject>(desired, { fieldManager: 'gari', force: true });
      await apply();
      const applied = await client.get<LiveObject>(path);
      // Quantities are the one thing that the server may write in its own way; these are in that already.
      expect(isApplied(applied, desired), desired.kind).toBe(true);
      for (const leaf of leavesOf(desired)) {
        if (NOT_FIELDS.has(leaf.join('.'))) continue;
        for (const change of [another, () => undefined]) {
          for (const how of ['update', 'apply'] as const) {
            // Who applies less than we do changes nothing.
            if (how === 'apply' && change !== another) continue;
            const live = (await client.get<LiveObject>(path)) as unknown as JsonObject;
            const changed = withValue(how === 'update' ? live : desired, leaf, change) as JsonObject;
            const { status, body } =
              how === 'update'
                ? await client.request<LiveObject>('PUT', path, {
                    query: { fieldManager: 'other' },
                    body: changed,
                  })
                : await client.request<LiveObject>('PATCH', path, {
                    query: { fieldManager: 'other', force: true },
                    contentType: 'application/apply-patch+yaml',
                    body: changed,
                  });
            // Many fields cannot be changed, or not alone.
            if (status !== 200) continue;
            const saysSo = isApplied(body, desired);
            // What others only add stays, whoever applies.
            const repair = await client.request<LiveObject>('PATCH', path, {
              query: { fieldManager: 'gari', force: true },
              contentType: 'application/apply-patch+yaml',
              body: desired,
            });
            const isDrift = repair.status !== 200 || contentOf(repair.body) !== contentOf(body);
            if (isDrift) drifts++;
            if (isDrift) expect(saysSo, `${desired.kind} ${leaf.join('.')} by ${how}`).toBe(false);
            // From the start, as what others added would stay.
            await client.delete(path, { propagationPolicy: 'Background' });
            await apply();
          }
        }
      }
    }
    expect(drifts).toBeGreaterThan(100);
  });
});
