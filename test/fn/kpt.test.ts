import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeTool } from '../tools.ts';
import { type KptPackage, kptPackage } from './kpt-package.ts';

const gateway = (name = 'web', port = 80) => `# the ${name} Gateway
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: ${name}
  namespace: prod
spec:
  gatewayClassName: gari
  listeners:
  - name: http
    port: ${port}
    protocol: HTTP
`;
const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: package\n';
const OTHER = `# kept
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: prod
data:
  mode: "0644"
`;
const FILES = { Kptfile: KPTFILE, 'gateways/web.yaml': gateway(), 'other.yaml': OTHER };
const EVAL = 'kpt fn eval package --truncate-output=false --exec gari-fn';

const without = ({ ...hashes }: Record<string, string>, rendered: RegExp) =>
  Object.fromEntries(Object.entries(hashes).filter(([name]) => !rendered.test(name)));
const RENDERED = /-gari\.yaml$|clusterrolebinding_/;

/** A package in which everything is rendered and formatted as kpt likes it. */
function renderedPackage(files: Record<string, string> = FILES): KptPackage {
  const one = kptPackage(files);
  const { status, stderr } = one.run(EVAL);
  expect(status, stderr).toBe(0);
  return one;
}

describeTool('kpt', () => {
  it('gets objects beside their Gateway, and changes nothing the second time', () => {
    const one = renderedPackage();
    const first = one.hashes();
    expect(Object.keys(first)).toEqual([
      'Kptfile',
      'gateways/clusterrolebinding_gari-dataplane.yaml',
      'gateways/prod_web-gari.yaml',
      'gateways/web.yaml',
      'other.yaml',
    ]);
    expect(one.run(EVAL).status).toBe(0);
    expect(one.hashes()).toEqual(first);
  });

  it('removes the objects of a Gateway that is gone, names each, and brings back the same bytes', () => {
    const one = renderedPackage();
    const before = one.hashes();
    const text = one.read('gateways/web.yaml');
    one.remove('gateways/web.yaml');
    const { stderr } = one.run(EVAL);
    for (const kind of [
      'ServiceAccount prod/web-gari',
      'Deployment prod/web-gari',
      'Service prod/web-gari',
    ]) {
      expect(stderr).toContain(`${kind}: is removed from the package`);
    }
    expect(one.hashes()).toEqual({ Kptfile: before.Kptfile, 'other.yaml': before['other.yaml'] });
    one.write('gateways/web.yaml', text);
    one.run(EVAL);
    expect(one.hashes()).toEqual(before);
  });

  it('loses nothing when an unrelated class comes into the package', () => {
    const one = renderedPackage();
    one.write(
      'nginx.yaml',
      `apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata:
  name: nginx
spec:
  controllerName: example.com/nginx
`,
    );
    const before = one.hashes();
    for (const prune of ['Auto', 'Never']) {
      const { stderr, status } = one.run(`${EVAL} -- prune=${prune}`);
      expect(status).toBe(1);
      expect(stderr).toContain('spec.gatewayClassName is gari, and the input holds GatewayClasses but not');
      expect(one.hashes()).toEqual(before);
    }
    expect(one.run(`${EVAL} -- classNames=gari`).status).toBe(0);
    expect(one.hashes()).toEqual(before);
    one.write('gateways/web.yaml', gateway().replace(': gari', ': nginx'));
    const { stderr, status } = one.run(EVAL);
    expect(status).toBe(0);
    expect(stderr).toContain('Service prod/web-gari: is removed from the package');
  });

  it('keeps them with prune: Never', () => {
    const one = renderedPackage();
    one.remove('gateways/web.yaml');
    const { stderr, status } = one.run(`${EVAL} -- prune=Never`);
    expect(status).toBe(0);
    expect(stderr).toContain('spec.prune is Never');
    expect(Object.keys(one.hashes())).toContain('gateways/prod_web-gari.yaml');
  });

  it('puts new objects where the path option says', () => {
    const one = kptPackage(FILES);
    one.run(`${EVAL} -- 'path=rendered/{namespace}/{gateway}.yaml'`);
    expect(Object.keys(one.hashes())).toContain('rendered/prod/web.yaml');
  });

  it('takes a Gateway without a namespace to be in the one of the option, and says so', () => {
    const one = kptPackage({ ...FILES, 'gateways/web.yaml': gateway().replace('  namespace: prod\n', '') });
    const { stderr } = one.run(`${EVAL} -- namespace=edge`);
    expect(stderr).toContain('metadata.namespace is not set, so the Gateway is taken to be in edge');
    expect(Object.keys(one.hashes())).toContain('gateways/edge_web-gari.yaml');
  });

  it('knows its own objects again without their namespace', () => {
    const one = renderedPackage();
    const before = one.hashes();
    const rendered = one.read('gateways/prod_web-gari.yaml');
    const bare = rendered.replaceAll(/^ {2}namespace: prod\n/gm, '');
    expect(bare.match(/^ {2}namespace/gm)).toBeNull();
    one.write('gateways/prod_web-gari.yaml', bare);
    expect(one.run(EVAL).status).toBe(0);
    expect(Object.keys(one.hashes())).toEqual(Object.keys(before));
    const after = one.read('gateways/prod_web-gari.yaml');
    expect(after.match(/^kind: .*$/gm)).toEqual(rendered.match(/^kind: .*$/gm));
    expect(after.match(/^ {2}namespace: prod$/gm)).toHaveLength(3);
    // And they go with their Gateway.
    one.write('gateways/prod_web-gari.yaml', bare);
    one.remove('gateways/web.yaml');
    expect(one.run(EVAL).status).toBe(0);
    expect(Object.keys(one.hashes())).toEqual(['Kptfile', 'other.yaml']);
  });

  it('moves the subjects to a binding of another name, and the old one goes', () => {
    const one = renderedPackage();
    const { stderr } = one.run(`${EVAL} -- bindingName=team-a`);
    expect(stderr).toContain('ClusterRoleBinding gari-dataplane: is removed from the package');
    const first = one.hashes();
    expect(Object.keys(first).filter((name) => name.includes('clusterrolebinding'))).toEqual([
      'gateways/clusterrolebinding_team-a.yaml',
    ]);
    one.run(`${EVAL} -- bindingName=team-a`);
    expect(one.hashes()).toEqual(first);
  });

  it('keeps one binding where the package gets that of gari install as well', () => {
    const one = renderedPackage();
    one.write(
      'rbac.yaml',
      spawnSync('dist/gari.cjs', ['install', '--only=data-plane-rbac'], { encoding: 'utf8' }).stdout,
    );
    expect(one.run(EVAL).status).toBe(0);
    expect(Object.keys(one.hashes())).toEqual([
      'Kptfile',
      'gateways/prod_web-gari.yaml',
      'gateways/web.yaml',
      'other.yaml',
      'rbac.yaml',
    ]);
    expect(one.read('rbac.yaml')).toMatch(
      /subjects:\n- kind: ServiceAccount\n {2}name: web-gari\n {2}namespace: prod\n/,
    );
    const first = one.hashes();
    one.run(EVAL);
    expect(one.hashes()).toEqual(first);
  });

  it("refuses two bindings of the name that are a user's own", () => {
    const own = (place: string) =>
      `# ${place}\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n  name: gari-dataplane\nroleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ClusterRole\n  name: gari-dataplane\n`;
    const one = kptPackage({ ...FILES, 'a.yaml': own('a'), 'b.yaml': own('b') });
    one.run('kpt fn eval package --exec cat');
    const before = one.hashes();
    const { stderr, status } = one.run(EVAL);
    expect(status).toBe(1);
    expect(stderr).toContain('ClusterRoleBinding gari-dataplane: is in the package twice');
    expect(one.hashes()).toEqual(before);
  });

  it('leaves an object of another API group alone that has the kind and the name', () => {
    const knative =
      'apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata:\n  name: web-gari\n  namespace: prod\n';
    const one = renderedPackage({ ...FILES, 'a.yaml': knative });
    expect(one.read('a.yaml')).toBe(knative);
    expect(one.read('gateways/prod_web-gari.yaml')).toContain('kind: Service\n');
  });

  it.each(['a.yaml', 'z.yaml'])('refuses a foreign object beside its own, in %s', (name) => {
    const one = renderedPackage();
    one.write(name, 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web-gari\n  namespace: prod\n');
    const before = one.hashes();
    const { status, stderr } = one.run(EVAL);
    expect(status).toBe(1);
    expect(stderr).toContain('ResourceConflict');
    expect(one.hashes()).toEqual(before);
  });

  it('works between source and sink', () => {
    const one = kptPackage(FILES);
    const { status, stderr } = one.run(
      'set -o pipefail; kpt fn source package | gari-fn | kpt fn sink new && cat new/gateways/prod_web-gari.yaml new/other.yaml',
    );
    expect(status, stderr).toBe(0);
  });

  it('shows its documentation', () => {
    const { stdout } = kptPackage({}).run('gari-fn --help');
    expect(stdout).toMatch(/^# gari-fn\n\n## Overview\n/);
    expect(JSON.parse(kptPackage({}).run('gari-fn --doc').stdout)).toMatchObject({ name: 'gari-fn' });
  });

  describe('a part of a package', () => {
    const selections = [
      'Gateway',
      'Service',
      'ConfigMap',
      'Deployment',
      'Kptfile',
      'ClusterRoleBinding',
    ].flatMap((kind) => [`--match-kind ${kind}`, `--exclude-kind ${kind}`]);
    it.each([...selections, '--match-name web', '--match-namespace prod', '--exclude-namespace prod'])(
      '%s changes no file that gari did not render',
      (selection) => {
        const one = renderedPackage();
        const before = one.hashes();
        one.run(EVAL.replace('--exec', `${selection} --exec`));
        expect(without(one.hashes(), RENDERED)).toEqual(without(before, RENDERED));
      },
    );

    it('that leaves out the Gateways cannot be told from one that has lost them, so each removal is named', () => {
      const one = renderedPackage();
      const { stderr } = one.run(EVAL.replace('--exec', '--exclude-kind Gateway --exec'));
      expect(stderr.match(/^ +\[warning\].* is removed from the package/gm)).toHaveLength(4);
    });

    it('with nothing but Gateways gets copies, which a run on the whole package removes', () => {
      const one = renderedPackage();
      const before = one.hashes();
      one.run(EVAL.replace('--exec', '--match-kind Gateway --exec'));
      expect(one.read('gateways/prod_web-gari.yaml').match(/^kind: Service$/gm)).toHaveLength(2);
      expect(
        one.read('gateways/clusterrolebinding_gari-dataplane.yaml').match(/^kind: ClusterRoleBinding$/gm),
      ).toHaveLength(2);
      expect(one.run(EVAL).status).toBe(0);
      expect(one.hashes()).toEqual(before);
    });

    it('with nothing but bindings takes no subject off', () => {
      const one = renderedPackage();
      const binding = 'gateways/clusterrolebinding_gari-dataplane.yaml';
      one.write(binding, one.read(binding).replace('subjects:', 'subjects:\n- kind: User\n  name: zoe'));
      one.run('kpt fn eval package --exec cat');
      const before = one.hashes();
      expect(one.run(EVAL.replace('--exec', '--match-kind ClusterRoleBinding --exec')).status).toBe(0);
      expect(one.hashes()).toEqual(before);
    });

    it('without Gateway, class and Kptfile loses nothing', () => {
      const one = renderedPackage();
      const before = one.hashes();
      const { stderr } = one.run(EVAL.replace('--exec', '--match-kind Service --exec'));
      expect(stderr).toContain('it may be a part of a package');
      expect(one.hashes()).toEqual(before);
    });
  });

  describe('nothing is lost', () => {
    const original = (...lines: string[]) => `#!/bin/sh\n${lines.join('\n')}\n`;
    const fn = resolve('dist/gari-fn.cjs');
    it.each([
      ['prints nothing and fails', original('exit 1')],
      ['is killed before it reads', original('kill -9 $$')],
      ['is killed after it has read', original('cat > /dev/null', 'kill -9 $$')],
      ['is killed while it writes', original(`${fn} | head -c 300`, 'kill -9 $$')],
      ['fails after it has written', original(fn, 'exit 3')],
      ['writes half and fails', original(`${fn} | head -c 2000`, 'exit 1')],
      ['has an error of its own', original(`NODE_OPTIONS="--require ./throw.cjs" exec ${fn}`)],
    ])('where the function %s', (_, script) => {
      const one = renderedPackage();
      one.write('gateways/web.yaml', gateway('web', 8080));
      const before = one.hashes();
      one.executable('gari-fn', script);
      one.run(`echo 'throw new Error("broken")' > throw.cjs`);
      expect(one.run(EVAL).status).not.toBe(0);
      expect(one.hashes()).toEqual(before);
    });

    it.each([
      [
        'an invalid Gateway among good ones',
        { 'bad.yaml': gateway('bad', 0) },
        'spec.listeners[0].port must be between',
      ],
      ['a Gateway twice', { 'twice.yaml': gateway() }, 'is in the input twice'],
      [
        'a foreign object of the name',
        { 'sa.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: web-gari, namespace: prod}\n' },
        'ResourceConflict',
      ],
      [
        'no listener that can be served',
        { 'gateways/web.yaml': gateway().replace('HTTP', 'SCTP') },
        'spec.listeners has no listener that can be served',
      ],
    ])('where there is %s', (name, files, message) => {
      const one = kptPackage({ ...FILES, ...files });
      // As kpt formats it, so that only the function makes a difference.
      one.run('kpt fn eval package --exec cat');
      const before = one.hashes();
      const { stderr, status } = one.run(EVAL);
      expect(stderr).toContain(message);
      if (name.startsWith('no listener'))
        return expect(without(one.hashes(), RENDERED)).toEqual(without(before, RENDERED));
      expect(status).toBe(1);
      expect(one.hashes()).toEqual(before);
    });

    it.each([
      [
        'an unknown kind',
        '--fn-config config.yaml',
        'kind: RenderPonies',
        'use RenderGateways of fn.gari.dev/v1alpha1',
      ],
      [
        'an unknown key',
        '--fn-config config.yaml',
        'kind: RenderGateways\nspec: {imagee: x}',
        'spec.imagee is no option',
      ],
    ])('with %s of functionConfig', (_, flag, config, message) => {
      const one = renderedPackage();
      const before = one.hashes();
      const metadata = 'metadata: {name: config}\n';
      one.write('../config.yaml', `apiVersion: fn.gari.dev/v1alpha1\n${metadata}${config}\n`);
      const { stderr, status } = one.run(`${EVAL} ${flag}`);
      expect(status).toBe(1);
      expect(stderr).toContain(message);
      expect(one.hashes()).toEqual(before);
    });

    it('with an unknown key of a ConfigMap', () => {
      const one = renderedPackage();
      const before = one.hashes();
      const { stderr, status } = one.run(`${EVAL} -- imagee=x`);
      expect(status).toBe(1);
      expect(stderr).toContain('data.imagee is no option');
      expect(one.hashes()).toEqual(before);
    });
  });
});

describe('input that is no ResourceList', () => {
  const list = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n';
  it.each([
    ['nothing', '', 2, 'error: standard input is empty; gari-fn reads a ResourceList'],
    ['blanks', ' \n', 2, 'error: standard input is empty'],
    [
      'another kind',
      gateway(),
      1,
      'error: the input is gateway.networking.k8s.io/v1 Gateway, not a ResourceList',
    ],
    ['a text', 'hello\n', 1, 'error: the input is no map'],
    ['truncated YAML', `${list.replace('[]', '[{')}`, 1, 'error: the input cannot be read: '],
    ['two documents', `${list}---\n${list}`, 1, 'error: the input holds more than one document'],
    ['a byte order mark', `\uFEFF${list}`, 1, 'error: the input starts with a byte order mark'],
    [
      'items that are no list',
      list.replace('[]', '{}'),
      1,
      'error: items of the ResourceList must be a list',
    ],
  ])('%s', (_, input, status, message) => {
    const one = kptPackage({});
    one.write('input', input);
    const run = one.run('gari-fn < package/input');
    expect([run.status, run.stdout]).toEqual([status, '']);
    expect(run.stderr).toContain(message);
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each(['Validate', '[mode, Validate]', 'true'])('a functionConfig that is no map (%s)', (config) => {
    const one = kptPackage({});
    const items = `items:\n- ${gateway().split('\n').join('\n  ').trimEnd()}\n`;
    one.write('input', list.replace('items: []\n', `functionConfig: ${config}\n${items}`));
    const { status, stdout, stderr } = one.run('gari-fn < package/input');
    expect(status).toBe(1);
    expect(stderr).toBe('error: functionConfig must be a map of kind RenderGateways\n');
    expect(stdout).toContain(items);
    expect(stdout).not.toContain('kind: Deployment');
  });

  it('an empty list stays one', () => {
    const one = kptPackage({});
    one.write('input', list);
    expect(one.run('gari-fn < package/input')).toMatchObject({ status: 0, stdout: list, stderr: '' });
  });
});

it('the README of the function is the help that it prints', () => {
  const { stdout } = kptPackage({}).run('gari-fn --help');
  expect(readFileSync('functions/fn/README.md', 'utf8')).toBe(stdout);
});
