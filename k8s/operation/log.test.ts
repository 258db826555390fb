import { expect, it } from 'vitest';
import { StatusError } from '../status-error.ts';
import { createLog, reconcileLog } from './log.ts';

function lines(level: Parameters<typeof createLog>[0] = 'info') {
  const written: Record<string, unknown>[] = [];
  const log = createLog(level, { write: (line) => void written.push(JSON.parse(line)) });
  return { log, written };
}

it('has the keys of controller-runtime', () => {
  const { log, written } = lines();
  reconcileLog(log, 'prod', 'web', 'some-id').info({ changes: ['Service web-gari created'] }, 'applied');
  const [{ ts, ...line } = {}] = written;
  expect(ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(line).toEqual({
    level: 'info',
    logger: 'gari',
    controller: 'gateway',
    controllerGroup: 'gateway.networking.k8s.io',
    controllerKind: 'Gateway',
    Gateway: { name: 'web', namespace: 'prod' },
    namespace: 'prod',
    name: 'web',
    reconcileID: 'some-id',
    changes: ['Service web-gari created'],
    msg: 'applied',
  });
});

it('says of an error what is wrong, and of a bug where', () => {
  const { log, written } = lines();
  log.error({ error: new StatusError(403, '{"message": "forbidden"}', undefined) }, 'failed');
  log.error({ error: new TypeError('x is undefined') }, 'failed');
  log.error({ error: 'text' }, 'failed');
  expect(written[0]).toMatchObject({ level: 'error', error: 'forbidden' });
  expect(written[0]).not.toHaveProperty('stacktrace');
  expect(written[1]).toMatchObject({ error: 'x is undefined' });
  expect(written[1]?.stacktrace).toContain('log.test.ts');
  expect(written[2]).toMatchObject({ error: 'text' });
});

it('says no more than it is told to', () => {
  const { log, written } = lines('warn');
  log.info('no');
  log.warn('yes');
  expect(written.map(({ msg }) => msg)).toEqual(['yes']);
});
