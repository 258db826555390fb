import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { ClusterInfo } from './cluster.ts';

/** What kubectl has printed. */
export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of {@link kubectl}. */
export interface KubectlOptions {
  /** Standard input, for `-f -`. */
  readonly input?: string;
  /** Default: the admin's. */
  readonly kubeconfig?: string;
}

/** Runs kubectl against a cluster. An exit code other than 0 is no exception: look at `code`. */
export function kubectl(
  cluster: Pick<ClusterInfo, 'kubectl' | 'kubeconfig' | 'directory'>,
  args: readonly string[],
  options: KubectlOptions = {},
): Promise<KubectlResult> {
  const env = {
    ...process.env,
    KUBECONFIG: options.kubeconfig ?? cluster.kubeconfig,
    // Its usual cache is by address, and the next run may serve other kinds on the same port.
    KUBECACHEDIR: join(cluster.directory, 'kubectl-cache'),
  };
  return new Promise((resolve, reject) => {
    const child = execFile(cluster.kubectl, args, { env, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
    child.stdin?.on('error', () => {
      // It has ended without reading its input; the exit code says why.
    });
    child.stdin?.end(options.input ?? '');
  });
}
