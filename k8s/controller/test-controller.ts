// A controller in the test's own process, with a ServiceAccount that has the shipped rights and no others.
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { readParametersObject } from '../../functions/input/parameters.ts';
import { eventually } from '../../test/cluster/eventually.ts';
import { serviceAccountKubeconfig } from '../../test/cluster/service-account.ts';
import { type SharedCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import type { ReflectorTiming } from '../cache/reflector.ts';
import { loadCredentials } from '../credentials.ts';
import { dataPlaneRbac } from '../data-plane-rbac.ts';
import { clusterRules } from '../install/controller-rbac.ts';
import type { RecordedEvent } from '../operation/event-recorder.ts';
import { createLog } from '../operation/log.ts';
import { createMetrics } from '../operation/metrics.ts';
import type { Condition } from '../status/conditions.ts';
import type { ObservedGateway } from '../status/observed.ts';
import { Transport } from '../transport.ts';
import { runController } from './controller.ts';
import type { ControllerOptions } from './options.ts';

/** An install of its own: class, binding and rights that no other test has. */
export interface TestInstall {
  readonly className: string;
  readonly bindingName: string;
  /** The name that the API server knows its controller by. */
  readonly username: string;
  readonly kubeconfig: string;
  readonly options: ControllerOptions;
}

/** Installs what a controller needs. */
export async function testInstall(more: Partial<ControllerOptions> = {}): Promise<TestInstall> {
  const cluster = sharedCluster();
  const id = randomBytes(4).toString('hex');
  const namespace = await testNamespace();
  const bindingName = `gari-${id}`;
  const className = `gari-${id}`;
  const { client } = cluster;
  for (const object of dataPlaneRbac(bindingName)) await client.apply(object, { force: true });
  const rules = clusterRules(bindingName).map(({ purpose: _, ...rule }) => rule);
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata: { name: `${bindingName}-controller` },
  };
  const account = { kind: 'ServiceAccount', name: 'gari', namespace };
  await client.apply({ ...role, kind: 'ClusterRole', rules });
  await client.apply({
    ...role,
    kind: 'ClusterRoleBinding',
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.metadata.name },
    subjects: [account],
  });
  await client.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'gari', namespace } });
  onTestFinished(async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await client.request('DELETE', `${rbac}/clusterrolebindings/${role.metadata.name}`);
    await client.request('DELETE', `${rbac}/clusterroles/${role.metadata.name}`);
    await client.request('DELETE', `${rbac}/clusterrolebindings/${bindingName}`);
  });
  return {
    className,
    bindingName,
    username: `system:serviceaccount:${namespace}:gari`,
    kubeconfig: await serviceAccountKubeconfig(cluster, namespace, 'gari'),
    options: {
      controllerName: `gari.dev/${id}`,
      classNames: [className],
      image: 'gari-dataplane:v0.1.0',
      bindingName,
      status: 'infrastructure',
      maxUnavailableGateways: '10%',
      dryRun: false,
      ...more,
    },
  };
}

/** A controller that runs. */
export interface RunningController {
  readonly events: readonly RecordedEvent[];
  readonly log: readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

/** How long a controller waits for an API server; by default as in production. */
export interface Patience {
  readonly timing?: Partial<ReflectorTiming>;
  readonly timeoutMs?: number;
}

/** Starts a controller; it ends with the test. */
export async function startController(
  install: Pick<TestInstall, 'kubeconfig' | 'options'>,
  { timing, timeoutMs }: Patience = {},
): Promise<RunningController> {
  const transport = new Transport(await loadCredentials({ kubeconfig: install.kubeconfig }), timeoutMs);
  const events: RecordedEvent[] = [];
  const lines: Record<string, unknown>[] = [];
  const log = createLog('debug', { write: (line) => lines.push(JSON.parse(line)) });
  const end = new AbortController();
  const recorder = { record: (event: RecordedEvent) => events.push(event) };
  let isSynced = false;
  const running = runController(
    transport,
    install.options,
    {
      log,
      events: recorder,
      metrics: createMetrics(),
      readParameters: readParametersObject,
      ...(timing === undefined ? {} : { timing }),
      onSynced: () => {
        isSynced = true;
      },
    },
    end.signal,
  );
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    end.abort();
    await running;
    await transport.close();
  };
  onTestFinished(stop);
  await Promise.race([running, eventually('the controller to know the cluster', () => isSynced)]);
  return { events, log: lines, stop };
}

/** A Gateway of an install's class. */
export function gatewayOf(
  { className }: Pick<TestInstall, 'className'>,
  namespace: string,
  name = 'web',
  spec: object = {},
) {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name, namespace },
    spec: {
      gatewayClassName: className,
      listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
      ...spec,
    },
  } as const;
}

/** A ConfigMap that parameters stand in. */
export function parametersMap(namespace: string, name: string, spec: string) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    data: { 'dataplane.yaml': spec },
  };
}

/** Path of a Gateway. */
export function gatewayPath(namespace: string, name = 'web'): string {
  return `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways/${name}`;
}

/** A condition of a Gateway as it is, in one line. */
async function said({ client }: SharedCluster, path: string, type: string): Promise<string> {
  const { status, metadata } = await client.get<ObservedGateway>(path);
  const condition = status?.conditions?.find((each: Condition) => each.type === type);
  if (condition?.observedGeneration !== metadata.generation) return 'Unknown';
  return `${condition?.status} ${condition?.reason}: ${condition?.message}`;
}

/** Waits until a condition of a Gateway says something. */
export async function becomes(path: string, type: string, expected: string | RegExp): Promise<void> {
  let last = '';
  const matches = async (): Promise<boolean> => {
    last = await said(sharedCluster(), path, type);
    return typeof expected === 'string' ? last.startsWith(expected) : expected.test(last);
  };
  await eventually(`${type} of ${path} to be ${expected}`, matches, { giveUp: () => undefined }).catch(
    (error: unknown) => {
      throw new Error(`${error instanceof Error ? error.message : error}; it is ${last}`);
    },
  );
}

/** What a Gateway's `Programmed` said, one text for each time that it said something else. */
export async function recordProgrammed(namespace: string, name = 'web'): Promise<readonly string[]> {
  const transport = new Transport(await loadCredentials({ kubeconfig: sharedCluster().kubeconfig }));
  const end = new AbortController();
  const said: string[] = [];
  const path = `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways`;
  // From a version on, so that nothing is missed while the watch opens.
  const { metadata } = await sharedCluster().client.get<{ metadata: { resourceVersion: string } }>(path);
  const query = { fieldSelector: `metadata.name=${name}`, resourceVersion: metadata.resourceVersion };
  const record = async (): Promise<void> => {
    const events = transport.watch(path, query, end.signal);
    for await (const event of events) {
      const { object } = event as { readonly object: ObservedGateway };
      const condition = object.status?.conditions?.find(({ type }) => type === 'Programmed');
      const text = `${condition?.status} ${condition?.reason}`;
      if (said.at(-1) !== text) said.push(text);
    }
  };
  const recording = record().catch(() => undefined);
  onTestFinished(async () => {
    end.abort();
    await recording;
    await transport.close();
  });
  return said;
}

/** What {@link recordProgrammed} has recorded until it is true, but for addresses, which may be later than the pods. */
export async function stepsToTrue(said: readonly string[]): Promise<readonly string[]> {
  await eventually('the last change to be recorded', () => said.at(-1) === 'True Programmed');
  return said.filter((each) => each !== 'False AddressNotAssigned');
}
