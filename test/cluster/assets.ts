import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureModule, type Report } from './build.ts';
import {
  CONFORMANCE,
  GATEWAY_API,
  type GoModule,
  KUSTOMIZE,
  KWOK,
  kubernetesModule,
  METALLB,
} from './go-modules.ts';
import { ClusterUnavailable } from './text.ts';

/** What a cluster can have besides etcd and the API server. */
export type Part = 'gateway-api' | 'controller-manager' | 'scheduler' | 'kwok' | 'metallb';

/** All parts, in the order in which they are installed. */
const ALL_PARTS: readonly Part[] = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'];

/** Programs and manifests to make a cluster of: file or directory name → path. */
export interface Assets {
  readonly path: (name: string) => string;
  /** The parts that are there. */
  readonly parts: readonly Part[];
}

/** The files each part needs; the same names are looked for in `KUBEBUILDER_ASSETS`. */
const NEEDS: Readonly<Record<Part, readonly string[]>> = {
  'gateway-api': ['gateway-api-crds'],
  'controller-manager': ['kube-controller-manager'],
  scheduler: ['kube-scheduler'],
  kwok: ['kwok', 'kwok-stages'],
  metallb: ['metallb-controller', 'metallb-crds'],
};

/**
 * Finds what is needed: in `KUBEBUILDER_ASSETS` if that is set, else built by Go, where it is not there yet.
 * `wanted` limits what is built. Throws {@link ClusterUnavailable} when there can be no cluster at all.
 */
export async function findAssets(report: Report, wanted: readonly Part[] = ALL_PARTS): Promise<Assets> {
  const ready = process.env.KUBEBUILDER_ASSETS;
  return ready ? readyAssets(ready) : builtAssets(report, wanted);
}

/** Path of a stand-alone kustomize, from the same places. */
export function findKustomize(report: Report): Promise<string> {
  return findTool(KUSTOMIZE, 'kustomize', report);
}

/** Path of the Gateway API's conformance suite as a program (test/conformance/main.go), from the same places. */
export function findConformanceSuite(report: Report): Promise<string> {
  return findTool(CONFORMANCE, 'gateway-api-conformance', report);
}

async function findTool(module: GoModule, name: string, report: Report): Promise<string> {
  const ready = join(process.env.KUBEBUILDER_ASSETS ?? '', name);
  if (process.env.KUBEBUILDER_ASSETS && existsSync(ready)) return ready;
  return join(await ensureModule(module, { report }), name);
}

function readyAssets(directory: string): Assets {
  const missing = ['etcd', 'kube-apiserver'].filter((name) => !existsSync(join(directory, name)));
  if (missing.length > 0) {
    // No reason to skip anything: somebody has set it and means it.
    throw new Error(
      `KUBEBUILDER_ASSETS (${directory}) has no ${missing.join(' and no ')}: put them there, or unset it to have them built by Go`,
    );
  }
  return assetsIn([directory]);
}

async function builtAssets(report: Report, wanted: readonly Part[]): Promise<Assets> {
  const modules: GoModule[] = [kubernetesModule()];
  if (wanted.includes('kwok')) modules.push(KWOK);
  if (wanted.includes('metallb')) modules.push(METALLB);
  if (wanted.includes('gateway-api')) modules.push(GATEWAY_API);
  const directories: string[] = [];
  // One after the other: a single build keeps all cores busy.
  for (const module of modules) directories.push(await ensureModule(module, { report }));
  return assetsIn(directories);
}

function assetsIn(directories: readonly string[]): Assets {
  const find = (name: string) =>
    directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
  return {
    path: (name) => {
      const path = find(name);
      if (path === undefined)
        throw new ClusterUnavailable(`there is no ${name} in ${directories.join(', ')}`);
      return path;
    },
    parts: ALL_PARTS.filter((part) => NEEDS[part].every((name) => find(name) !== undefined)),
  };
}
