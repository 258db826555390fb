import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { gariRender } from '../test/fixtures.ts';
import { run } from './cli.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gari-cli-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
  vi.unstubAllEnvs();
});

/** Writes a file of the test's directory and returns its path. */
function file(name: string, text: string): string {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const gateway = (name: string, more = '') => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: ${name}, namespace: prod}
spec:
  gatewayClassName: gari
  listeners:
  - {name: http, port: 80, protocol: HTTP}
${more}`;

/** Runs with paths in which the test's directory is called DIR, to compare messages as a whole. */
async function render(...args: string[]) {
  const { exitCode, stdout, stderr } = await gariRender(...args);
  return { exitCode, stdout, stderr: stderr.replaceAll(directory, 'DIR') };
}

const refused = (stderr: string) => ({ exitCode: 1, stdout: '', stderr: `${stderr}\n` });

describe('bad input is one line each, and nothing comes out', () => {
  it('not YAML', async () => {
    const path = file('a.yaml', 'kind: Gateway\n\tname: x\n');
    expect(await render(path)).toEqual(
      refused('error: DIR/a.yaml, line 2: not YAML: tab characters must not be used in indentation.'),
    );
  });

  it('a template that is not rendered', async () => {
    const path = file('a.yaml', 'apiVersion: v1\nkind: {{ .Values.kind }}\n');
    expect((await render(path)).stderr).toMatch(
      /^error: DIR\/a\.yaml, line \d: not YAML: .* It looks like a template: render it first, for example with helm template\.\n$/,
    );
  });

  it('a Gateway twice', async () => {
    file('a.yaml', gateway('web'));
    file('b.yaml', gateway('web'));
    expect(await render(directory)).toEqual(
      refused(
        'error: Gateway prod/web: is in the input twice, first in DIR/a.yaml:1; remove one (DIR/b.yaml:1)',
      ),
    );
  });

  it('a Gateway twice beside a kustomization.yaml', async () => {
    file('a.yaml', gateway('web'));
    file('b.yaml', gateway('web'));
    file('kustomization.yaml', 'resources: [a.yaml]\n');
    expect((await render(directory)).stderr).toContain(
      'beside a kustomization.yaml, run kustomize build … | gari render -',
    );
  });

  it('a Gateway without a name', async () => {
    const path = file('a.yaml', gateway('web').replace('name: web, ', ''));
    expect(await render(path)).toEqual(
      refused('error: Gateway prod/(without a name): metadata.name must be set (DIR/a.yaml:3)'),
    );
  });

  it.each([0, 70000])('a listener port of %d', async (port) => {
    const path = file('a.yaml', gateway('web').replace('port: 80', `port: ${port}`));
    expect(await render(path)).toEqual(
      refused(
        `error: Gateway prod/web: spec.listeners[0].port must be between 1 and 65535, not ${port} (DIR/a.yaml:7)`,
      ),
    );
  });

  it.each([0, 70000])('a listener port of %d, without validation', async (port) => {
    const path = file('a.yaml', gateway('web').replace('port: 80', `port: ${port}`));
    expect(await render(path, '--no-validate')).toEqual(
      refused(
        `error: Gateway prod/web: spec.listeners[0].port must be 1 to 65535, not ${port} (DIR/a.yaml:7)`,
      ),
    );
  });

  it('several things at once', async () => {
    const broken = gateway('web').replace('port: 80', 'port: 0');
    const path = file('a.yaml', `${broken}---\n${broken.replace('web', 'shop')}`);
    const { stderr, ...rest } = await render(path, join(directory, 'none.yaml'));
    expect(rest).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr.split('\n')).toHaveLength(4);
  });

  it('a class name that nothing has', async () => {
    const path = file('a.yaml', gateway('web'));
    expect(await render(path, '--class-name', 'gary')).toEqual(
      refused(
        'error: --class-name gary: no Gateway and no GatewayClass in the input has this class; check its spelling',
      ),
    );
  });

  it('a Gateway that is not there', async () => {
    const path = file('a.yaml', gateway('web'));
    expect(await render(path, '--gateway', 'prod/shop')).toEqual(
      refused('error: --gateway prod/shop: the input holds no such Gateway'),
    );
  });

  it('a directory without YAML', async () => {
    file('README.md', '# Gateways');
    expect(await render(directory)).toEqual(
      refused('error: DIR: the directory holds no .yaml, .yml or .json file'),
    );
  });

  const NO_OBJECT = 'error: the input holds no object at all, so nothing is rendered and nothing removed';
  it.each<[string, string]>([
    ['an empty file', ''],
    ['nothing but comments', '# none yet\n---\n# nor here\n'],
    ['empty documents', '---\n---\nnull\n'],
    ['a text', 'No resources found\n'],
    ['a list', '- a\n'],
  ])('%s: no object at all', async (_, text) => {
    expect(await render(file('a.yaml', text))).toEqual(refused(NO_OBJECT));
    const before = file('out/prod_web-gari.yaml', '# Rendered by gari from prod/web.\na: b\n');
    const out = join(directory, 'out');
    expect(await render(join(directory, 'a.yaml'), '--output-dir', out)).toEqual(refused(NO_OBJECT));
    expect(existsSync(before)).toBe(true);
  });

  it('a directory with nothing but templates', async () => {
    file('chart/a.yaml', 'kind: {{ .Values.kind }}\n');
    const { exitCode, stderr } = await render(join(directory, 'chart'), '--output-dir', directory);
    expect(exitCode).toBe(1);
    expect(stderr.split('\n').at(-2)).toBe(NO_OBJECT);
  });

  it('an empty List is none of that: there are no Gateways', async () => {
    const path = file('a.yaml', 'apiVersion: v1\nkind: List\nitems: []\n');
    const { exitCode, stderr } = await render(path);
    expect([exitCode, stderr]).toEqual([0, "info: no Gateway of gari's in 1 file\n"]);
  });

  it('a path that is not there', async () => {
    expect(await render(join(directory, 'a.yaml'))).toEqual(
      refused('error: DIR/a.yaml: there is no such file or directory'),
    );
  });

  it('a file that cannot be read', async () => {
    file('a.yaml', gateway('web'));
    symlinkSync('nowhere', join(directory, 'b.yaml'));
    expect(await render(directory)).toEqual(refused('error: DIR/b.yaml: there is no such file or directory'));
  });

  it('symbolic links in a ring', async () => {
    file('a.yaml', gateway('web'));
    symlinkSync('b.yaml', join(directory, 'b.yaml'));
    const ring = 'error: DIR/b.yaml: its symbolic links lead round in a ring';
    expect(await render(directory)).toEqual(refused(ring));
    expect(await render(join(directory, 'b.yaml'))).toEqual(refused(ring));
  });

  it('a path through a file, or with too long a name', async () => {
    const path = file('a.yaml', gateway('web'));
    expect(await render(join(path, 'b.yaml'))).toEqual(
      refused('error: DIR/a.yaml/b.yaml: a part of its path is a file and no directory'),
    );
    const long = 'x'.repeat(300);
    expect(await render(join(directory, long))).toEqual(refused(`error: DIR/${long}: its name is too long`));
  });

  it('an output directory with a name that no file can have', async () => {
    const path = file('a.yaml', gateway('web'));
    const long = 'x'.repeat(300);
    expect(await render(path, '--output-dir', join(directory, long))).toEqual(
      refused(`error: DIR/${long}/prod_web-gari.yaml: its name is too long`),
    );
  });

  it('aliases that stand for themselves', async () => {
    const path = file('a.yaml', gateway('web', '  addresses: &a [*a]\n'));
    expect((await render(path)).stderr).toContain('aliases stand for too much, or for themselves');
  });
});

describe('wrong usage is exit code 2', () => {
  it.each([
    [[]],
    [['render']],
    [['render', 'a.yaml', '--no-such-flag']],
    [['render', 'a.yaml', '--format', 'xml']],
    [['render', 'a.yaml', '--gateway', 'web']],
    [['render', 'a.yaml', '--format', 'json', '--output-dir', 'out']],
  ])('%j', async (args) => {
    let [stdout, stderr] = ['', ''];
    const io = {
      stdout: (text: string) => {
        stdout += text;
      },
      stderr: (text: string) => {
        stderr += text;
      },
    };
    expect(await run(args, io)).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
  });
});

describe('a value that cannot be is wrong usage, and the message names the flag', () => {
  const RULES: [flag: string, ...values: string[]][] = [
    ['--binding-name', '', '../x', 'a/b', '..'],
    ['--image', '', 'a b', 'Proxy:v1', '../x'],
    ['--namespace', '', 'Prod', 'a/b', '../x'],
    ['--class-name', '', 'a,,b', '../x'],
    ['--controller-name', '', 'gari'],
    ['--gateway', '', 'web', '/web'],
    ['--output-dir', ''],
    ['--gateway-api-crds', ''],
  ];
  const cases = RULES.flatMap(([flag, ...values]) => values.map((value) => [flag, value] as const));
  const refusedUsage = (flag: string) => ({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`^error: option '${flag} .*is invalid\\. It must .*\\.\\n$`)),
  });

  it.each(cases)('%s %j', async (flag, value) => {
    const path = file('a.yaml', gateway('web'));
    expect(await render(path, flag, value)).toEqual(refusedUsage(flag));
  });

  it.each(cases.filter(([, value]) => value !== ''))('%s=%j in the environment', async (flag, value) => {
    vi.stubEnv(`GARI_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`, value);
    expect(await render(file('a.yaml', gateway('web')))).toEqual(refusedUsage(flag));
  });

  it('of every command that has it', async () => {
    const path = file('a.yaml', gateway('web'));
    for (const command of [
      ['apply', path],
      ['delete', path],
      ['install', '--only=data-plane-rbac'],
    ]) {
      let stderr = '';
      const io = {
        stdout: () => {},
        stderr: (text: string) => {
          stderr += text;
        },
      };
      expect(await run([...command, '--binding-name', '../x'], io)).toBe(2);
      expect(stderr).toContain("option '--binding-name <name>' argument '../x' is invalid");
    }
  });
});

