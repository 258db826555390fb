import { randomBytes } from 'node:crypto';
import { describe, inject, onTestFinished } from 'vitest';
import type { Part } from './assets.ts';
import { type Client, createClient } from './client.ts';
import { type Cluster, type ClusterInfo, type ClusterOptions, startCluster } from './cluster.ts';
// For the type of what is provided.
import type {} from './global-setup.ts';

/** The shared cluster and the admin's client for it. */
export interface SharedCluster extends ClusterInfo {
  readonly client: Client;
}

/**
 * Like `describe`, for tests that need the cluster. Where it, or a part in `needs`, is absent, they are skipped and
 * the title says why.
 */
export function describeCluster(title: string, needs: readonly Part[], body: () => void): void {
  const reason = whyNot(needs);
  if (reason === undefined) describe(title, body);
  else describe.skip(`${title} [SKIPPED: ${reason}]`, body);
}

function whyNot(needs: readonly Part[]): string | undefined {
  const provided = inject('cluster');
  if ('missing' in provided) return provided.missing;
  const absent = needs.filter((part) => !provided.info.parts.includes(part));
  return absent.length === 0 ? undefined : `KUBEBUILDER_ASSETS has no ${absent.join(', no ')}`;
}

let shared: SharedCluster | undefined;

/** The cluster that all test files share. Call it within a test, not while tests are collected. */
export function sharedCluster(): SharedCluster {
  const provided = inject('cluster');
  if ('missing' in provided) throw new Error(`no cluster (use describeCluster): ${provided.missing}`);
  shared ??= { ...provided.info, client: createClient(provided.info) };
  return shared;
}

/** A cluster of the running test's own, to restart or break. It ends with the test. */
export async function ownCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = await startCluster(options);
  onTestFinished(() => cluster.stop());
  return cluster;
}

/** Creates a namespace for the running test and returns its name. It is deleted after the test. */
export async function testNamespace(labels: Record<string, string> = {}): Promise<string> {
  const { client } = sharedCluster();
  const name = `test-${randomBytes(5).toString('hex')}`;
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  // Not waited for: nobody uses the name again.
  onTestFinished(() => client.delete(`/api/v1/namespaces/${name}`));
  return name;
}
