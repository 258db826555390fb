import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { FollowedState } from '../cache/cluster-cache.ts';
import { liveness, readiness } from './health.ts';
import { startHealthServer } from './health-server.ts';

const state = (more: Partial<FollowedState>): FollowedState => ({
  type: { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true },
  synced: true,
  lastContact: 1_000,
  ...more,
});

it.each([
  ['fresh', 1_000, true, 'ok'],
  ['silent for ten minutes', 601_000, true, 'ok'],
  ['silent for longer', 602_000, false, 'out of contact for 601 s'],
])('is alive or not: %s', (_, now, ok, said) => {
  expect(liveness([state({})], now)).toEqual({
    ok,
    body: `[${ok ? '+' : '-'}]deployments.apps ${said}\n${ok ? 'ok' : 'failed'}\n`,
  });
});

it('says why there is no contact', () => {
  const { body } = liveness([state({ namespace: 'prod', lastError: 'refused' }), state({})], 700_000);
  expect(body).toBe(
    '[-]deployments.apps in namespace prod out of contact for 699 s: refused\n[-]deployments.apps out of contact for 699 s\nfailed\n',
  );
});

it('is ready once all is read, and stays it through an error later', () => {
  expect(readiness([state({}), state({ synced: false, lastError: 'forbidden' })])).toEqual({
    ok: false,
    body: '[+]deployments.apps ok\n[-]deployments.apps not read yet: forbidden\nfailed\n',
  });
  expect(readiness([state({ lastError: 'forbidden' })])).toMatchObject({ ok: true });
});

it('serves its routes and no others, and a failed one as a failure', async () => {
  const server = await startHealthServer(0, {
    '/good': () => ({ ok: true, body: 'fine', contentType: 'text/x' }),
    '/bad': async () => ({ ok: false, body: 'not fine' }),
    '/broken': () => {
      throw new Error('broken');
    },
  });
  onTestFinished(() => server.close());
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return `${answer.status} ${answer.headers.get('content-type')} ${await answer.text()}`;
  };
  expect(await get('/good?verbose')).toBe('200 text/x fine');
  expect(await get('/bad')).toBe('503 text/plain; charset=utf-8 not fine');
  expect(await get('/broken')).toBe('503 text/plain; charset=utf-8 Error: broken\n');
  expect(await get('/toString')).toMatch(/^404 /);
});

it('names the port that it cannot have', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(startHealthServer(port, {})).rejects.toThrow(
    new RegExp(`^port ${port} cannot be listened on: .*EADDRINUSE`),
  );
});
