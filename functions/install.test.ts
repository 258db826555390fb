import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { run } from './cli.ts';

async function install(...args: string[]): Promise<unknown[]> {
  let stdout = '';
  const io = {
    stdout: (text: string) => {
      stdout += text;
    },
    stderr: () => undefined,
  };
  expect(await run(['install', ...args], io)).toBe(0);
  return parseAllDocuments(stdout).map((document) => document.toJS());
}

it('gari install --only=data-plane-rbac prints a role that reads and a binding without subjects', async () => {
  const [role, binding] = (await install('--only=data-plane-rbac')) as [
    { kind: string; rules: { verbs: string[] }[] },
    Record<string, unknown>,
  ];
  expect(role.kind).toBe('ClusterRole');
  for (const { verbs } of role.rules) expect(verbs).toEqual(['get', 'list', 'watch']);
  expect(binding).toMatchObject({ kind: 'ClusterRoleBinding', metadata: { name: 'gari-dataplane' } });
  expect(binding).not.toHaveProperty('subjects');
});

it('the binding can have another name', async () => {
  expect((await install('--only=data-plane-rbac', '--binding-name', 'second'))[1]).toMatchObject({
    metadata: { name: 'second' },
    roleRef: { name: 'gari-dataplane' },
  });
});
