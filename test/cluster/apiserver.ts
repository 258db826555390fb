import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, createClient } from './client.ts';
import type { Credentials } from './credentials.ts';
import { type Launcher, launch, launchOnFreePorts, type Program } from './launch.ts';
import { type ChoosePorts, freePorts } from './ports.ts';
import type { ManagedProcess } from './process.ts';

/** A running API server that can be stopped and started again at the same address. */
export interface ApiServer {
  /** Connection of the admin. */
  readonly connection: Connection & { readonly token: string };
  readonly auditLog: string;
  readonly process: ManagedProcess;
  /** Starts it again, same port and certificate, after its process has ended. */
  start(): Promise<void>;
}

const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};

/** Starts the API server and waits for `/readyz`. */
export async function startApiServer(
  launcher: Launcher,
  etcd: string,
  credentials: Credentials,
  choose: ChoosePorts = freePorts,
): Promise<ApiServer> {
  const directory = launcher.run.path;
  const auditLog = join(directory, 'audit.log');
  const policy = join(directory, 'audit-policy.json');
  writeFileSync(policy, JSON.stringify(AUDIT_POLICY));

  const connection = (port: number) => ({
    server: `https://127.0.0.1:${port}`,
    // The server signs its own certificate and writes the authority's into the same file.
    ca: readFileSync(join(directory, 'apiserver.crt'), 'utf8'),
    token: credentials.tokens.admin,
  });
  const program = (port: number): Program => ({
    name: 'kube-apiserver',
    args: [
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${directory}`,
      `--etcd-servers=${etcd}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${credentials.serviceAccountPublicKey}`,
      `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
      '--service-cluster-ip-range=10.96.0.0/12,fd00:10:96::/112',
      // No node opens them; benchmarks need two for each of thousands of Services.
      '--service-node-port-range=30000-65535',
      '--authorization-mode=RBAC',
      `--token-auth-file=${credentials.tokenFile}`,
      '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
      // Nothing here routes to the Service `kubernetes`, and a restart need not wait for its endpoints to go.
      '--endpoint-reconciler-type=none',
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${auditLog}`,
      // Requests are counted in this one file: no rotation.
      '--audit-log-maxsize=100000',
    ],
    ready: async () => (await createClient(connection(port)).request('GET', '/readyz')).status === 200,
  });

  const first = await launchOnFreePorts<[number]>(launcher, 1, program, choose);
  let { process } = first;
  const [port] = first.ports;
  return {
    connection: connection(port),
    auditLog,
    get process() {
      return process;
    },
    async start() {
      if (!process.ended) throw new Error('the API server is still running');
      process = await launch(launcher, program(port));
    },
  };
}
