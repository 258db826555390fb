// Each fault that client-node's informers die of, or take no notice of, and some more.
import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../test/cluster/eventually.ts';
import { type Fault, type FaultServer, faultServer, line, refuse } from '../../test/fault-server.ts';
import { type ObjectChange, Reflector, type ReflectorOptions, type ReflectorTiming } from './reflector.ts';
import { Store, type StoredObject } from './store.ts';

const type = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

const TIMING: ReflectorTiming = {
  firstRetryMs: 20,
  longestRetryMs: 80,
  healthyMs: 300,
  idleMs: 5_000,
  watchSeconds: [290, 350],
  graceMs: 5_000,
  missingMs: 50,
};

interface StartOptions extends Partial<ReflectorOptions> {
  /** How long the transport waits for an answer. */
  readonly timeoutMs?: number;
}

/** Follows a server that has the objects `a` and `b`. */
async function start(
  { timeoutMs, timing, ...options }: StartOptions = {},
  prepare?: (server: FaultServer) => void,
) {
  const { server, transport } = await faultServer(timeoutMs);
  server.put('a', '1');
  server.put('b', '1');
  prepare?.(server);
  const changes: string[] = [];
  const failures: { readonly message: string; readonly retryMs: number }[] = [];
  const store = new Store();
  const reflector = new Reflector(
    transport,
    {
      type,
      onChange: (change) => {
        changes.push(nameOf(change));
      },
      observer: {
        failed: (_, error, retryMs) => failures.push({ message: (error as Error).message, retryMs }),
      },
      timing: { ...TIMING, ...timing },
      ...options,
    },
    store,
  );
  const abort = new AbortController();
  const ended = reflector.run(abort.signal);
  const end = async () => {
    abort.abort();
    await ended;
  };
  onTestFinished(end);
  const asked = (what: 'list' | 'watch') => server.requests.filter((request) => request.what === what);
  return { server, store, reflector, changes, failures, asked, end, signal: abort.signal };
}

type Started = Awaited<ReturnType<typeof start>>;

function nameOf({ before, after }: ObjectChange): string {
  const verb = before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed';
  return `${verb} ${(after ?? before)?.metadata.name}`;
}

function contentOf(store: Store): Record<string, unknown> {
  return Object.fromEntries([...store.list()].map(({ metadata, data }) => [metadata.name, data]));
}

/** Waits until the store is as the server is, and a watch is open. */
async function caughtUp({ server, store }: Started): Promise<void> {
  await eventually('the store to be as the server is', () => {
    expect(contentOf(store)).toEqual(server.content);
    return server.open === 1;
  });
}

/** A fault that the first requests meet. */
function first(count: number, fault: Fault): Fault {
  let met = 0;
  return (response, url) => met++ < count && fault(response, url);
}

/** That a change that comes now is noticed. */
async function stillFollows(started: Started): Promise<void> {
  started.server.put('late', 'x');
  await caughtUp(started);
}

/** How many requests there were in any second, at most. */
function mostInASecond(started: Started): number {
  const times = started.server.requests.map(({ at }) => at);
  return Math.max(
    ...times.map((time) => times.filter((other) => other >= time && other < time + 1_000).length),
  );
}

