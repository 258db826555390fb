// A process for tests that holds a Lease until it is ended: kubeconfig, namespace, name, identity.
import { loadCredentials } from '../k8s/credentials.ts';
import { LeaderElector } from '../k8s/operation/leader-election.ts';
import { createLog } from '../k8s/operation/log.ts';
import { Transport } from '../k8s/transport.ts';

const [kubeconfig = '', namespace = '', name = '', identity = ''] = process.argv.slice(2);
const transport = new Transport(await loadCredentials({ kubeconfig }));
const elector = new LeaderElector(transport, { namespace, name, identity }, createLog('info'));
await elector.run(() => new Promise(() => {}), new AbortController().signal);
