import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import type { Client, KubeObject } from './client.ts';
import { eventually } from './eventually.ts';

/** All objects in the YAML files of a directory. */
export function readManifests(directory: string): KubeObject[] {
  return readdirSync(directory)
    .filter((file) => /\.ya?ml$/.test(file))
    .sort()
    .flatMap((file) => loadAll(readFileSync(join(directory, file), 'utf8')))
    .filter((object) => object != null) as KubeObject[];
}

/** Applies manifests; waits until the kinds that they define are served. */
export async function installManifests(client: Client, objects: readonly KubeObject[]): Promise<void> {
  await Promise.all(objects.map((object) => client.apply(object, { fieldManager: 'install', force: true })));
  const crds = objects.filter((object) => object.kind === 'CustomResourceDefinition');
  await Promise.all(
    crds.map((crd) => eventually(`${crd.metadata.name} is served`, () => isServed(client, crd))),
  );
}

async function isServed(client: Client, crd: KubeObject): Promise<boolean> {
  const { group, names, versions } = crd.spec as CrdSpec;
  for (const { name } of versions.filter((version) => version.served)) {
    // `Established` comes a moment before the handler: only a list proves it.
    const { status } = await client.request('GET', `/apis/${group}/${name}/${names.plural}`);
    const discovery = await client.request<{ resources?: { name: string }[] }>(
      'GET',
      `/apis/${group}/${name}`,
    );
    if (status !== 200 || !discovery.body.resources?.some((resource) => resource.name === names.plural))
      return false;
  }
  return true;
}

interface CrdSpec {
  readonly group: string;
  readonly names: { readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}
