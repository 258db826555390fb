import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeTool } from '../test/tools.ts';

const dockerfile = readFileSync('functions/Dockerfile', 'utf8');
const [, copied = ''] = /^COPY --chmod=755 (.*) \/gari\/$/m.exec(dockerfile) ?? [];
const files = copied.split(' ');
const entryPoint: string[] = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');

// Without a container engine: the image's files, laid out as in the image, and its entry point.
describe('the image of the function', () => {
  let image = '';
  beforeAll(() => {
    image = mkdtempSync(join(tmpdir(), 'gari-image-'));
    chmodSync(image, 0o755);
    for (const file of files) {
      cpSync(file, join(image, 'gari', basename(file)));
      chmodSync(join(image, 'gari', basename(file)), 0o755);
    }
  });
  afterAll(() => rmSync(image, { recursive: true }));

  const run = (args: readonly string[], input = '') => {
    const [program = '', path = ''] = entryPoint;
    return spawnSync(program, [join(image, path), ...args], {
      input,
      encoding: 'utf8',
      cwd: image,
      // As nobody and with nothing in the environment, where the test may become nobody.
      env: { PATH: process.env.PATH },
      ...(process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
    });
  };
  const list = (port: number) => `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: gateway.networking.k8s.io/v1
  kind: Gateway
  metadata: {name: web, namespace: prod}
  spec:
    gatewayClassName: gari
    listeners: [{name: http, port: ${port}, protocol: HTTP, hostname: "${port === 80 ? 'a.example.com' : '*'}"}]
`;

  it('is of Node 24, runs as a user that is not root, and starts in exec form', () => {
    expect(dockerfile).toMatch(/^ARG NODE=node:24[^\n]*\nFROM \$\{NODE\}$/m);
    expect(dockerfile).toMatch(/^USER [1-9][0-9]*:[1-9][0-9]*$/m);
    expect(entryPoint).toEqual(['node', '/gari/gari-fn.cjs']);
  });

  it('is built from nothing else', () => {
    const ignored = readFileSync('functions/Dockerfile.dockerignore', 'utf8').split('\n');
    expect(ignored.filter((line) => !line.startsWith('#'))).toEqual([
      '*',
      ...files.map((file) => `!${file}`),
      '',
    ]);
  });

  it('needs no other file', () => {
    expect(readdirSync(join(image, 'gari'))).toEqual(['gari-fn.cjs']);
  });

  it('shows its documentation', () => {
    expect(run(['--help']).stdout).toMatch(/^# gari-fn\n/);
  });

  it('renders, updates, and refuses', () => {
    const first = run([], list(80));
    expect(first.stderr).toBe('');
    expect(first.stdout).toContain('name: web-gari');
    const changed = run(
      [],
      first.stdout.replace('port: 80,', 'port: 81,').replace('targetPort: 8000', 'targetPort: 1'),
    );
    expect(changed.status, changed.stderr).toBe(0);
    expect(run([], list(0)).status).toBe(1);
  });

  // kpt finds the engine on its PATH and gives it the image and its arguments.
  describeTool('kpt', () => {
    const kpt = (...args: string[]) => {
      const bin = join(image, 'bin');
      mkdirSync(bin, { recursive: true });
      const [program, path = ''] = entryPoint;
      const engine = `#!/bin/sh
echo "$@" >> ${image}/asked
if test "$1" = version; then echo 28.2.2; fi
test "$1" = run || exit 0
while test "$1" != registry.example.com/gari-fn:v0.1.0; do shift; done
shift; exec ${program} ${join(image, path)} "$@"
`;
      writeFileSync(join(bin, 'docker'), engine, { mode: 0o755 });
      const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, KPT_FN_RUNTIME: 'docker' };
      return spawnSync('kpt', args, { encoding: 'utf8', cwd: image, env });
    };

    it('shows its documentation by kpt fn doc', () => {
      const { status, stdout, stderr } = kpt('fn', 'doc', '--image', 'registry.example.com/gari-fn:v0.1.0');
      expect(status, stderr).toBe(0);
      expect(stdout).toMatch(/^# gari-fn\n\n## Overview\n/);
      expect(readFileSync(join(image, 'asked'), 'utf8')).toMatch(/gari-fn:v0\.1\.0 --help$/m);
    });

    it('renders in a package by kpt fn eval', () => {
      mkdirSync(join(image, 'package'));
      const [, gateway = ''] = list(80).split('items:\n- ');
      writeFileSync(join(image, 'package/gateway.yaml'), gateway.replace(/^ {2}/gm, ''));
      const args = ['fn', 'eval', 'package', '--image', 'registry.example.com/gari-fn:v0.1.0'];
      const { status, stderr } = kpt(...args);
      expect(status, stderr).toBe(0);
      expect(readdirSync(join(image, 'package'))).toContain('prod_web-gari.yaml');
      expect(readFileSync(join(image, 'asked'), 'utf8')).toContain('--network none --user nobody');
    });
  });
});
