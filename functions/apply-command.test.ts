// What `gari apply` and `gari delete` say without a cluster.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runGari } from '../test/run-gari.ts';
import { run } from './cli.ts';

const gateway = (gatewayClassName: string, port = 80) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: { gatewayClassName, listeners: [{ name: 'http', port, protocol: 'HTTP' }] },
});

beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), 'gari-home-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('KUBECONFIG', '');
  onTestFinished(() => {
    rmSync(home, { recursive: true });
    vi.unstubAllEnvs();
  });
});

describe.each(['apply', 'delete'])('gari %s', (command) => {
  it('says that there is no kubeconfig', async () => {
    expect(await runGari(command, [gateway('gari')])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'error: there is no kubeconfig: --kubeconfig and KUBECONFIG are not given, and ~/.kube/config is not there\n',
    });
  });

  it('takes a flag from the environment', async () => {
    vi.stubEnv('GARI_KUBECONFIG', '/nowhere/config');
    const { exitCode, stderr } = await runGari(command, [gateway('gari')]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: the kubeconfig \/nowhere\/config cannot be read: ENOENT.*\n$/);
  });

  it('asks no cluster where no Gateway is gari’s, and says so', async () => {
    expect(await runGari(command, [gateway('other')])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: "info: no Gateway of gari's in 1 file; skipped 1 Gateway of other classes (other 1)\n",
    });
  });

  it('asks no cluster where the input is wrong', async () => {
    const { exitCode, stdout, stderr } = await runGari(command, [gateway('gari', 70_000)]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: Gateway prod\/web: .*port/);
  });

  it.each([[[]], [['gateways', '--dry-run=client']], [['gateways', '--unknown']]])(
    'takes %j for wrong usage',
    async (args) => {
      let said = '';
      const io = {
        stdout: () => undefined,
        stderr: (text: string) => {
          said += text;
        },
      };
      expect(await run([command, ...args], io)).toBe(2);
      expect(said).toMatch(/^error: /);
    },
  );
});

it('takes a --timeout that is no whole number of seconds for wrong usage', async () => {
  const { exitCode, stderr } = await runGari('apply', [gateway('gari')], '--wait', '--timeout', '1m');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('It must be a whole number of seconds.');
});
