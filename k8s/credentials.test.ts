import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadCredentials } from './credentials.ts';
import { podCredentials } from './pod-credentials.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gari-credentials-'));
  vi.stubEnv('HOME', directory);
  vi.stubEnv('KUBECONFIG', '');
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
    vi.unstubAllEnvs();
  });
});

/** Writes a kubeconfig with this user and cluster, and returns its path. */
function kubeconfig(user: object, cluster: object = {}, ofContext: object = {}): string {
  const file = join(directory, 'config');
  const context = { cluster: 'prod', user: 'me', ...ofContext };
  writeFileSync(
    file,
    JSON.stringify({
      clusters: [{ name: 'prod', cluster: { server: 'https://api.example.com:6443', ...cluster } }],
      users: [{ name: 'me', user }],
      contexts: [{ name: 'prod', context }],
      'current-context': 'prod',
    }),
  );
  return file;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a kubeconfig', () => {
  it('gives all that a connection needs', async () => {
    const file = kubeconfig(
      { token: 't', 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
      {
        'certificate-authority-data': base64('CA'),
        'tls-server-name': 'api',
        'proxy-url': 'http://proxy:3128',
      },
    );
    const { authorization, ...rest } = await loadCredentials({ kubeconfig: file });
    expect(rest).toEqual({
      ...{ server: 'https://api.example.com:6443', insecure: false, serverName: 'api' },
      ...{ ca: 'CA', cert: 'CERT', key: 'KEY', proxy: 'http://proxy:3128' },
    });
    expect(await authorization(false)).toEqual({ Authorization: 'Bearer t' });
  });

  it.each([
    ['no kubeconfig', () => ({}), 'there is no kubeconfig: --kubeconfig and KUBECONFIG are not given'],
    ['no kubeconfig, but a context', () => ({ context: 'prod' }), 'there is no kubeconfig'],
    [
      'no such file',
      () => ({ kubeconfig: join(directory, 'absent') }),
      /^the kubeconfig \/.+ cannot be read: ENOENT/,
    ],
    [
      'no such context',
      () => ({ kubeconfig: kubeconfig({}), context: 'test' }),
      'the kubeconfig has no context "test"; it has prod (',
    ],
    [
      'an empty file',
      () => {
        writeFileSync(join(directory, 'config'), '');
        return { kubeconfig: join(directory, 'config') };
      },
      /^the kubeconfig \/.+ cannot be read: it is empty$/,
    ],
    [
      'a file with no context',
      () => {
        writeFileSync(join(directory, 'config'), '{}');
        return { kubeconfig: join(directory, 'config') };
      },
      'the kubeconfig names no current context; it has none (',
    ],
    [
      'a context of no cluster',
      () => ({ kubeconfig: kubeconfig({}, {}, { cluster: 'gone' }) }),
      'the kubeconfig\'s context "prod" is of a cluster "gone", which it has not (',
    ],
    [
      'a context of no user',
      () => ({ kubeconfig: kubeconfig({}, {}, { user: 'gone' }) }),
      'the kubeconfig\'s context "prod" is of a user "gone", which it has not (',
    ],
    [
      'a server that is no URL',
      () => ({ kubeconfig: kubeconfig({}, { server: 'api.example.com:6443' }) }),
      'the kubeconfig\'s server "api.example.com:6443" is no https:// URL',
    ],
    [
      'a plugin that prints nothing of use',
      () => ({ kubeconfig: kubeconfig(plugin('console.log("welcome")')) }),
      `the credentials cannot be had from the plugin ${process.execPath}: it prints no ExecCredential with a status`,
    ],
    [
      'a plugin that prints no status',
      () => ({ kubeconfig: kubeconfig(plugin('console.log("{}")')) }),
      'it prints no ExecCredential with a status',
    ],
    [
      'a proxy that is none',
      () => ({ kubeconfig: kubeconfig({}, { 'proxy-url': 'socks5://proxy' }) }),
      "the kubeconfig's proxy-url socks5://proxy is no HTTP proxy",
    ],
    [
      'a plugin that is not installed',
      () => ({ kubeconfig: kubeconfig({ exec: { command: 'gari-no-such-plugin' } }) }),
      'the credentials cannot be had from the plugin gari-no-such-plugin: spawn gari-no-such-plugin ENOENT',
    ],
    [
      'a plugin that fails',
      () => ({ kubeconfig: kubeconfig(plugin('console.error("log in first\\nand more"); process.exit(1)')) }),
      `the credentials cannot be had from the plugin ${process.execPath}: log in first`,
    ],
  ])('%s is said in one line', async (_, options, message) => {
    const error = await loadCredentials(options()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'NoCredentials' });
    const text = (error as Error).message;
    if (typeof message === 'string') expect(text).toContain(message);
    else expect(text).toMatch(message);
    expect(text).not.toContain('\n');
  });

  it('is found where kubectl finds it', async () => {
    vi.stubEnv('KUBECONFIG', kubeconfig({ token: 't' }));
    expect((await loadCredentials({})).server).toBe('https://api.example.com:6443');
  });
});

