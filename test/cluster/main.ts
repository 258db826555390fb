// `npm run cluster`: a cluster for hand use, until Ctrl-C.
import { type Cluster, startCluster } from './cluster.ts';
import { messageOf } from './text.ts';

let cluster: Cluster | undefined;
let ending = false;

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  console.log('ending');
  // While it is still starting, our own end is what ends the programs; the next run removes their files.
  await cluster?.stop();
  process.exit();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
// The supervisors keep no process alive.
const alive = setInterval(() => {}, 60_000);

const start = Date.now();
try {
  cluster = await startCluster({ report: (line) => console.log(line) });
  console.log(`ready after ${((Date.now() - start) / 1000).toFixed(1)} s: ${cluster.parts.join(', ')}

  export KUBECONFIG=${cluster.kubeconfig}
  ${cluster.kubectl} get gatewayclasses,nodes

Server ${cluster.server}; logs, audit log and keys in ${cluster.directory}.
Ctrl-C ends everything and removes its files.`);
} catch (error) {
  console.error(`cluster: ${messageOf(error)}`);
  process.exitCode = 1;
  clearInterval(alive);
}
