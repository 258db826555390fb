// Every golden before the judge: the API server takes it as it is, and what its fixture renders to comes to life.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { splitDocuments } from '../functions/input/documents.ts';
import { formatYaml, parseYaml } from '../functions/yaml.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../render/json.ts';
import type { RenderedObject } from '../render/objects.ts';
import type { KubeObject } from './cluster/client.ts';
import { eventually } from './cluster/eventually.ts';
import { describeCluster, sharedCluster } from './cluster/vitest.ts';
import { flagsOf, gariRender } from './fixtures.ts';

const goldens = readdirSync('golden').filter(
  (name) => objectsOf(readFileSync(`golden/${name}`, 'utf8')).length > 0,
);

describeCluster('a golden as it is', [], () => {
  it.each(goldens)('%s is taken by the API server', async (name) => {
    const { client } = sharedCluster();
    for (const object of objectsOf(readFileSync(`golden/${name}`, 'utf8'))) {
      await ensureNamespace(object.metadata.namespace);
      await client.apply(object, { fieldManager: 'gari', dryRun: true, fieldValidation: 'Strict' });
    }
  });
});

describeCluster('what a fixture renders to', ['controller-manager', 'scheduler', 'kwok', 'metallb'], () => {
  const lives = new Map<string, Promise<void>>();
  const directory = mkdtempSync(join(tmpdir(), 'gari-golden-'));

  // All at once: most of the time is spent waiting for controllers.
  beforeAll(() => {
    for (const [index, name] of goldens.entries()) {
      const life = liveOnce(name, index, directory);
      life.catch(() => undefined);
      lives.set(name, life);
    }
  });

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(goldens)('%s runs, without drift, and follows its Gateway', (name) => lives.get(name));
});

/** Renders a fixture under names of its own, applies it, waits for it to run, and changes it. */
async function liveOnce(name: string, index: number, directory: string): Promise<void> {
  const { client } = sharedCluster();
  const documents = splitDocuments(readFileSync(`fixtures/${name}`, 'utf8'))
    .map(({ text }) => parseYaml(text))
    .filter(isJsonObject);
  const rename = renamer(`g${index}`, index, flagsOf(`fixtures/${name}`));
  const input = documents.map((document) => rename.object(document));
  const path = join(directory, name);
  try {
    const objects = await rendered(path, input, rename.flags);
    for (const object of objects) {
      await ensureNamespace(object.metadata.namespace);
      await client.apply(object, { fieldManager: 'gari', fieldValidation: 'Strict' });
    }
    await Promise.all(objects.map(isRunning));
    await Promise.all(objects.map(isWithoutDrift));

    const label = firstOwnLabel(objects, input);
    if (label === undefined) return;
    const without = await rendered(
      path,
      input.map((document) => withoutLabel(document, label)),
      rename.flags,
    );
    for (const object of without) {
      const after = await client.apply(object, { fieldManager: 'gari' });
      expect(after.metadata.labels ?? {}).not.toHaveProperty([label]);
    }
  } finally {
    for (const namespace of rename.namespaces())
      await client.request('DELETE', `/api/v1/namespaces/${namespace}`);
  }
}

async function rendered(
  path: string,
  input: readonly JsonObject[],
  flags: readonly string[],
): Promise<RenderedObject[]> {
  writeFileSync(path, input.map(formatYaml).join('---\n'));
  const { exitCode, stdout, stderr } = await gariRender(path, ...flags, '--format=json');
  expect(exitCode, stderr).toBe(0);
  return stdout === '' ? [] : JSON.parse(stdout).items;
}

