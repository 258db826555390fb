import process from 'node:process';
import type { Limit } from '../k8s/controller/options.ts';
import { loadCredentials } from '../k8s/credentials.ts';
import { createLog, type Log, type LogLevel } from '../k8s/operation/log.ts';
import { run } from '../k8s/operation/run.ts';
import { DEFAULT_IMAGE } from '../render/data-plane.ts';
import { readParametersObject } from './input/parameters.ts';

/** The flags of `gari controller`. */
export interface ControllerFlags {
  readonly className: readonly string[];
  readonly controllerName: string;
  readonly image?: string;
  readonly bindingName: string;
  readonly namespaces?: readonly string[];
  readonly status: 'infrastructure' | 'none';
  readonly maxUnavailableGateways: Limit;
  readonly dryRun?: true;
  readonly leaderElect?: { readonly namespace: string; readonly name: string };
  readonly healthPort: number;
  readonly metricsPort: number;
  readonly logLevel: LogLevel;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Runs the controller until it is told to end, and returns the exit code. */
export async function controllerCommand(flags: ControllerFlags): Promise<number> {
  const log = createLog(flags.logLevel);
  const end = new AbortController();
  endOnSignals(end, log);
  const { className, controllerName, image = DEFAULT_IMAGE, bindingName, namespaces } = flags;
  const { status, maxUnavailableGateways, dryRun = false, leaderElect, healthPort, metricsPort } = flags;
  const controller = {
    ...{ classNames: className, controllerName, image, bindingName },
    ...{ status, maxUnavailableGateways, dryRun },
    ...(namespaces === undefined ? {} : { namespaces }),
  };
  log.info({ ...controller, lease: leaderElect }, 'starting');
  try {
    const options = {
      ...{ controller, healthPort, metricsPort },
      ...(leaderElect === undefined ? {} : { lease: leaderElect }),
    };
    const credentials = await loadCredentials(flags);
    await run(credentials, options, { log, readParameters: readParametersObject }, end.signal);
    log.info('ended');
    return 0;
  } catch (error) {
    log.error({ error }, 'ended with an error');
    // At once: after the Lease is lost, nothing that is still under way may go on.
    process.exit(1);
  }
}

function endOnSignals(end: AbortController, log: Log): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (end.signal.aborted) process.exit(1);
      log.info({ signal }, 'ending');
      end.abort();
    });
  }
}
