import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

let empty: string;
beforeEach(() => {
  empty = mkdtempSync(join(tmpdir(), 'gari-empty-'));
});
afterEach(() => {
  rmSync(empty, { recursive: true, force: true });
});

/** Runs the cluster tests on a machine that has neither Go nor anything built. */
function runClusterTests(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const args = [VITEST, 'run', '--project=cluster', '--no-color', 'test/cluster/cluster.cluster.test.ts'];
  const clean = { PATH: empty, HOME: empty, GARI_TEST_CLUSTER_BIN: empty };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, env: { ...clean, ...env } }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

test('without Go and without KUBEBUILDER_ASSETS the cluster tests are skipped, loudly and counted', async () => {
  const { code, output } = await runClusterTests({});
  expect(output).toContain('CLUSTER TESTS SKIPPED: Go is not installed (no `go` on PATH): install Go');
  expect(output).toMatch(/Tests +\d+ skipped/);
  expect(code).toBe(0);
});

test('in CI that is a failure', async () => {
  const { code, output } = await runClusterTests({ CI: 'true' });
  expect(output).toContain('Go is not installed');
  expect(code).toBe(1);
});

test('a wrong KUBEBUILDER_ASSETS is a failure that says what is missing', async () => {
  writeFileSync(join(empty, 'etcd'), '');
  const { code, output } = await runClusterTests({ KUBEBUILDER_ASSETS: empty });
  expect(output).toMatch(/KUBEBUILDER_ASSETS \(.*\) has no kube-apiserver: put them there, or unset it/);
  expect(code).toBe(1);
});
