import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { ClusterInfo } from './cluster/cluster.ts';

/** What a command did. */
export interface ShellResult {
  readonly status: number | null;
  /** With what it said on standard error. */
  readonly stdout: string;
}

/** Runs commands of a page in a directory as a reader would: with `npx gari`, and `kubectl` for this cluster. */
export function docsShell(
  directory: string,
  cluster: Pick<ClusterInfo, 'kubectl' | 'kubeconfig'>,
): (command: string) => ShellResult {
  mkdirSync(join(directory, '.bin'));
  const npx = `#!/bin/sh\ntest "$1" = gari && shift && exec ${resolve('dist/gari.cjs')} "$@"\n`;
  writeFileSync(join(directory, '.bin/npx'), npx, { mode: 0o755 });
  if (isAbsolute(cluster.kubectl)) symlinkSync(cluster.kubectl, join(directory, '.bin/kubectl'));
  const PATH = `${directory}/.bin:${process.env.PATH}`;
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, PATH };
  return (command) =>
    spawnSync('bash', ['-c', `set -o pipefail; exec 2>&1; ${command}`], {
      cwd: directory,
      encoding: 'utf8',
      env,
    });
}