describe('flags', () => {
  it('can stand in the environment', async () => {
    vi.stubEnv('GARI_CLASS_NAME', 'public,private');
    vi.stubEnv('GARI_IMAGE', 'example.com/proxy:v2');
    const path = file(
      'a.yaml',
      `${gateway('web').replace(': gari', ': public')}---\n${gateway('shop').replace(': gari', ': private')}`,
    );
    const { stdout } = await render(path);
    expect(stdout.match(/kind: Deployment/g)).toHaveLength(2);
    expect(stdout.match(/image: example.com\/proxy:v2/g)).toHaveLength(2);
  });

  it.each<[string, string, string[]]>([
    ['GARI_BINDING_NAME', 'second', ['--binding-name', 'second']],
    ['GARI_CLASS_NAME', 'public', ['--class-name', 'public']],
    ['GARI_CONTROLLER_NAME', 'example.com/second', ['--controller-name', 'example.com/second']],
    ['GARI_DIAGNOSTICS', 'json', ['--diagnostics', 'json']],
    ['GARI_FORMAT', 'json', ['--format', 'json']],
    ['GARI_GATEWAY', 'prod/web', ['--gateway', 'prod/web']],
    ['GARI_IMAGE', 'example.com/proxy:v2', ['--image', 'example.com/proxy:v2']],
    ['GARI_NAMESPACE', 'team-a', ['--namespace', 'team-a']],
    ['GARI_NO_VALIDATE', '1', ['--no-validate']],
    ['GARI_QUIET', '1', ['--quiet']],
  ])('%s=%s is %j, which changes something', async (variable, value, flags) => {
    const extra = '  infrastructure:\n    labels: {helm.sh/chart: x}\n';
    const path = file(
      'a.yaml',
      [
        gateway('web', extra),
        gateway('shop', '  nonsense: true\n').replace(', namespace: prod', ''),
        gateway('pub').replace(': gari', ': public'),
        ...[
          ['gari', 'gari.dev/gateway-controller'],
          ['second', 'example.com/second'],
        ].map(
          ([name, controller]) =>
            `{apiVersion: gateway.networking.k8s.io/v1, kind: GatewayClass, metadata: {name: ${name}}, spec: {controllerName: ${controller}}}\n`,
        ),
      ].join('---\n'),
    );
    const withFlags = await render(path, ...flags);
    expect(withFlags).not.toEqual(await render(path));
    vi.stubEnv(variable, value);
    expect(await render(path)).toEqual(withFlags);
  });

  it.each(['false', '0', 'no', 'off', ''])('a flag without a value is not given with %j', async (value) => {
    const path = file('a.yaml', gateway('web', '  nonsense: true\n'));
    const plain = await render(path);
    expect(plain.stderr).toContain('nonsense');
    vi.stubEnv('GARI_QUIET', value);
    vi.stubEnv('GARI_NO_VALIDATE', value);
    expect(await render(path)).toEqual(plain);
  });

  it.each(['true', '1', 'yes', 'on'])('and is with %j', async (value) => {
    const path = file('a.yaml', gateway('web', '  nonsense: true\n'));
    vi.stubEnv('GARI_QUIET', value);
    expect((await render(path)).stderr).toBe('');
    vi.unstubAllEnvs();
    vi.stubEnv('GARI_NO_VALIDATE', value);
    expect((await render(path)).stderr).toBe('');
  });

  it.each(['GARI_QUIET', 'GARI_NO_VALIDATE'])('%s=maybe is wrong usage', async (variable) => {
    vi.stubEnv(variable, 'maybe');
    const { exitCode, stdout, stderr } = await render(file('a.yaml', gateway('web')));
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`value 'maybe' from env '${variable}' is invalid. It must be true or false.`);
  });

  it('an empty variable is as none, and a flag wins over a variable', async () => {
    const path = file('a.yaml', gateway('web'));
    const plain = await render(path);
    for (const name of ['BINDING_NAME', 'CLASS_NAME', 'IMAGE', 'OUTPUT_DIR', 'FORMAT', 'GATEWAY', 'QUIET']) {
      vi.stubEnv(`GARI_${name}`, '');
    }
    expect(await render(path)).toEqual(plain);
    vi.stubEnv('GARI_IMAGE', 'example.com/variable');
    expect((await render(path, '--image', 'example.com/flag')).stdout).toContain('image: example.com/flag\n');
  });

  it('--diagnostics json says all there is in one object a line', async () => {
    const path = file('a.yaml', gateway('web', '  infrastructure:\n    labels: {helm.sh/chart: x}\n'));
    const { stderr } = await render(path, '--diagnostics', 'json');
    expect(JSON.parse(stderr)).toEqual({
      severity: 'warning',
      reason: 'ReservedKey',
      object: { kind: 'Gateway', namespace: 'prod', name: 'web' },
      field: 'spec.infrastructure.labels["helm.sh/chart"]',
      message: 'is dropped: helm.sh/ is how Helm tracks what it owns',
      file: 'DIR/a.yaml',
      line: 9,
    });
  });

  it('--quiet leaves only errors', async () => {
    const path = file('a.yaml', gateway('web', '  infrastructure:\n    labels: {helm.sh/chart: x}\n'));
    expect((await render(path, '--quiet')).stderr).toBe('');
  });
});

