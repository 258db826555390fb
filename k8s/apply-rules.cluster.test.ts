// Each right that `gari apply` has, taken away alone: something must fail, or it is one too many.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../functions/cli.ts';
import { eventually } from '../test/cluster/eventually.ts';
import { serviceAccountKubeconfig } from '../test/cluster/service-account.ts';
import { describeCluster, sharedCluster, testNamespace } from '../test/cluster/vitest.ts';
import { clusterRules, NAMESPACE_RULES, type Rule, WITH_GATEWAYS_RULES } from './apply-rules.ts';
import { dataPlaneRbac } from './data-plane-rbac.ts';

// Many runs at a time in one process, which would be as many processes.
process.setMaxListeners(50);

const PAGE = 'docs/reference/rbac.md';
const RBAC = 'rbac.authorization.k8s.io/v1';

interface Right {
  readonly rule: Rule;
  readonly verb: string;
}

const rightsOf = (rules: readonly Rule[]): Right[] =>
  rules.flatMap((rule) => rule.verbs.map((verb) => ({ rule, verb })));
const without = (rules: readonly Rule[], right: Right | undefined) =>
  rules
    .map(({ purpose: _, ...rule }, index) => ({
      ...rule,
      verbs: rule.verbs.filter(
        (verb) => right === undefined || rules[index] !== right.rule || verb !== right.verb,
      ),
    }))
    .filter(({ verbs }) => verbs.length > 0);

describeCluster('the rights of gari apply', ['gateway-api'], () => {
  it('are the fewest that work', async () => {
    const cluster = sharedCluster();
    const { client } = cluster;
    const bindingName = `gari-${randomBytes(4).toString('hex')}`;
    for (const object of dataPlaneRbac(bindingName)) await client.apply(object);
    const cleanUp = [`/apis/${RBAC}/clusterrolebindings/${bindingName}`];
    onTestFinished(async () => {
      for (const path of cleanUp) await client.request('DELETE', path);
    });
    const binding = clusterRules(bindingName);
    const withGateways = rightsOf(WITH_GATEWAYS_RULES);
    const all = [
      ...[undefined, ...rightsOf(NAMESPACE_RULES), ...rightsOf(binding)].map((right) => ({
        right,
        rules: NAMESPACE_RULES,
        flags: [] as string[],
      })),
      ...[undefined, ...withGateways].map((right) => ({
        right,
        rules: [...NAMESPACE_RULES, ...WITH_GATEWAYS_RULES],
        flags: ['--with-gateways'],
      })),
    ];
    const outcomes = await Promise.all(
      all.map(async ({ right, rules: namespaceRules, flags }, index) => {
        const namespace = await testNamespace();
        const name = `${bindingName}-${index}`;
        cleanUp.push(`/apis/${RBAC}/clusterroles/${name}`, `/apis/${RBAC}/clusterrolebindings/${name}`);
        await client.create({
          apiVersion: 'v1',
          kind: 'ServiceAccount',
          metadata: { name: 'ci', namespace },
        });
        const subjects = [{ kind: 'ServiceAccount', name: 'ci', namespace }];
        const bind = async (kind: 'Role' | 'ClusterRole', rules: readonly object[]) => {
          const metadata = kind === 'Role' ? { name, namespace } : { name };
          await client.create({ apiVersion: RBAC, kind, metadata, rules });
          const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name };
          await client.create({ apiVersion: RBAC, kind: `${kind}Binding`, metadata, roleRef, subjects });
        };
        await bind('Role', without(namespaceRules, right));
        await bind('ClusterRole', without(binding, right));
        const kubeconfig = await serviceAccountKubeconfig(cluster, namespace, 'ci');
        return { right, failed: await scenario(namespace, bindingName, kubeconfig, flags) };
      }),
    );
    const rows = outcomes.flatMap(({ right, failed }) => {
      if (right === undefined) {
        expect(failed, 'with all rights nothing fails').toBe('');
        return [];
      }
      const { rule, verb } = right;
      const resource = `${rule.resources[0]}${rule.apiGroups[0] === '' ? '' : `.${rule.apiGroups[0]}`}`;
      const names =
        rule.resourceNames === undefined
          ? ''
          : ` ${rule.resourceNames[0]?.replace(bindingName, 'gari-dataplane')}`;
      expect(failed, `without ${verb} on ${resource} something fails`).toContain(`no right to ${verb}`);
      return `| \`${verb}\` | \`${resource}\`${names} | ${rule.purpose} | ${failed.replaceAll(bindingName, 'gari-dataplane')} |`;
    });
    const page = `${HEAD}${rows.join('\n')}\n`;
    if (process.env.CI === 'true') expect(readFileSync(PAGE, 'utf8')).toBe(page);
    else writeFileSync(PAGE, page);
  }, 120_000);
});

const HEAD = `# The rights that gari apply needs

A ServiceAccount of a pipeline that runs \`gari apply\` and \`gari delete\` needs these rights: the first part in a Role of
each namespace with Gateways, those on ClusterRoles and their bindings in a ClusterRole. A test takes each one away and
runs both commands on a real API server (create, change, take over, delete); the last column says what failed then.

With parameters it needs \`get\` on \`dataplanes.gari.dev\` or \`configmaps\` in the namespaces that they are in, if the files do not
hold them. Where \`access: Namespaced\` is used, it needs on \`rolebindings\` what it needs on Services, and \`bind\` in that
namespace comes with the right on the ClusterRole.

| verb | resource | what for | without it |
| --- | --- | --- | --- |
`;

/** Creates, changes and deletes the objects of a Gateway; returns the first thing that failed, in words. */
async function scenario(
  namespace: string,
  bindingName: string,
  kubeconfig: string,
  flags: readonly string[],
): Promise<string> {
  const { client } = sharedCluster();
  const directory = mkdtempSync(join(tmpdir(), 'gari-rbac-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'gateway.json');
  const gateway = (labels: object) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace },
    spec: {
      gatewayClassName: 'gari',
      infrastructure: { labels },
      listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
    },
  });
  if (flags.length === 0) await client.apply(gateway({}));
  const gari = async (command: string, labels: object) => {
    writeFileSync(file, JSON.stringify(gateway(labels)));
    let stderr = '';
    const io = {
      stdout: () => undefined,
      stderr: (text: string) => {
        stderr += text;
      },
    };
    const own = command === 'apply' ? flags : [];
    await run([command, file, ...own, '--binding-name', bindingName, '--kubeconfig', kubeconfig], io);
    return (
      stderr
        .split('\n')[0]
        ?.replace(/^(error|warning): /, '')
        .replaceAll(namespace, 'prod') ?? ''
    );
  };
  // Rights take a moment to be known to the API server: the first call may come too early.
  let failed = await gari('apply', {});
  await eventually('the rights to be known', async () => {
    const again = await gari('apply', {});
    const settled = again === failed;
    failed = again;
    return settled;
  });
  if (failed === '') failed = await gari('apply', { a: 'b' });
  if (failed === '') {
    for (const group of ['/api/v1', '/apis/apps/v1']) {
      for (const kind of group === '/api/v1' ? ['serviceaccounts', 'services'] : ['deployments']) {
        await client.request('PATCH', `${group}/namespaces/${namespace}/${kind}/web-gari`, {
          contentType: 'application/merge-patch+json',
          body: { metadata: { ownerReferences: null } },
        });
      }
    }
    failed = await gari('apply', { a: 'b' });
  }
  return failed === '' ? gari('delete', {}) : failed;
}