describe('several kubeconfigs in KUBECONFIG', () => {
  const config = (name: string, server: string, current?: string) => {
    const file = join(directory, name);
    writeFileSync(
      file,
      JSON.stringify({
        clusters: [{ name: 'shared', cluster: { server } }],
        users: [{ name: 'shared', user: { token: name } }],
        contexts: [
          { name: 'shared', context: { cluster: 'shared', user: 'shared' } },
          { name, context: { cluster: 'shared', user: 'shared' } },
        ],
        ...(current === undefined ? {} : { 'current-context': current }),
      }),
    );
    return file;
  };

  it('are merged as kubectl does it: what comes first stays, files that are not there are left out', async () => {
    const files = [config('a', 'https://a'), config('b', 'https://b', 'b'), config('c', 'https://c', 'c')];
    vi.stubEnv('KUBECONFIG', [join(directory, 'absent'), ...files].join(delimiter));
    const { server, authorization } = await loadCredentials({});
    expect([server, await authorization(false)]).toEqual(['https://a', { Authorization: 'Bearer a' }]);
    const error = await loadCredentials({ context: 'd' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('it has shared, a, b, c (') });
    vi.stubEnv('KUBECONFIG', [config('b', 'https://b', 'x'), config('c', 'https://c', 'c')].join(delimiter));
    await expect(loadCredentials({})).rejects.toThrow('has no context "x"');
  });

  it('none of which is there are said in one line', async () => {
    vi.stubEnv('KUBECONFIG', ['/nowhere/a', '/nowhere/b'].join(delimiter));
    await expect(loadCredentials({})).rejects.toThrow(
      'the kubeconfig cannot be read: /nowhere/a and /nowhere/b (KUBECONFIG) is not there',
    );
  });
});

/** A user whose credentials a script prints. */
const plugin = (script: string) => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', script] },
});

describe('an exec plugin', () => {
  const runs = () => readFileSync(join(directory, 'runs'), 'utf8');
  const printing = (status: object) =>
    plugin(
      `require('fs').appendFileSync(${JSON.stringify(join(directory, 'runs'))}, process.env.KUBERNETES_EXEC_INFO);` +
        `console.log(JSON.stringify({ kind: 'ExecCredential', status: ${JSON.stringify(status)} }))`,
    );

  it('gives a certificate, is told what it is asked for, and does not run for each request', async () => {
    const file = kubeconfig(printing({ token: 't', clientCertificateData: 'CERT', clientKeyData: 'KEY' }));
    const { authorization, cert, key } = await loadCredentials({ kubeconfig: file });
    expect([cert, key]).toEqual(['CERT', 'KEY']);
    const loaded = runs();
    expect(JSON.parse(loaded)).toEqual({
      ...{ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' },
      spec: { interactive: false },
    });
    const headers = await Promise.all(Array.from({ length: 16 }, () => authorization(false)));
    expect(headers[15]).toEqual({ Authorization: 'Bearer t' });
    expect(runs()).toBe(loaded.repeat(2));
    await authorization(true);
    expect(runs()).toBe(loaded.repeat(3));
  });
});

describe('a pod', () => {
  it('has an address, a CA and a token, which is read again', async () => {
    writeFileSync(join(directory, 'ca.crt'), 'CA');
    writeFileSync(join(directory, 'token'), 'first\n');
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
    const pod = podCredentials(env, directory);
    expect(pod).toMatchObject({ server: 'https://[fd00::1]:6443', ca: 'CA', insecure: false });
    const token = async (refresh = false) => (await pod?.authorization(refresh))?.authorization;
    expect(await token()).toBe('Bearer first');
    writeFileSync(join(directory, 'token'), 'second');
    expect(await token()).toBe('Bearer first');
    expect(await token(true)).toBe('Bearer second');
    writeFileSync(join(directory, 'token'), 'third');
    now.mockReturnValue(61_000);
    expect(await token()).toBe('Bearer third');
  });

  it('is none without an address or a token', () => {
    expect(podCredentials({ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, directory)).toBeUndefined();
    writeFileSync(join(directory, 'token'), 'first');
    expect(podCredentials({}, directory)).toBeUndefined();
  });
});