describe('directories', () => {
  it('are read with all their folders but hidden ones and node_modules', async () => {
    for (const name of [
      'a.yaml',
      'deep/er/b.yml',
      'c.json',
      '.hidden/d.yaml',
      'node_modules/e.yaml',
      'f.txt',
      'directory.yaml/g.yaml',
    ]) {
      file(name, gateway(name.replace(/^.*\/|\..*$/g, '')));
    }
    const { stdout } = await render(directory);
    const names = parseAllDocuments(stdout).flatMap((each) =>
      each.get('kind') === 'Service' ? [each.getIn(['metadata', 'name'])] : [],
    );
    expect(names).toEqual(['a-gari', 'b-gari', 'c-gari', 'g-gari']);
  });

  it('may hold files that are no YAML and none of our business', async () => {
    file('a.yaml', gateway('web'));
    file('chart.yaml', 'apiVersion: v1\nkind: {{ .Values.kind }}\n');
    const { exitCode, stderr } = await render(directory);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^warning: DIR\/chart\.yaml, line \d: not YAML: .* Skipped\.\n$/);
  });
});

describe('--output-dir', () => {
  const out = () => join(directory, 'out');
  const ls = () => readdirSync(out()).sort();
  const write = (path: string, ...flags: string[]) => render(path, '--output-dir', out(), ...flags);

  it('gets a file for each Gateway, and one for the binding', async () => {
    const path = file('in/a.yaml', `${gateway('web')}---\n${gateway('shop')}`);
    expect(await write(path)).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'info: DIR/out: 3 files written, 0 removed, 0 unchanged\n',
    });
    expect(ls()).toEqual([
      'clusterrolebinding_gari-dataplane.yaml',
      'prod_shop-gari.yaml',
      'prod_web-gari.yaml',
    ]);
    const text = readFileSync(join(out(), 'prod_web-gari.yaml'), 'utf8');
    expect(text.split('\n')[0]).toBe('# Rendered by gari from prod/web.');
    expect(parseAllDocuments(text).map((each) => each.get('kind'))).toEqual([
      'ServiceAccount',
      'Deployment',
      'Service',
    ]);
  });

  it('loses the files of Gateways that are gone, and no others', async () => {
    await write(file('in/a.yaml', `${gateway('web')}---\n${gateway('shop')}`));
    file('out/notes.txt', 'mine');
    file('out/prod_mine-gari.yaml', '# mine\n');
    await write(file('in/a.yaml', gateway('web')));
    expect(ls()).toEqual([
      'clusterrolebinding_gari-dataplane.yaml',
      'notes.txt',
      'prod_mine-gari.yaml',
      'prod_web-gari.yaml',
    ]);
  });

  it('names each file that it loses', async () => {
    await write(file('in/a.yaml', `${gateway('web')}---\n${gateway('shop')}`));
    expect((await write(file('in/a.yaml', gateway('web')))).stderr).toBe(
      [
        "info: DIR/out/prod_shop-gari.yaml: removed, as no Gateway of gari's in the input needs it any more\n",
        'info: DIR/out: 1 file written, 1 removed, 1 unchanged\n',
      ].join(''),
    );
  });

  it('loses nothing when an unrelated class comes into the input', async () => {
    const nginx = `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: nginx}
spec: {controllerName: example.com/nginx}
`;
    await write(file('in/a.yaml', gateway('web')));
    const before = ls();
    file('in/b.yaml', nginx);
    const { exitCode, stderr } = await write(join(directory, 'in'));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: Gateway prod\/web: spec\.gatewayClassName is gari, and the input holds GatewayClasses but not this one, .* What gari rendered for it is there: if it is to go, remove that first \(DIR\/in\/a\.yaml:5\)\n$/,
    );
    expect(ls()).toEqual(before);
    expect((await write(join(directory, 'in'), '--class-name', 'gari')).exitCode).toBe(0);
    expect(ls()).toEqual(before);
    // Where nothing is lost, it is only said; and a Gateway that was given to another class goes.
    const elsewhere = await render(join(directory, 'in'), '--output-dir', join(directory, 'other'));
    expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([
      0,
      expect.stringMatching(/^warning: .*needs-cluster/),
    ]);
    file('in/a.yaml', gateway('web').replace(': gari', ': nginx'));
    expect((await write(join(directory, 'in'))).exitCode).toBe(0);
    expect(ls()).toEqual([]);
  });

  describe('with the binding somewhere else as well', () => {
    const rbac = async () => {
      let text = '';
      const io = {
        stdout: (part: string) => {
          text += part;
        },
        stderr: () => {},
      };
      expect(await run(['install', '--only=data-plane-rbac'], io)).toBe(0);
      return text;
    };
    const TWICE = 'gari writes it to DIR/out/clusterrolebinding_gari-dataplane.yaml; remove it there';

    it('in the directory: nothing is written', async () => {
      const path = file('in/a.yaml', gateway('web'));
      file('out/rbac.yml', `# ours\n${await rbac()}`);
      expect(await write(path)).toEqual(
        refused(`error: DIR/out/rbac.yml: it holds ClusterRoleBinding gari-dataplane, and ${TWICE}`),
      );
      expect(ls()).toEqual(['rbac.yml']);
      // Without the binding, or with another name, there is nothing wrong with it; a template is passed over.
      file('out/rbac.yml', (await rbac()).replace(/^---\n[\s\S]*/m, ''));
      file('out/template.yaml', 'kind: ClusterRoleBinding\nname: {{ gari-dataplane }}\n');
      expect((await write(path)).exitCode).toBe(0);
      expect((await write(path, '--binding-name', 'team-a')).exitCode).toBe(0);
      expect(ls()).toEqual([
        'clusterrolebinding_team-a.yaml',
        'prod_web-gari.yaml',
        'rbac.yml',
        'template.yaml',
      ]);
    });

    it('in the input that the directory is a part of: nothing is written', async () => {
      file('a.yaml', gateway('web'));
      file('rbac.yaml', await rbac());
      const message = `error: DIR/rbac.yaml: it holds ClusterRoleBinding gari-dataplane, and ${TWICE}`;
      expect(await write(directory)).toEqual(refused(message));
      expect(existsSync(out())).toBe(false);
      // Elsewhere it is what the rendered one is made from.
      const elsewhere = mkdtempSync(join(tmpdir(), 'gari-cli-'));
      expect((await render(directory, '--output-dir', elsewhere)).exitCode).toBe(0);
      rmSync(elsewhere, { recursive: true });
    });

    it('twice in the input: an error, also without a directory', async () => {
      const path = file('a.yaml', gateway('web'));
      const two = [file('rbac.yaml', await rbac()), file('b.yaml', await rbac())];
      const { exitCode, stdout, stderr } = await render(path, ...two);
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^error: ClusterRoleBinding gari-dataplane: is in the input twice, first in DIR\/rbac\.yaml:\d+; remove one \(DIR\/b\.yaml:\d+\)\n$/,
      );
      // Neither is looked at where none is rendered.
      expect((await render(path, ...two, '--gateway', 'prod/web')).exitCode).toBe(0);
      expect((await render(path, ...two, '--binding-name', 'team-a')).exitCode).toBe(0);
    });
  });

  it('loses the binding with the last Gateway, also where it is a part of the input', async () => {
    file('out/gateway.yaml', gateway('web'));
    file('out/other.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n');
    await write(out());
    expect(ls()).toContain('clusterrolebinding_gari-dataplane.yaml');
    rmSync(join(out(), 'gateway.yaml'));
    await write(out());
    expect(ls()).toEqual(['other.yaml']);
  });

  it('keeps files that need no change as they are', async () => {
    const path = file('in/a.yaml', gateway('web'));
    await write(path);
    const written = join(out(), 'prod_web-gari.yaml');
    utimesSync(written, 1_000, 1_000);
    expect((await write(path)).stderr).toBe('info: DIR/out: 0 files written, 0 removed, 2 unchanged\n');
    expect(statSync(written).mtimeMs).toBe(1_000_000);
  });

  it('gets one file, and loses none, with --gateway', async () => {
    const path = file('in/a.yaml', `${gateway('web')}---\n${gateway('shop')}`);
    await write(path, '--gateway', 'prod/web');
    expect(ls()).toEqual(['prod_web-gari.yaml']);
    await write(path, '--gateway', 'prod/shop');
    expect(ls()).toEqual(['prod_shop-gari.yaml', 'prod_web-gari.yaml']);
  });

  it('keeps the Service of a Gateway whose listeners cannot be served any more', async () => {
    await write(file('in/a.yaml', gateway('web')));
    const before = readFileSync(join(out(), 'prod_web-gari.yaml'), 'utf8');
    const unknown = gateway('web').replace('protocol: HTTP', 'protocol: SCTP');
    const { exitCode, stderr } = await write(file('in/a.yaml', unknown));
    expect(exitCode).toBe(0);
    expect(stderr).toContain('warning: Gateway prod/web: spec.listeners has no listener that can be served');
    expect(readFileSync(join(out(), 'prod_web-gari.yaml'), 'utf8')).toBe(before);
  });

  it("is not written to where somebody else's file is in the way", async () => {
    const path = file('in/a.yaml', gateway('web'));
    file('out/prod_web-gari.yaml', 'mine\n');
    const { exitCode, stderr } = await write(path);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: DIR\/out\/prod_web-gari\.yaml: the file is not gari's/);
    expect(ls()).toEqual(['prod_web-gari.yaml']);
    expect(readFileSync(join(out(), 'prod_web-gari.yaml'), 'utf8')).toBe('mine\n');
  });

  it('is not written out of through a symbolic link', async () => {
    const path = file('in/a.yaml', gateway('web'));
    const elsewhere = file('elsewhere.yaml', '# Rendered by gari from prod/web.\n');
    mkdirSync(out());
    symlinkSync(elsewhere, join(out(), 'prod_web-gari.yaml'));
    const { exitCode, stderr } = await write(path);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: DIR\/out\/prod_web-gari\.yaml: a symbolic link is in the way/);
    expect(readFileSync(elsewhere, 'utf8')).toBe('# Rendered by gari from prod/web.\n');
  });

  it('that cannot be made is an error', async () => {
    const path = file('in/a.yaml', gateway('web'));
    file('out', 'a file');
    const { exitCode, stderr } = await render(path, '--output-dir', join(out(), 'below'));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: DIR\/out\/below: .*\n$/);
  });

  it('stays as it is when the input is wrong', async () => {
    const path = file('in/a.yaml', gateway('web'));
    await write(path);
    file('in/a.yaml', gateway('web').replace('port: 80', 'port: 0'));
    expect((await write(path)).exitCode).toBe(1);
    expect(ls()).toEqual(['clusterrolebinding_gari-dataplane.yaml', 'prod_web-gari.yaml']);
  });
});

