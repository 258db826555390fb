import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseYaml } from '../functions/yaml.ts';
import type { JsonObject } from '../render/json.ts';
import { findKustomize } from './cluster/assets.ts';
import { describeTool } from './tools.ts';

/** The object of a kind that a guide shows, as text. */
function shownText(guide: string, kind: string): string {
  const page = readFileSync(`docs/how-to/${guide}.md`, 'utf8');
  const texts = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);
  return texts.find((text) => (parseYaml(text) as JsonObject).kind === kind) ?? '';
}
const shown = (guide: string, kind: string) => parseYaml(shownText(guide, kind)) as JsonObject;

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'gari-argo-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

describe('the config management plugin for Argo CD', () => {
  const { data } = shown('argo-cd', 'ConfigMap') as { data: Record<string, string> };
  const plugin = parseYaml(data['plugin.yaml'] ?? '') as {
    spec: { generate: { command: [string, ...string[]]; args: string[] } };
  };
  const { command, args } = plugin.spec.generate;

  /** As argocd-cmp-server runs it: in the directory of the Application. */
  const generate = (edit: (gateway: string) => string, more: Readonly<Record<string, string>> = {}) => {
    const root = directory();
    mkdirSync(join(root, 'bin'));
    symlinkSync(resolve('dist/gari.cjs'), join(root, 'bin/gari'));
    mkdirSync(join(root, 'app'));
    writeFileSync(join(root, 'app/gateway.yaml'), edit(readFileSync('fixtures/gateway.yaml', 'utf8')));
    for (const [name, text] of Object.entries(more)) writeFileSync(join(root, 'app', name), text);
    const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
    const [program, ...first] = command;
    return spawnSync(program, [...first, ...args], { cwd: join(root, 'app'), env, encoding: 'utf8' });
  };

  it('prints the Gateways and what they need, each once', () => {
    const { status, stdout, stderr } = generate((gateway) => gateway);
    expect(status, stderr).toBe(0);
    const objects = parseAllDocuments(stdout).map((document) => document.toJS() as JsonObject);
    expect(objects.map(({ kind }) => kind)).toEqual([
      'GatewayClass',
      'Gateway',
      'ClusterRoleBinding',
      'ServiceAccount',
      'Deployment',
      'Service',
    ]);
  });

  it('prints the role beside them, and fails where its binding would be there twice', () => {
    const { stdout: rbac } = spawnSync('dist/gari.cjs', ['install', '--only=data-plane-rbac'], {
      encoding: 'utf8',
    });
    // The command of the page leaves the binding out.
    const role = spawnSync('sed', ['/^---$/,$d'], { input: rbac, encoding: 'utf8' }).stdout;
    const good = generate((gateway) => gateway, { 'data-plane-role.yaml': role });
    expect(good.status, good.stderr).toBe(0);
    expect(good.stdout.match(/^kind: ClusterRole(Binding)?$/gm)?.sort()).toEqual([
      'kind: ClusterRole',
      'kind: ClusterRoleBinding',
    ]);
    const bad = generate((gateway) => gateway, { 'data-plane-role.yaml': rbac });
    expect([bad.status, bad.stdout]).toEqual([1, '']);
    expect(bad.stderr).toContain('data-plane-role.yaml: it holds ClusterRoleBinding gari-dataplane');
  });

  it('fails where gari refuses a Gateway', () => {
    const { status, stderr } = generate((gateway) => gateway.replace(/port: 80$/m, 'port: 0'));
    expect(status).toBe(1);
    expect(stderr).toContain('port must be between 1 and 65535, not 0');
  });

  describeTool('kubectl', () => {
    it('is a patch of the repository server', () => {
      const root = directory();
      const patch = shown('argo-cd', 'Deployment');
      const server = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: patch.metadata,
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: {
              containers: [{ name: 'argocd-repo-server', image: 'argocd' }],
              volumes: ['var-files', 'plugins'].map((name) => ({ name, emptyDir: {} })),
            },
          },
        },
      };
      writeFileSync(join(root, 'server.yaml'), JSON.stringify(server));
      writeFileSync(join(root, 'patch.yaml'), JSON.stringify(patch));
      const files = { resources: ['server.yaml'], patches: [{ path: 'patch.yaml' }] };
      writeFileSync(join(root, 'kustomization.yaml'), JSON.stringify(files));
      const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', root], { encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      const { spec } = (parseYaml(stdout) as { spec: { template: { spec: JsonObject } } }).spec.template;
      const { containers, volumes } = spec as unknown as Record<
        'containers' | 'volumes',
        { name: string; volumeMounts?: { name: string }[] }[]
      >;
      expect(containers.map(({ name }) => name)).toEqual(['gari', 'argocd-repo-server']);
      const mounted = containers[0]?.volumeMounts?.map(({ name }) => name).sort();
      expect(volumes.map(({ name }) => name).sort()).toEqual(mounted);
    });
  });
});

describe('the files of the guides', () => {
  /** A package with a Gateway, and the tools on the PATH. */
  const packageWith = (files: Readonly<Record<string, string>>) => {
    const root = directory();
    mkdirSync(join(root, 'bin'));
    symlinkSync(resolve('dist/gari-fn.cjs'), join(root, 'bin/gari-fn'));
    mkdirSync(join(root, 'package'));
    const gateway = readFileSync('examples/kustomize/gateway.yaml', 'utf8');
    const all = { 'gateway.yaml': gateway, ...files };
    for (const [name, text] of Object.entries(all)) writeFileSync(join(root, 'package', name), text);
    const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` };
    return (program: string, ...args: string[]) => {
      const run = spawnSync(program, args, { cwd: join(root, 'package'), env, encoding: 'utf8' });
      return { ...run, files: readdirSync(join(root, 'package')).sort() };
    };
  };

  describeTool('kpt', () => {
    it('are a Kptfile that renders and validates', () => {
      const run = packageWith({
        Kptfile: shownText('kpt', 'Kptfile'),
      });
      const { status, stderr, files } = run('kpt', 'fn', 'render', '--allow-exec');
      expect(status, stderr).toBe(0);
      expect(stderr).toContain('Successfully executed 2 function(s)');
      expect(files).toContain('prod_web-gari.yaml');
    });
  });

  it('are a kustomization', async () => {
    const run = packageWith({
      'kustomization.yaml': shownText('kustomize', 'Kustomization'),
      'render-gateways.yaml': shownText('kustomize', 'RenderGateways').replace('./gari-fn', 'gari-fn'),
    });
    const kustomize = await findKustomize(() => undefined);
    const { status, stdout, stderr } = run(
      kustomize,
      'build',
      '--enable-alpha-plugins',
      '--enable-exec',
      '.',
    );
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('name: web-gari');
  }, 300_000);
});
