// `npm run demo`: a control plane without containers, the controller in it as shipped, and what it does with a Gateway.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Cluster, startCluster } from './cluster/cluster.ts';
import { eventually } from './cluster/eventually.ts';
import { kubectl } from './cluster/kubectl.ts';
import { freePorts } from './cluster/ports.ts';
import { serviceAccountKubeconfig } from './cluster/service-account.ts';
import { messageOf } from './cluster/text.ts';
import { gari } from './run-gari.ts';

const GATEWAY = (name: string, more = '') => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: ${name}
  namespace: shop
spec:
  gatewayClassName: gari
  listeners:
  - name: http
    port: 80
    protocol: HTTP
${more}`;

const FOREIGN_SERVICE = `apiVersion: v1
kind: Service
metadata:
  name: api-gari
  namespace: shop
spec:
  ports:
  - port: 80
`;

const say = (text: string): void => console.log(`\n\x1b[1m${text}\x1b[0m`);

/** Runs kubectl, shows the command and what it prints. */
async function show(cluster: Cluster, command: string, input?: string): Promise<void> {
  console.log(`$ kubectl ${command}`);
  const result = await kubectl(cluster, command.split(' '), input === undefined ? {} : { input });
  console.log(`${result.stdout}${result.stderr}`.trimEnd());
  if (result.code !== 0) throw new Error(`kubectl ${command} failed`);
}

/** Waits until what kubectl prints matches, and shows it then. */
async function showOnce(cluster: Cluster, command: string, expected: RegExp): Promise<void> {
  await eventually(`kubectl ${command} to show ${expected}`, async () => {
    const { stdout, stderr } = await kubectl(cluster, command.split(' '));
    return expected.test(stdout + stderr);
  });
  await show(cluster, command);
}

/** The controller as its pods run it, under its own ServiceAccount; its log comes out in between. */
async function startController(cluster: Cluster): Promise<ChildProcess> {
  const [health = 0, metrics = 0] = await freePorts(2);
  const kubeconfig = await serviceAccountKubeconfig(cluster, 'gari-system', 'gari-controller');
  const args = ['controller', '--leader-elect=gari-system/gari-controller'];
  const ports = [`--health-port=${health}`, `--metrics-port=${metrics}`];
  const child = spawn(process.execPath, ['dist/gari.cjs', ...args, ...ports], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => console.log(`  ${logLine(line)}`));
  await eventually('the controller to be ready', async () => {
    const { status } = await fetch(`http://127.0.0.1:${health}/readyz`);
    return status === 200;
  });
  return child;
}

/** A line of the log, shorter. */
function logLine(text: string): string {
  const { msg, namespace, name, changes, condition, status, reason, detail, error } = JSON.parse(text);
  const what = changes?.join(', ') ?? (condition && `${condition}=${status} ${reason}: ${detail}`) ?? error;
  const whose = name === undefined ? '' : ` ${namespace === undefined ? '' : `${namespace}/`}${name}:`;
  return `controller |${whose} ${msg}${what === undefined ? '' : ` (${what})`}`;
}

async function walk(cluster: Cluster): Promise<void> {
  say('1. Install: what `gari install` prints, and the controller under its own ServiceAccount.');
  const { stdout: manifests } = await gari('install');
  await show(cluster, 'apply -f -', manifests);
  const controller = await startController(cluster);
  await showOnce(cluster, 'get gatewayclass gari', /True/);

  say('2. Create a Gateway: it gets a ServiceAccount, a Deployment, a Service and read access.');
  await show(cluster, 'create namespace shop');
  await show(cluster, 'apply -f -', GATEWAY('web'));
  await showOnce(cluster, 'get gateway web -n shop', /198\.51\.100\.\d+ +True/);
  await show(cluster, 'get serviceaccount,deployment,service,pods -n shop -l gari.dev/component=dataplane');
  await show(cluster, 'get clusterrolebinding gari-dataplane -o jsonpath={.subjects}');

  say('3. Change it: a label for the pods. The Deployment rolls out, the address stays.');
  const labels = '  infrastructure:\n    labels:\n      team: payments\n';
  await show(cluster, 'apply -f -', GATEWAY('web', labels));
  await showOnce(cluster, 'get pods -n shop -L team', /^\S+ +1\/1 .* payments\n$/m);
  await show(cluster, 'get gateway web -n shop');

  say('4. A conflict: a Service that somebody else made has the name that a new Gateway needs.');
  await show(cluster, 'apply -f -', FOREIGN_SERVICE);
  await show(cluster, 'apply -f -', GATEWAY('api'));
  const condition = '-o jsonpath={.status.conditions[?(@.type=="Programmed")]}';
  await showOnce(cluster, `get gateway api -n shop ${condition}`, /ResourceConflict/);
  console.log('gari never writes to it. Once it is out of the way, all goes on by itself:');
  await show(cluster, 'delete service api-gari -n shop');
  await showOnce(cluster, 'get gateway api -n shop', /198\.51\.100\.\d+ +True/);

  say('5. What a user can see of it: events.');
  await show(cluster, 'events -n shop --for gateway/api');

  say('6. Delete the Gateways: all that was made for them goes, the access too.');
  await show(cluster, 'delete gateway web api -n shop');
  await showOnce(
    cluster,
    'get serviceaccount,deployment,service -n shop -l gari.dev/component=dataplane',
    /No resources found/,
  );
  await eventually('the subjects to go', async () => {
    const { stdout } = await kubectl(cluster, ['get', 'clusterrolebinding', 'gari-dataplane', '-o', 'yaml']);
    return !stdout.includes('subjects');
  });
  await show(cluster, 'get clusterrolebinding gari-dataplane -o jsonpath={.subjects}');

  say('7. End: what is under way is finished, and the Lease is handed over.');
  const ended = new Promise((resolve) => controller.on('exit', resolve));
  controller.kill('SIGTERM');
  await ended;
  await show(cluster, 'get lease gari-controller -n gari-system -o jsonpath={.spec}');
}

let cluster: Cluster | undefined;
try {
  cluster = await startCluster({ report: (line) => console.log(line) });
  await walk(cluster);
} catch (error) {
  console.error(`demo: ${messageOf(error)}`);
  process.exitCode = 1;
} finally {
  await cluster?.stop();
}
// A controller that is still there after an error ends with this.
process.exit();
