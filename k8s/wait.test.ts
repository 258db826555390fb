import { expect, it } from 'vitest';
import type { ClusterObject } from './resources.ts';
import { StatusError } from './status-error.ts';
import { type RequestOptions, type Transport, UnreachableError } from './transport.ts';
import { waitUntilReady } from './wait.ts';

const deployment: ClusterObject = { kind: 'Deployment', namespace: 'prod', name: 'web-gari' };
const service: ClusterObject = { ...deployment, kind: 'Service' };
const ready = {
  metadata: { generation: 2 },
  status: {
    observedGeneration: 2,
    availableReplicas: 1,
    conditions: [{ type: 'Available', status: 'True' }],
  },
};

/** A server that gives these answers in turn, the last one for ever; `undefined` is none at all. */
function serving(...answers: (object | Error | undefined)[]): Transport {
  let count = 0;
  const request = (_method: string, _path: string, { signal }: RequestOptions = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => reject(signal.reason));
      const answer = answers[Math.min(count++, answers.length - 1)];
      if (answer instanceof Error) reject(answer);
      else if (answer !== undefined) resolve(answer);
    });
  return { request } as unknown as Transport;
}

const wait = async (object: ClusterObject, transport: Transport, timeoutMs = 50, signal?: AbortSignal) => {
  const progress: string[] = [];
  const left = await waitUntilReady(
    transport,
    [object],
    timeoutMs,
    (lines) => progress.push(...lines),
    signal,
  );
  return { left: left.map(({ reason }) => reason), progress };
};

it.each([
  ['of an old generation', { ...ready, metadata: { generation: 3 } }],
  ['that is available with no replica', { ...ready, status: { ...ready.status, availableReplicas: 0 } }],
  ['with no status', { metadata: ready.metadata }],
])('a Deployment %s is not ready', async (_, live) => {
  expect((await wait(deployment, serving(live))).left).toEqual(['no replica is available']);
  expect((await wait(deployment, serving(ready))).left).toEqual([]);
});

it('only a load balancer needs an address', async () => {
  const balanced = { metadata: {}, spec: { type: 'LoadBalancer' } };
  expect((await wait(service, serving(balanced))).left).toEqual(['no address is assigned']);
  const assigned = { ...balanced, status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } };
  expect((await wait(service, serving(assigned))).left).toEqual([]);
  expect((await wait(service, serving({ metadata: {}, spec: { type: 'ClusterIP' } }))).left).toEqual([]);
});

it('goes on while the server is away, and says what it waits for', async () => {
  const busy = new StatusError(503, '{"message": "busy"}', undefined);
  const { left, progress } = await wait(
    deployment,
    serving(new UnreachableError('no route'), busy, ready),
    30_000,
  );
  expect(left).toEqual([]);
  expect(progress).toEqual([
    'deployment.apps/web-gari in prod: no route',
    'deployment.apps/web-gari in prod: busy',
  ]);
});

it('does not wait longer for a server that does not answer', async () => {
  expect((await wait(deployment, serving(undefined))).left).toEqual(['the server does not answer']);
});

it('can be aborted, and does not wait where the right is missing', async () => {
  const stop = AbortSignal.abort(new Error('enough'));
  await expect(wait(deployment, serving({}), 30_000, stop)).rejects.toThrow('enough');
  const forbidden = new StatusError(403, '{"message": "forbidden"}', undefined);
  await expect(wait(deployment, serving(forbidden), 30_000)).rejects.toThrow('forbidden');
});
