// Another controller that writes the same status.
import { expect, it, onTestFinished } from 'vitest';
import { auditEvents, auditMark } from '../../test/cluster/audit.ts';
import { eventually } from '../../test/cluster/eventually.ts';
import { describeCluster, sharedCluster, testNamespace } from '../../test/cluster/vitest.ts';
import { loadCredentials } from '../credentials.ts';
import type { ObservedGateway } from '../status/observed.ts';
import { Transport } from '../transport.ts';
import { becomes, gatewayOf, gatewayPath, startController, testInstall } from './test-controller.ts';

const PARTS = ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'] as const;

describeCluster('a status that another controller writes too', PARTS, () => {
  it('is reported, and not fought over without end', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const install = await testInstall();
    const namespace = await testNamespace();
    const path = gatewayPath(namespace);
    const controller = await startController(install);
    await client.apply(gatewayOf(install, namespace));
    await becomes(path, 'Programmed', 'True');

    const transport = new Transport(await loadCredentials({ kubeconfig: cluster.kubeconfig }));
    const end = new AbortController();
    let isOver = false;
    const other = async (): Promise<void> => {
      const list = path.slice(0, path.lastIndexOf('/'));
      for await (const event of transport.watch(list, {}, end.signal)) {
        const { status, apiVersion, kind, metadata } = (event as { object: ObservedGateway }).object;
        const programmed = status?.conditions?.find(({ type }) => type === 'Programmed');
        if (isOver || programmed?.reason === 'OfTheOther') continue;
        const condition = { ...programmed, reason: 'OfTheOther', message: 'so say I' };
        const { name } = metadata;
        await client.apply(
          { apiVersion, kind, metadata: { name, namespace }, status: { conditions: [condition] } },
          { fieldManager: 'other', force: true, subresource: 'status' },
        );
      }
    };
    const mark = await auditMark(cluster);
    const fighting = other().catch(() => undefined);
    onTestFinished(async () => {
      end.abort();
      await fighting;
      await transport.close();
    });
    await eventually('it to be reported', () =>
      controller.events.some(({ reason, type }) => reason === 'StatusContested' && type === 'Warning'),
    );
    const writes = (await auditEvents(cluster, mark)).filter(
      ({ user, objectRef }) => user.username === install.username && objectRef?.subresource === 'status',
    );
    expect(writes.length).toBeLessThanOrEqual(3);
    // It is tried again after a while.
    isOver = true;
    await becomes(path, 'Programmed', 'True Programmed');
  });

  it('is not written at all with --status=none', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const install = await testInstall({ status: 'none' });
    const namespace = await testNamespace();
    await startController(install);
    const mark = await auditMark(cluster);
    await client.apply(gatewayOf(install, namespace));
    const service = `/api/v1/namespaces/${namespace}/services/web-gari`;
    await eventually('an address', async () => {
      const { status } = await client.get<{ status?: { loadBalancer?: { ingress?: object[] } } }>(service);
      return (status?.loadBalancer?.ingress ?? []).length > 0;
    });
    const writes = (await auditEvents(cluster, mark)).filter(
      ({ user, objectRef }) => user.username === install.username && objectRef?.subresource === 'status',
    );
    expect(writes).toEqual([]);
  });
});
