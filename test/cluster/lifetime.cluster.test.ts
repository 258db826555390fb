import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startApiServer } from './apiserver.ts';
import { findAssets } from './assets.ts';
import { createCredentials } from './credentials.ts';
import { startEtcd } from './etcd.ts';
import { eventually } from './eventually.ts';
import { freePorts } from './ports.ts';
import { isRunning, type ProcessRecord } from './process-identity.ts';
import { createRunDirectory, removeStaleRuns } from './run-directory.ts';
import { describeCluster, ownCluster, sharedCluster } from './vitest.ts';

const CLUSTER_MODULE = fileURLToPath(new URL('./cluster.ts', import.meta.url));

function processesOf(directory: string): ProcessRecord[] {
  return (JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8')) as { processes: ProcessRecord[] })
    .processes;
}

describeCluster('a cluster of its own', [], () => {
  test.each(['SIGKILL', 'SIGTERM'] as const)('keeps its data over a %s of the API server', async (signal) => {
    const cluster = await ownCluster({ parts: [] });
    expect(cluster.server).not.toBe(sharedCluster().server);
    await cluster.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kept' } });

    await cluster.stopApiServer(signal);
    await expect(cluster.client.get('/readyz')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/);
    await cluster.startApiServer();
    expect(await cluster.client.get('/api/v1/namespaces/kept')).toMatchObject({ metadata: { name: 'kept' } });
  });

  test('leaves no process and no file when it is stopped', async () => {
    const cluster = await ownCluster({ parts: [] });
    const processes = processesOf(cluster.directory);
    expect(processes).toHaveLength(2);
    expect(processes.every(isRunning)).toBe(true);
    await cluster.stop();
    expect(processes.some(isRunning)).toBe(false);
    expect(existsSync(cluster.directory)).toBe(false);
  });

  test('takes other ports when those it has chosen are taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const taken = (blocker.address() as AddressInfo).port;
    const run = createRunDirectory();
    const launcher = { assets: await findAssets(() => {}, []), run };
    const started: { stop(): Promise<void> }[] = [];
    onTestFinished(async () => {
      blocker.close();
      await Promise.all(started.map((process) => process.stop()));
      run.remove();
    });
    const attempts: number[][] = [];
    const choose = async (count: number) => {
      const ports = await freePorts(count);
      // Each program's first choice is taken.
      if (attempts.length % 2 === 0) ports[0] = taken;
      attempts.push(ports);
      return ports;
    };
    const etcd = await startEtcd(launcher, choose);
    started.push(etcd.process);
    const server = await startApiServer(launcher, etcd.url, createCredentials(run.path), choose);
    started.push(server.process);
    expect(attempts).toHaveLength(4);
    expect(server.connection.server).toBe(`https://127.0.0.1:${attempts[3]?.[0]}`);
  });

  test('a killed run ends at once, and the next start removes its files', async () => {
    const script = `
      const { startCluster } = await import(${JSON.stringify(CLUSTER_MODULE)});
      console.log((await startCluster({ parts: [] })).directory);
      // Should this test be killed, that process must not stay either.
      process.stdin.resume().on('close', () => process.exit());`;
    const run = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void run.kill('SIGKILL'));
    const [directory] = (await once(createInterface({ input: run.stdout as Readable }), 'line')) as [string];
    const processes = processesOf(directory);
    run.kill('SIGKILL');
    await once(run, 'exit');
    await eventually('its processes have ended', () => !processes.some(isRunning));
    // Another run that starts just now may have done it already.
    removeStaleRuns();
    expect(existsSync(directory)).toBe(false);
  });
});
