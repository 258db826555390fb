// `npm run cluster`: a cluster for hand use, until Ctrl-C.
import { startCluster } from './cluster.ts';
import { messageOf } from './text.ts';

const start = Date.now();
try {
  const cluster = await startCluster({ report: (line) => console.log(line) });
  console.log(`ready after ${((Date.now() - start) / 1000).toFixed(1)} s: ${cluster.parts.join(', ')}

  export KUBECONFIG=${cluster.kubeconfig}
  kubectl get gatewayclasses,nodes

Server ${cluster.server}; logs, audit log and keys in ${cluster.directory}.
Ctrl-C ends everything and removes its files.`);
  // The supervisors keep no process alive.
  const alive = setInterval(() => {}, 60_000);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.on(signal, () => resolve());
  });
  console.log('ending');
  await cluster.stop();
  clearInterval(alive);
} catch (error) {
  console.error(`cluster: ${messageOf(error)}`);
  process.exitCode = 1;
}
