import { readFileSync } from 'node:fs';
import { parseYaml } from '../functions/yaml.ts';
import { CRD_FILE } from '../scripts/data-plane-files.ts';
import type { Client, KubeObject } from './cluster/client.ts';
import { eventually } from './cluster/eventually.ts';
import { sharedCluster } from './cluster/vitest.ts';

interface Crd extends KubeObject {
  readonly status?: { readonly conditions?: readonly { type: string; status: string; message: string }[] };
}

/** Gives a cluster the CRD of DataPlane, if it has none yet, and returns its conditions. */
export async function ensureDataPlaneCrd(client: Client = sharedCluster().client) {
  const crd = parseYaml(readFileSync(CRD_FILE, 'utf8'));
  await client.apply(crd);
  const path = await client.pathOf(crd);
  await eventually('the API server serves DataPlanes', async () => {
    const { status } = await client.request('GET', '/apis/gari.dev/v1alpha1/dataplanes');
    return status === 200;
  });
  const { status } = await client.get<Crd>(path);
  return status?.conditions ?? [];
}
