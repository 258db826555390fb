import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const dockerfile = readFileSync('functions/Dockerfile', 'utf8');
const [, copied = ''] = /^COPY (.*) \/gari\/$/m.exec(dockerfile) ?? [];
const files = copied.split(' ');
const entryPoint: string[] = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');

// Without a container engine: the image's files, laid out as in the image, and its entry point.
describe('the image of the function', () => {
  let image = '';
  beforeAll(() => {
    image = mkdtempSync(join(tmpdir(), 'gari-image-'));
    for (const file of files) cpSync(file, join(image, 'gari', basename(file)));
  });
  afterAll(() => rmSync(image, { recursive: true }));

  const run = (args: readonly string[], input = '') => {
    const [program = '', path = ''] = entryPoint;
    return spawnSync(program, [join(image, path), ...args], { input, encoding: 'utf8', cwd: image });
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
    expect(dockerfile).toMatch(/^FROM node:24/m);
    expect(dockerfile).toMatch(/^USER [1-9][0-9]*:[1-9][0-9]*$/m);
    expect(entryPoint).toEqual(['node', '/gari/gari-fn.cjs']);
  });

  it('holds every bundle that the function loads', () => {
    const loaded = (bundle: string): string[] =>
      [...readFileSync(`dist/${bundle}`, 'utf8').matchAll(/require\("\.\/([a-z-]+\.cjs)"\)/g)].map(
        ([, name = '']) => name,
      );
    const needed = new Set(['gari-fn.cjs']);
    for (const bundle of needed) for (const name of loaded(bundle)) needed.add(name);
    expect(readdirSync(join(image, 'gari')).sort()).toEqual([...needed].sort());
  });

  it('shows its documentation, as kpt fn doc asks for it', () => {
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
});
