import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../render/json.ts';
import type { RenderedObject } from '../../render/objects.ts';
import { gari } from '../../test/run-gari.ts';
import type { Rule } from '../apply-rules.ts';
import { resourceName } from '../cache/resource-type.ts';
import { watchedResources } from '../controller/watched.ts';
import { clusterRules, namespaceRules } from './controller-rbac.ts';
import { objectOf } from './manifest.ts';
import { clusterInstall, type InstallOptions, namespacedInstall } from './manifests.ts';

const OPTIONS: InstallOptions = {
  namespace: 'gari-system',
  controllerImage: 'gari:v0.1.0',
  bindingName: 'gari-dataplane',
  controllerName: 'gari.dev/gateway-controller',
  className: 'gari',
};

async function printed(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await gari('install', ...args);
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

const named = ({ kind, metadata }: RenderedObject) =>
  [kind, metadata.namespace, metadata.name].filter((part) => part !== undefined).join(' ');

/** Whatever is at a path of keys and indexes. */
const at = (value: Json | undefined, ...path: (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>((inner, step) => (inner as Record<string, Json> | undefined)?.[step], value);

describe('k8s/controller.yaml', () => {
  it('is what gari install prints', async () => {
    expect(readFileSync('k8s/controller.yaml', 'utf8')).toBe(await printed());
  });
});

describe('an install for the whole cluster', () => {
  it('differs from another one in all that must not be shared', () => {
    const second = { ...OPTIONS, namespace: 'second', bindingName: 'second', className: 'second' };
    const first = new Set(clusterInstall(OPTIONS).map(objectOf).map(named));
    const shared = clusterInstall(second)
      .map(objectOf)
      .map(named)
      .filter((name) => first.has(name));
    expect(shared).toEqual(['ClusterRole gari-dataplane']);
  });

  it('tells the controller of each difference', () => {
    const other = {
      ...OPTIONS,
      controllerName: 'example.com/gari',
      bindingName: 'second',
      image: 'envoy:v1',
    };
    const deployment = clusterInstall(other)
      .map(objectOf)
      .find(({ kind }) => kind === 'Deployment');
    expect(at(deployment, 'spec', 'template', 'spec', 'containers', 0, 'args')).toEqual([
      'controller',
      '--leader-elect=$(POD_NAMESPACE)/gari-controller',
      '--controller-name=example.com/gari',
      '--binding-name=second',
      '--image=envoy:v1',
    ]);
  });

  it('takes nothing for an object of a Gateway', () => {
    const labels = clusterInstall(OPTIONS)
      .map(objectOf)
      .filter(({ kind }) => !kind.startsWith('ClusterRole'));
    for (const { metadata } of labels) {
      expect(isJsonObject(metadata.labels) && metadata.labels['app.kubernetes.io/managed-by']).toBeFalsy();
    }
  });
});

describe('an install for some namespaces', () => {
  const objects = namespacedInstall({ ...OPTIONS, namespace: 'a' }, ['a', 'b']).map(objectOf);

  it('holds nothing outside of them', () => {
    expect(objects.map(named)).toEqual([
      'ServiceAccount a gari-controller',
      'Role a gari-controller-lease',
      'RoleBinding a gari-controller-lease',
      'Role a gari-controller',
      'RoleBinding a gari-controller',
      'Role a gari-dataplane',
      'Role b gari-controller',
      'RoleBinding b gari-controller',
      'Role b gari-dataplane',
      'Deployment a gari-controller',
      'PodDisruptionBudget a gari-controller',
    ]);
  });

  it('runs in the first of them unless told otherwise', async () => {
    const text = await printed('--namespaces=a,b');
    expect(text).toContain('kind: Deployment\nmetadata:\n  name: gari-controller\n  namespace: a\n');
    expect(text).toContain('- --namespaces=a,b\n');
    expect(text).not.toContain('Cluster');
    const elsewhere = await printed('--namespaces=a,b', '--namespace=c');
    expect(elsewhere).toContain('kind: Deployment\nmetadata:\n  name: gari-controller\n  namespace: c\n');
  });

  it('names no resource that is in no namespace', () => {
    const resources = objects.flatMap(({ rules }) => (rules ?? []) as unknown as readonly Rule[]);
    const clusterWide = ['gatewayclasses', 'namespaces', 'clusterroles', 'clusterrolebindings'];
    expect(resources.flatMap((rule) => rule.resources.filter((each) => clusterWide.includes(each)))).toEqual(
      [],
    );
  });
});

describe('the rights of the controller', () => {
  const followed = (rules: readonly Rule[]) =>
    rules
      .filter(({ verbs }) => verbs.includes('list') && verbs.includes('watch'))
      .flatMap(({ apiGroups: [group = ''], resources }) =>
        resources.map((plural) => resourceName({ group, plural })),
      );
  // Of ConfigMaps only single ones are followed.
  const watched = watchedResources('gari-dataplane').map(({ type }) => type);
  const namesOf = (types: typeof watched) => [...types.map(resourceName), 'configmaps'].sort();

  it('are to follow what it follows, and no more', () => {
    expect(followed(clusterRules('gari-dataplane')).sort()).toEqual(namesOf(watched));
    expect(followed(namespaceRules()).sort()).toEqual(
      namesOf(watched.filter(({ namespaced }) => namespaced)),
    );
  });
});
