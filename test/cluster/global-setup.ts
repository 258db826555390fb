import type { TestProject } from 'vitest/node';
import type { Cluster, ClusterInfo } from './cluster.ts';
import { startCluster } from './cluster.ts';
import { ClusterUnavailable, messageOf } from './text.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: ProvidedCluster;
  }
}

/** What the set-up hands to the tests: a cluster, or why there is none. */
export type ProvidedCluster = { readonly info: ClusterInfo } | { readonly missing: string };

let cluster: Cluster | undefined;
let missing: string | undefined;

/** Starts the one cluster that all `*.cluster.test.ts` share. Vitest calls it only if such a test is to run. */
export async function setup(project: TestProject): Promise<void> {
  const start = Date.now();
  try {
    cluster = await startCluster({ report });
  } catch (error) {
    if (!(error instanceof ClusterUnavailable) || isCi()) throw error;
    missing = messageOf(error);
    warnSkipped();
    project.provide('cluster', { missing });
    return;
  }
  report(`ready after ${((Date.now() - start) / 1000).toFixed(1)} s: ${cluster.parts.join(', ')}`);
  project.provide('cluster', { info: plainData(cluster) });
}

/** Ends the shared cluster. */
export async function teardown(): Promise<void> {
  await cluster?.stop();
  // Once more at the end, where it is seen.
  if (missing !== undefined) warnSkipped();
}

/** In CI a test that does not run is a failure. */
function isCi(): boolean {
  return !['', '0', 'false'].includes(process.env.CI ?? '');
}

function warnSkipped(): void {
  console.error(`\nCLUSTER TESTS SKIPPED: ${missing}\n`);
}

function report(line: string): void {
  console.log(`cluster: ${line}`);
}

function plainData(from: ClusterInfo): ClusterInfo {
  const { server, ca, token, kubeconfig, auditLog, directory, parts, kubectl } = from;
  return { server, ca, token, kubeconfig, auditLog, directory, parts, kubectl };
}
