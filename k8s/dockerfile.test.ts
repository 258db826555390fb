import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const dockerfile = readFileSync('k8s/Dockerfile', 'utf8');
const entryPoint: string[] = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');
const command: string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');

// Without a container engine: the image's files, laid out as in the image, and its entry point.
describe('the image of the controller', () => {
  let image = '';
  beforeAll(() => {
    image = mkdtempSync(join(tmpdir(), 'gari-image-'));
    chmodSync(image, 0o755);
    expect(dockerfile).toMatch(/^COPY --chmod=755 dist\/\*\.cjs \/gari\/$/m);
    for (const file of readdirSync('dist').filter((name) => name.endsWith('.cjs'))) {
      cpSync(join('dist', file), join(image, 'gari', file));
      chmodSync(join(image, 'gari', file), 0o755);
    }
  });
  afterAll(() => rmSync(image, { recursive: true }));

  const run = (args: readonly string[], env: Record<string, string> = {}) => {
    const [program = '', path = ''] = entryPoint;
    return spawnSync(program, [join(image, path), ...args], {
      encoding: 'utf8',
      cwd: image,
      // As nobody, and with nothing else in the environment, where the test may become nobody.
      env: { PATH: process.env.PATH, HOME: image, ...env },
      ...(process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
    });
  };

  it('is of Node 24, runs as a user that is not root, and starts in exec form', () => {
    expect(dockerfile).toMatch(/^ARG NODE=node:24[^\n]*\nFROM \$\{NODE\}$/m);
    expect(dockerfile).toMatch(/^USER [1-9][0-9]*:[1-9][0-9]*$/m);
    expect(entryPoint).toEqual(['node', '/gari/gari.cjs']);
    expect(command).toEqual(['controller']);
  });

  it('sends the engine nothing else', () => {
    expect(readFileSync('k8s/Dockerfile.dockerignore', 'utf8')).toMatch(/^\*\n!dist\/\*\.cjs\n$/m);
  });

  it('is the command line too', () => {
    const { status, stdout, stderr } = run(['install']);
    expect(status, stderr).toBe(0);
    expect(stdout).toBe(readFileSync('k8s/controller.yaml', 'utf8'));
  });

  it('says in the log why it cannot start', () => {
    const { status, stdout } = run(command);
    expect(status).toBe(1);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      level: 'error',
      error: expect.stringMatching(/^there is no kubeconfig/),
    });
  });

  it.each([
    [['--max-unavailable-gateways=0'], '--max-unavailable-gateways'],
    [['--max-unavailable-gateways=101%'], '--max-unavailable-gateways'],
    [['--namespaces=a,B'], '--namespaces'],
    [['--leader-elect=gari'], '--leader-elect'],
    [['--health-port=70000'], '--health-port'],
    [['--status=some'], '--status'],
    [['--log-level=loud'], '--log-level'],
    [['--no-such-flag'], '--no-such-flag'],
  ])('refuses %s by name', (flags, name) => {
    const { status, stderr } = run([...command, ...flags]);
    expect(status).toBe(2);
    expect(stderr).toContain(name);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('takes each flag from the environment as well', () => {
    const { status, stderr } = run(command, { GARI_MAX_UNAVAILABLE_GATEWAYS: 'many' });
    expect(status).toBe(2);
    expect(stderr).toContain('GARI_MAX_UNAVAILABLE_GATEWAYS');
  });

  // client-node takes a quarter of a second and 40 MB, and a pod has no kubeconfig.
  it('loads client-node for a kubeconfig alone', () => {
    const text = readFileSync('dist/controller-command.cjs', 'utf8');
    expect(text).not.toContain('KubernetesObjectApi');
    expect(text.match(/require\("\.\/[a-z-]+\.cjs"\)/g)).toContain('require("./kube-config.cjs")');
  });
});
