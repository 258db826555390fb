import { expect, it } from 'vitest';
import { run } from './cli.ts';
import { asItem } from './fn/resource-list.ts';
import { runFunction } from './fn/run-function.ts';

/** What runs with an `Io` prints on stdout. */
async function printed(
  body: (io: { stdout: (text: string) => void; stderr: (text: string) => void }) => Promise<number>,
): Promise<string> {
  let stdout = '';
  let stderr = '';
  const io = {
    stdout: (text: string) => {
      stdout += text;
    },
    stderr: (text: string) => {
      stderr += text;
    },
  };
  expect(await body(io), stderr).toBe(0);
  return stdout;
}
const install = (...args: string[]) => printed((io) => run(['install', ...args], io));

const RBAC = `# What data planes read the cluster with. All of it, the Secrets of every namespace included, is needed only
# because each data plane compiles its own configuration. With central configuration (one process compiles,
# and gives each data plane no more than its own) this role and its binding would go, and a data plane would
# read one Secret. Until then a DataPlane with \`access: Namespaced\` or \`access: None\` grants less.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: gari-dataplane
  labels:
    app.kubernetes.io/managed-by: gari
    app.kubernetes.io/name: gari-dataplane
rules:
# What is routed where.
- apiGroups:
  - gateway.networking.k8s.io
  resources:
  - backendtlspolicies
  - gatewayclasses
  - gateways
  - grpcroutes
  - httproutes
  - listenersets
  - referencegrants
  - tcproutes
  - tlsroutes
  - udproutes
  verbs:
  - get
  - list
  - watch
# Certificates and keys, CA bundles, ports of backends, labels of namespaces.
- apiGroups:
  - ""
  resources:
  - configmaps
  - namespaces
  - secrets
  - services
  verbs:
  - get
  - list
  - watch
# Addresses of backends.
- apiGroups:
  - discovery.k8s.io
  resources:
  - endpointslices
  verbs:
  - get
  - list
  - watch
---
# Without subjects: gari keeps the list, and applying this again must not wipe it.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: gari-dataplane
  labels:
    app.kubernetes.io/managed-by: gari
    app.kubernetes.io/name: gari-dataplane
  annotations:
    gari.dev/installed: "true"
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: gari-dataplane
`;

it('gari install --only=data-plane-rbac prints a role that reads and a binding without subjects', async () => {
  expect(await install('--only=data-plane-rbac')).toBe(RBAC);
});

it('the binding can have another name', async () => {
  const other = RBAC.replace(/(kind: ClusterRoleBinding\nmetadata:\n {2}name: )gari-dataplane/, '$1second');
  expect(await install('--only=data-plane-rbac', '--binding-name', 'second')).toBe(other);
});

it('the function fills that binding, and keeps it where no Gateway is left', async () => {
  const [role = '', binding = ''] = RBAC.split('---\n');
  const kptfile = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: package\n';
  const gateway = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: web
  namespace: prod
spec:
  gatewayClassName: gari
  listeners:
  - name: http
    port: 80
    protocol: HTTP
`;
  const list = (items: readonly string[]) =>
    `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.map((item) => asItem(item, '')).join('')}`;
  const filled = await printed((io) => runFunction(list([kptfile, role, binding, gateway]), io));
  const subject = 'subjects:\n- kind: ServiceAccount\n  name: web-gari\n  namespace: prod\n';
  expect(filled).toContain(asItem(`${binding}${subject}`, ''));
  expect(filled.match(/kind: ClusterRoleBinding/g)).toHaveLength(1);

  const emptied = await printed((io) => runFunction(filled.replace(asItem(gateway, ''), ''), io));
  expect(emptied.slice(emptied.indexOf('\nitems:\n') + 1)).toBe(
    list([kptfile, role, binding]).slice(list([]).indexOf('items:')),
  );
});
