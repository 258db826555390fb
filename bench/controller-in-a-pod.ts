// The controller with the credentials of a pod, as they lie in the directory that is given: those of a
// kubeconfig would bring client-node into the memory that is measured.
import { argv, exit } from 'node:process';
import { readParametersObject } from '../functions/input/parameters.ts';
import { createLog } from '../k8s/operation/log.ts';
import { run } from '../k8s/operation/run.ts';
import { podCredentials } from '../k8s/pod-credentials.ts';

const [, , directory = '', healthPort = '0'] = argv;
const credentials = podCredentials(process.env, directory);
if (credentials === undefined) throw new Error(`${directory} holds no credentials`);
const end = new AbortController();
process.on('SIGTERM', () => end.abort());
const controller = {
  controllerName: 'gari.dev/gateway-controller',
  classNames: ['gari'],
  image: 'gari-dataplane:v0.1.0',
  bindingName: 'gari-dataplane',
  status: 'infrastructure',
  maxUnavailableGateways: '10%',
  dryRun: false,
} as const;
const options = { controller, healthPort: Number(healthPort), metricsPort: 0 };
run(credentials, options, { log: createLog('info'), readParameters: readParametersObject }, end.signal).then(
  () => exit(0),
  (error: unknown) => {
    process.stderr.write(`${error}\n`);
    exit(1);
  },
);