describe('Reflector', () => {
  it('reads all, then follows what happens', async () => {
    const started = await start();
    const { server, changes, reflector, store, asked } = started;
    await reflector.synced;
    expect(reflector.isSynced).toBe(true);
    expect(store.get('default', 'a')).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: '1' });
    await caughtUp(started);
    server.put('a', '2');
    server.put('c', '1');
    server.delete('b');
    await caughtUp(started);
    expect(changes).toEqual(['added a', 'added b', 'changed a', 'added c', 'deleted b']);
    expect(asked('list')).toHaveLength(1);
    expect(reflector.lastError).toBeUndefined();
  });

  it('asks for pages, for bookmarks and for an end, and goes on from the last page', async () => {
    const started = await start({ labelSelector: 'x=y', fieldSelector: 'metadata.name!=z' }, (server) => {
      for (let count = 0; count < 10; count++) server.put(`more-${count}`);
      server.pageSize = 5;
      server.onList = (_, url) => {
        if (url.searchParams.get('continue') === '5') server.put('more-9', '2');
        return false;
      };
    });
    await caughtUp(started);
    const { asked } = started;
    expect(asked('list').map(({ query }) => [query.get('limit'), query.get('continue')])).toEqual([
      ['500', null],
      ['500', '5'],
      ['500', '10'],
    ]);
    const query = Object.fromEntries(asked('watch')[0]?.query ?? []);
    expect(query).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '113',
      timeoutSeconds: expect.stringMatching(/^(29\d|3[0-4]\d|350)$/),
      labelSelector: 'x=y',
      fieldSelector: 'metadata.name!=z',
    });
    expect(asked('list')[2]?.query.get('labelSelector')).toBe('x=y');
  });

  it('starts the list anew when its pages have become too old', async () => {
    const tooOld = refuse(410, 'Expired');
    const started = await start({}, (server) => {
      server.pageSize = 1;
      server.onList = first(2, (response, url) => url.searchParams.has('continue') && tooOld(response, url));
    });
    await caughtUp(started);
    expect(started.changes).toEqual(['added a', 'added b']);
    expect(started.asked('list').map(({ query }) => query.get('continue'))).toEqual([null, '1', null, '1']);
  });

  it('stays on a watch that is quiet but alive', async () => {
    const started = await start({ timing: { idleMs: 1_000 } });
    const { server, reflector, asked } = started;
    await caughtUp(started);
    const begin = performance.now();
    while (performance.now() - begin < 2_000) {
      server.bookmark();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(asked('watch')).toHaveLength(1);
    expect(performance.now() - reflector.lastContact).toBeLessThan(500);
  });

  it('goes on from a bookmark', async () => {
    const started = await start();
    const { server, asked, reflector } = started;
    await caughtUp(started);
    const before = reflector.lastContact;
    server.bookmark();
    await eventually('the bookmark', () => reflector.lastContact > before);
    server.endWatches('cut off');
    await caughtUp(started);
    expect(asked('watch')[1]?.query.get('resourceVersion')).toBe('103');
    expect(asked('list')).toHaveLength(1);
  });

  it('opens the next watch at once when the server ends one in order', async () => {
    const started = await start({ timing: { healthyMs: 0 } });
    const { server, asked, failures, changes } = started;
    await caughtUp(started);
    server.endWatches();
    await stillFollows(started);
    expect(asked('list')).toHaveLength(1);
    expect(failures).toEqual([]);
    expect(changes).toEqual(['added a', 'added b', 'added late']);
  });

  it.each<[string, Fault]>([
    [
      'ends every watch at once',
      (response) => {
        response.end();
        return true;
      },
    ],
    [
      'ends every watch after a line',
      (response) => {
        response.end(line('BOOKMARK', { metadata: { resourceVersion: '102' } }));
        return true;
      },
    ],
  ])('does not hurry when the server %s', async (_, fault) => {
    const timing = { firstRetryMs: 100, longestRetryMs: 1_000 };
    const started = await start({ timing }, (server) => {
      server.onWatch = fault;
    });
    await eventually('some watches', () => started.asked('watch').length >= 4);
    // 100, 200 and 400 ms at least lie between them.
    expect(mostInASecond(started)).toBeLessThanOrEqual(5);
    started.server.onWatch = undefined;
    await stillFollows(started);
  });

  it.each<[string, Fault | ((server: FaultServer) => void), string]>([
    ['is reset', (server: FaultServer) => server.endWatches('cut off'), 'broke off'],
    [
      'has a line that is no JSON',
      (server: FaultServer) => server.send('{"type": "ADDED", oops\n'),
      'it answers',
    ],
    [
      'ends within a line',
      (server: FaultServer) => {
        server.send('{"type": "ADDED", "object": {"metadata"');
        server.endWatches();
      },
      'it ended within an event',
    ],
    [
      'has an event of an unknown type',
      (server: FaultServer) => server.send(line('RENAMED', { metadata: { resourceVersion: '1' } })),
      'an event of an unknown type: RENAMED',
    ],
    [
      'has an event without an object',
      (server: FaultServer) => server.send('{"type": "ADDED"}\n'),
      'without an object',
    ],
    [
      'has an error event and stays open',
      (server: FaultServer) =>
        server.send(
          line('ERROR', { kind: 'Status', code: 500, reason: 'InternalError', message: 'etcd is away' }),
        ),
      'etcd is away',
    ],
  ])('goes on from the last version when a watch %s', async (_, fault, message) => {
    const started = await start();
    const { server, asked, failures, changes, reflector } = started;
    await caughtUp(started);
    server.put('a', '2');
    await caughtUp(started);
    (fault as (server: FaultServer) => void)(server);
    server.put('b', '2');
    server.put('c', '1');
    await eventually('the next watch', () => asked('watch').length === 2);
    await stillFollows(started);
    expect(failures.map((failure) => failure.message)).toEqual([expect.stringContaining(message)]);
    expect(asked('list')).toHaveLength(1);
    expect(asked('watch')[1]?.query.get('resourceVersion')).toBe('103');
    expect(changes).toEqual(['added a', 'added b', 'changed a', 'changed b', 'added c', 'added late']);
    expect(reflector.lastError).toBeUndefined();
  });

  it.each([
    [500, 'InternalError'],
    [403, 'Forbidden'],
    [429, 'TooManyRequests'],
    [401, 'Unauthorized'],
  ])('tries a watch again that is refused with %d, and says why', async (code, reason) => {
    const started = await start({}, (server) => {
      server.onWatch = refuse(code, reason);
    });
    const { server, reflector, asked, failures } = started;
    await eventually('some tries', () => failures.length >= 3);
    expect(reflector.lastError).toBe(`refused: ${reason}`);
    expect(asked('list')).toHaveLength(1);
    server.onWatch = undefined;
    await stillFollows(started);
    expect(reflector.lastError).toBeUndefined();
  });

  it.each([500, 403, 503])('tries a list again that is refused with %d, and says why', async (code) => {
    const started = await start({}, (server) => {
      server.onList = refuse(code, 'Whatever');
    });
    const { server, reflector, failures } = started;
    await eventually('some tries', () => failures.length >= 3);
    expect([reflector.isSynced, reflector.lastError]).toEqual([false, 'refused: Whatever']);
    expect(performance.now() - reflector.lastContact).toBeLessThan(1_000);
    server.onList = undefined;
    await reflector.synced;
    await stillFollows(started);
  });

  it.each(['onList', 'onWatch'] as const)('waits as long as the server asks for: %s', async (what) => {
    const started = await start({}, (server) => {
      server[what] = first(1, refuse(503, 'ServiceUnavailable', 1));
    });
    await caughtUp(started);
    const [before = 0, after = 0] = started.asked(what === 'onList' ? 'list' : 'watch').map(({ at }) => at);
    expect(after - before).toBeGreaterThanOrEqual(990);
  });

  it('waits as long as an error event asks for', async () => {
    const started = await start();
    await caughtUp(started);
    const status = { kind: 'Status', code: 429, message: 'later', details: { retryAfterSeconds: 1 } };
    const at = performance.now();
    started.server.send(line('ERROR', status));
    await eventually('the next watch', () => started.asked('watch').length === 2);
    expect(performance.now() - at).toBeGreaterThanOrEqual(990);
  });

  it.each<[string, (server: FaultServer) => void]>([
    [
      'event',
      (server) => {
        server.onWatch = undefined;
      },
    ],
    [
      'answer',
      (server) => {
        server.onWatch = first(1, refuse(410, 'Expired'));
      },
    ],
  ])(
    'reads all again when its version is too old, by an %s, and tells what it has missed',
    async (_, prepare) => {
      const started = await start();
      const { server, asked, changes, store } = started;
      await caughtUp(started);
      prepare(server);
      server.endWatches('cut off');
      server.put('a', '2');
      server.delete('b');
      server.put('c', '1');
      server.compact();
      await eventually('another list', () => asked('list').length === 2);
      await caughtUp(started);
      expect(store.size).toBe(2);
      expect(changes.slice(2).sort()).toEqual(['added c', 'changed a', 'deleted b']);
    },
  );

  it('tells of an object that was made anew meanwhile as of two', async () => {
    const started = await start();
    const { server, changes } = started;
    await caughtUp(started);
    server.endWatches('cut off');
    server.delete('a');
    server.put('a', 'new');
    server.compact();
    await caughtUp(started);
    expect(changes.slice(2)).toEqual(['deleted a', 'added a']);
  });

  it('does not hurry when every version is too old', async () => {
    const timing = { firstRetryMs: 100, longestRetryMs: 1_000 };
    const started = await start({ timing }, (server) => {
      server.onWatch = refuse(410, 'Expired');
    });
    await eventually('some lists', () => started.asked('list').length >= 4);
    expect(started.asked('list').length).toBeLessThanOrEqual(5);
    expect(mostInASecond(started)).toBeLessThanOrEqual(10);
    expect(started.changes).toEqual(['added a', 'added b']);
  });

  it.each<[string, Fault]>([
    ['never begins', () => true],
    [
      'is silent from the first',
      (response) => {
        response.flushHeaders();
        return true;
      },
    ],
  ])('gives up a watch that %s', async (_, fault) => {
    const started = await start({ timeoutMs: 200, timing: { idleMs: 300 } }, (server) => {
      server.onWatch = first(2, fault);
    });
    await eventually('the third watch', () => started.asked('watch').length >= 3);
    await stillFollows(started);
    expect(started.failures[0]?.message).toMatch(/Timeout|no sign of life for 0.3 s/);
  });

  it('gives up a list that never begins', async () => {
    const started = await start({ timeoutMs: 200 }, (server) => {
      server.onList = first(2, () => true);
    });
    await started.reflector.synced;
    await stillFollows(started);
  });

  it('gives up a watch that falls silent', async () => {
    const started = await start({ timing: { idleMs: 300 } });
    await caughtUp(started);
    await eventually('the next watch', () => started.asked('watch').length === 2);
    expect(started.failures[0]?.message).toBe('no sign of life for 0.3 s');
    await stillFollows(started);
  });

  it('ends a watch that the server does not', async () => {
    const started = await start({ timing: { watchSeconds: [1, 1], graceMs: 100 } });
    const beat = setInterval(() => started.server.bookmark(), 50);
    onTestFinished(() => clearInterval(beat));
    await eventually('the next watch', () => started.asked('watch').length === 2);
    expect(started.failures[0]?.message).toBe('the server did not end the watch');
    const [before = 0, after = 0] = started.asked('watch').map(({ at }) => at);
    expect(after - before).toBeGreaterThanOrEqual(1_090);
  });

  it('waits longer with each failure, up to a limit, and starts anew after a watch that has lived', async () => {
    const started = await start({}, (server) => {
      server.onWatch = refuse(500, 'InternalError');
    });
    const { server, failures } = started;
    await eventually('many tries', () => failures.length >= 6);
    const least = [20, 40, 80, 80, 80, 80];
    for (const [index, ms] of least.entries()) {
      expect(failures[index]?.retryMs).toBeGreaterThanOrEqual(ms);
      expect(failures[index]?.retryMs).toBeLessThan(2 * ms);
    }
    server.onWatch = undefined;
    await caughtUp(started);
    const opened = performance.now();
    await eventually('the watch to have lived', () => performance.now() - opened > TIMING.healthyMs + 200);
    const count = failures.length;
    server.endWatches('cut off');
    await eventually('the next failure', () => failures.length > count);
    expect(failures[count]?.retryMs).toBeLessThan(40);
  });

  it('survives a handler that throws, and says so', async () => {
    const thrown: unknown[] = [];
    const started = await start({
      onChange: () => {
        throw new Error('a bug');
      },
      observer: { handlerFailed: (_, error) => thrown.push(error) },
    });
    await caughtUp(started);
    await stillFollows(started);
    expect(thrown).toHaveLength(3);
    expect(started.asked('watch')).toHaveLength(1);
  });

  it('sends nothing after it was ended, not even when a list was under way', async () => {
    let answer: () => void = () => undefined;
    const started = await start({}, (server) => {
      server.onList = (response) => {
        answer = () => response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] }));
        return true;
      };
    });
    const { server, end, reflector, failures } = started;
    await eventually('the list', () => server.requests.length === 1);
    const ended = end();
    answer();
    await ended;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(server.requests).toHaveLength(1);
    expect([reflector.isSynced, failures]).toEqual([false, []]);
  });

  it('ends while it waits and while it watches', async () => {
    const waiting = await start({ timing: { firstRetryMs: 60_000 } }, (server) => {
      server.onList = refuse(500, 'InternalError');
    });
    await eventually('a failure', () => waiting.failures.length === 1);
    await waiting.end();
    const watching = await start();
    await caughtUp(watching);
    await watching.end();
    await eventually('the watch to end', () => watching.server.open === 0);
  });

  it('leaves no listener behind with each list and watch', async () => {
    const started = await start({ timing: { firstRetryMs: 1, longestRetryMs: 1 } }, (server) => {
      server.onWatch = refuse(410, 'Expired');
    });
    await eventually('many watches', () => started.asked('watch').length >= 50);
    started.server.onWatch = undefined;
    await caughtUp(started);
    expect(getEventListeners(started.signal, 'abort').length).toBeLessThan(5);
  });

  it('keeps of an object what is left of it', async () => {
    const trim = ({ data: _, ...rest }: StoredObject) => rest as StoredObject;
    const { reflector, store } = await start({ trim });
    await reflector.synced;
    expect(store.get('default', 'a')).not.toHaveProperty('data');
  });

  describe('of a kind that the cluster does not have', () => {
    const notFound = refuse(404, 'NotFound');

    it('is one without objects if the kind is optional, until the kind appears', async () => {
      const started = await start({ optional: true }, (server) => {
        server.onList = notFound;
      });
      const { server, reflector, store } = started;
      await reflector.synced;
      expect([store.size, reflector.lastError]).toEqual([0, 'the cluster has no configmaps']);
      server.onList = undefined;
      await stillFollows(started);
      expect(reflector.lastError).toBeUndefined();
    });

    it('waits for it if it is not', async () => {
      const started = await start({}, (server) => {
        server.onList = notFound;
      });
      const { server, reflector, failures } = started;
      await eventually('some tries', () => failures.length >= 3);
      expect([reflector.isSynced, reflector.lastError]).toEqual([false, 'the cluster has no configmaps']);
      server.onList = undefined;
      await reflector.synced;
      await stillFollows(started);
    });

    it('takes another version where the server has that', async () => {
      const started = await start({ otherVersions: ['v1beta1'] }, (server) => {
        server.onList = (response, url) => url.pathname.startsWith('/api/v1/') && notFound(response, url);
      });
      await stillFollows(started);
      expect(started.store.get('default', 'a')?.apiVersion).toBe('v1beta1');
      expect(started.failures).toEqual([]);
    });

    it.each([
      [true, ['deleted a', 'deleted b']],
      [false, []],
    ])(
      'tells that all are gone when an optional kind goes (%s), and believes it at the second look',
      async (optional, gone) => {
        const started = await start({ optional });
        const { server, store, changes, failures, asked } = started;
        await caughtUp(started);
        server.onWatch = notFound;
        server.endWatches();
        // Each time that it is looked for and found again, the count begins anew.
        for (let round = 0; round < 2; round++) {
          server.onList = first(1, notFound);
          const before = asked('list').length;
          await eventually('it to be found again', () => asked('list').length > before + 2);
        }
        expect(changes).toEqual(['added a', 'added b']);
        server.onList = notFound;
        const count = failures.length;
        await eventually('some looks', () => failures.length > count + 4);
        expect(changes.slice(2)).toEqual(gone);
        expect(store.size).toBe(2 - gone.length);
        server.onWatch = undefined;
        server.onList = undefined;
        await stillFollows(started);
      },
    );
  });
});