describe('the bundle', () => {
  it('reads standard input', () => {
    const { stdout, status } = spawnSync('dist/gari.cjs', ['render', '-'], {
      input: gateway('web'),
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('name: web-gari');
  });

  it('passes over a pipe in a directory, and reads one that is named', () => {
    file('a.yaml', gateway('web'));
    expect(spawnSync('mkfifo', [join(directory, 'b.yaml')]).status).toBe(0);
    const { stdout, status } = spawnSync('dist/gari.cjs', ['render', directory], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect({ status, accounts: stdout.match(/^kind: ServiceAccount$/gm)?.length }).toEqual({
      status: 0,
      accounts: 1,
    });
    const command = `dist/gari.cjs render <(cat ${join(directory, 'a.yaml')})`;
    expect(spawnSync('bash', ['-c', command], { encoding: 'utf8' }).stdout).toBe(stdout);
  });

  it('does not wait for a pipe on the disk that nobody may write to, nor read a device for ever', () => {
    const pipe = join(directory, 'b.yaml');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    for (const path of [pipe, '/dev/zero']) {
      const { status, stderr } = spawnSync('dist/gari.cjs', ['render', path], {
        encoding: 'utf8',
        timeout: 20_000,
      });
      const why = 'it is no plain file, and reading it might never end; pipe it in, and give - as the path';
      expect({ status, stderr }).toEqual({ status: 1, stderr: `error: ${path}: ${why}\n` });
    }
  });

  it.each([['render', '-'], ['fn']])(
    'says in one line that standard input is a directory (%s)',
    (...args) => {
      const { stderr, status } = spawnSync('bash', ['-c', `dist/gari.cjs ${args.join(' ')} < ${directory}`], {
        encoding: 'utf8',
      });
      expect({ stderr, status }).toEqual({ stderr: 'error: standard input: it is a directory\n', status: 1 });
    },
  );

  it('says in one line that its output finds no room', () => {
    const path = file('a.yaml', gateway('web'));
    const { stderr, status } = spawnSync('bash', ['-c', `dist/gari.cjs render ${path} --quiet > /dev/full`], {
      encoding: 'utf8',
    });
    expect({ stderr, status }).toEqual({
      stderr: 'error: standard output: no space is left on its disk\n',
      status: 1,
    });
  });

  it.each(['', '# nothing\n', 'No resources found\n'])('removes nothing for an empty pipe (%j)', (input) => {
    const other = file('in/class.yaml', 'apiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n');
    const before = file('out/prod_web-gari.yaml', '# Rendered by gari from prod/web.\na: b\n');
    for (const paths of [['-'], ['-', other]]) {
      const args = ['render', ...paths, '--output-dir', join(directory, 'out')];
      const { stdout, stderr, status } = spawnSync('dist/gari.cjs', args, { input, encoding: 'utf8' });
      expect({ stdout, stderr, status }).toEqual({
        stdout: '',
        stderr: 'error: standard input: it holds no object; did the command that writes it fail?\n',
        status: 1,
      });
      expect(existsSync(before)).toBe(true);
    }
  });

  it('ends silently when its reader stops early', () => {
    expect(existsSync('dist/gari.cjs')).toBe(true);
    const many = Array.from({ length: 200 }, (_, index) => gateway(`web${index}`)).join('---\n');
    const path = file('a.yaml', many);
    const { stdout, stderr, status } = spawnSync(
      'bash',
      ['-c', `set -o pipefail; dist/gari.cjs render ${path} | head -1`],
      { encoding: 'utf8' },
    );
    expect({ stdout, stderr, status }).toEqual({ stdout: 'apiVersion: v1\n', stderr: '', status: 0 });
  });
});