/** Gives a fixture namespaces, a binding and addresses of its own, so that all can live side by side. */
function renamer(prefix: string, index: number, flags: readonly string[]) {
  const used = new Set<string>();
  const namespace = (name: string): string => {
    const renamed =
      name.length + prefix.length < 63 ? `${prefix}-${name}` : `${prefix}${name.slice(prefix.length)}`;
    used.add(renamed);
    return renamed;
  };
  const binding = (name: string): string => `${prefix}-${name}`;
  const walk = (value: Json, key: string): Json => {
    if (isJsonList(value)) return value.map((item) => walk(item, key));
    if (isJsonObject(value)) return walkMap(value);
    if (typeof value !== 'string') return value;
    if (key === 'namespace' || key === 'kubernetes.io/metadata.name') return namespace(value);
    return key === 'gari.dev/gateway' ? `${prefix}-${value}` : value;
  };
  const walkMap = (map: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, walk(value, key)]));
  const object = (document: JsonObject): JsonObject => {
    const walked = walkMap(document);
    const { kind, metadata, spec } = walked;
    const meta = isJsonObject(metadata) ? metadata : {};
    if (kind === 'List' && isJsonList(walked.items)) {
      return { ...walked, items: walked.items.filter(isJsonObject).map(object) };
    }
    if (kind === 'Namespace') return { ...walked, metadata: { ...meta, name: namespace(String(meta.name)) } };
    if (kind === 'ClusterRoleBinding')
      return { ...walked, metadata: { ...meta, name: binding(String(meta.name)) } };
    if (kind !== 'Gateway' || !isJsonObject(spec) || !isJsonList(spec.addresses)) return walked;
    const addresses = spec.addresses.map((address, place) =>
      isJsonObject(address) && address.type !== 'Hostname' && typeof address.value === 'string'
        ? { ...address, value: `198.51.100.${100 + ((index * 4 + place) % 150)}` }
        : address,
    );
    return { ...walked, spec: { ...spec, addresses } };
  };
  const value = (flag: string, fallback: string): string =>
    flags[flags.indexOf(flag) + 1 || flags.length] ?? fallback;
  const renamedFlags = [...flags, '--binding-name', binding(value('--binding-name', 'gari-dataplane'))];
  renamedFlags.push('--namespace', namespace(value('--namespace', 'default')));
  const gateway = value('--gateway', '');
  if (gateway !== '') renamedFlags.push('--gateway', `${prefix}-${gateway}`);
  return { object, flags: renamedFlags, namespaces: () => [...used] };
}

async function isRunning(object: RenderedObject): Promise<void> {
  const { client } = sharedCluster();
  const path = await client.pathOf(object);
  await eventually(
    `${object.kind} ${object.metadata.name} to run`,
    async () => {
      const { status = {} } = await client.get<Live>(path);
      if (object.kind === 'Deployment') return (status.availableReplicas ?? 0) > 0;
      return !isBalanced(object) || (status.loadBalancer?.ingress ?? []).length > 0;
    },
    { timeoutMs: 120_000 },
  );
}

// A load balancer of another class is somebody else's.
function isBalanced({ kind, spec }: RenderedObject): boolean {
  return (
    kind === 'Service' &&
    isJsonObject(spec) &&
    spec.type === 'LoadBalancer' &&
    spec.loadBalancerClass === undefined
  );
}

interface Live extends KubeObject {
  readonly status?: {
    readonly availableReplicas?: number;
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] };
  };
}

/** Applying once more changes nothing; tried again where a controller wrote in between. */
async function isWithoutDrift(object: RenderedObject): Promise<void> {
  const { client } = sharedCluster();
  const path = await client.pathOf(object);
  await eventually(`${object.kind} ${object.metadata.name} to stay as it is`, async () => {
    const before = await client.get(path);
    const after = await client.apply(object, { fieldManager: 'gari' });
    const same = before.metadata.resourceVersion === after.metadata.resourceVersion;
    if (same) expect(after.metadata.managedFields).toEqual(before.metadata.managedFields);
    return same;
  });
}

/** A label that a Gateway of the input asks for and that reaches its objects. */
function firstOwnLabel(objects: readonly RenderedObject[], input: readonly JsonObject[]): string | undefined {
  return input
    .flatMap((document) => Object.entries(infrastructureLabels(document)))
    .find(([key, value]) =>
      objects.some(({ metadata }) => isJsonObject(metadata.labels) && metadata.labels[key] === value),
    )?.[0];
}

function infrastructureLabels({ kind, spec }: JsonObject): JsonObject {
  const infrastructure = kind === 'Gateway' && isJsonObject(spec) ? spec.infrastructure : undefined;
  return isJsonObject(infrastructure) && isJsonObject(infrastructure.labels) ? infrastructure.labels : {};
}

function withoutLabel(document: JsonObject, label: string): JsonObject {
  const { [label]: removed, ...labels } = infrastructureLabels(document);
  if (removed === undefined || !isJsonObject(document.spec) || !isJsonObject(document.spec.infrastructure))
    return document;
  return {
    ...document,
    spec: { ...document.spec, infrastructure: { ...document.spec.infrastructure, labels } },
  };
}

async function ensureNamespace(name: Json | undefined): Promise<void> {
  if (typeof name !== 'string') return;
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const { status } = await sharedCluster().client.request('POST', '/api/v1/namespaces', { body });
  expect([201, 409]).toContain(status);
}

function objectsOf(text: string): RenderedObject[] {
  const withoutDiagnostics = text.replace(/^# .*\n/gm, '');
  return (loadAll(withoutDiagnostics) as RenderedObject[]).flatMap((object) =>
    object?.kind === 'List' ? (object.items as unknown as RenderedObject[]) : object ? [object] : [],
  );
}
