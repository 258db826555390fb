import process from 'node:process';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CONTROLLER_IMAGE } from '../k8s/install/controller-image.ts';
import manifest from '../package.json' with { type: 'json' };
import { DEFAULT_CLASS_NAME, DEFAULT_CONTROLLER_NAME } from '../render/claim.ts';
import { DATA_PLANE_ROLE } from '../render/subjects.ts';
import type { ApplyFlags } from './apply-command.ts';
import type { ControllerFlags } from './controller-command.ts';
import type { InstallFlags } from './install-command.ts';
import type { Io } from './io.ts';
import { type RenderFlags, renderCommand } from './render-command.ts';

/** Runs the command line and returns its exit code: 0 done, 1 the input is wrong, 2 wrong usage. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  const program = new Command('gari')
    .description(
      'Renders the infrastructure of Kubernetes Gateways: see what each of them needs before it runs.',
    )
    .version(manifest.version)
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(text) })
    .exitOverride();
  withInputFlags(
    program
      .command('render')
      .description('print the ServiceAccount, Deployment, Service and ClusterRoleBinding of each Gateway'),
  )
    .addOption(flag('--output-dir <directory>', 'write a file for each Gateway there').conflicts('format'))
    .addOption(flag('--format <format>', 'of what is printed').choices(['yaml', 'json']).default('yaml'))
    .addOption(flag('--quiet', 'only errors on stderr'))
    .action(async (paths: string[], flags: RenderFlags) => {
      exitCode = await renderCommand(paths, flags, io);
    });
  withClusterFlags(
    withInputFlags(program.command('apply').description('apply to a cluster what each Gateway needs')),
  )
    .addOption(flag('--with-gateways', 'apply the Gateways first'))
    .addOption(flag('--wait', 'until data planes are available and have an address'))
    .addOption(flag('--timeout <seconds>', 'of --wait').argParser(seconds).default(300))
    .action(async (paths: string[], flags: ApplyFlags) => {
      const { applyCommand } = await import('./apply-command.ts');
      exitCode = await applyCommand(paths, flags, io);
    });
  withClusterFlags(
    withInputFlags(
      program.command('delete').description('remove from a cluster what apply made, never a Gateway'),
    ),
  ).action(async (paths: string[], flags: ApplyFlags) => {
    const { deleteCommand } = await import('./delete-command.ts');
    exitCode = await deleteCommand(paths, flags, io);
  });
  program
    .command('fn')
    .description('run as a KRM function: a ResourceList on standard input and output (as gari-fn does)')
    .action(async () => {
      const { runStdin } = await import('./fn/run-stdin.ts');
      exitCode = await runStdin(io);
    });
  withControllerFlags(
    program.command('controller').description('run in a cluster and look after its Gateways'),
  ).action(async (flags: ControllerFlags) => {
    const { controllerCommand } = await import('./controller-command.ts');
    exitCode = await controllerCommand(flags);
  });
  withInstallFlags(
    program
      .command('install')
      .description('print what to apply to a cluster so that the controller runs in it'),
  ).action(async (flags: InstallFlags) => {
    const { installCommand } = await import('./install-command.ts');
    installCommand(flags, io);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return exitCode;
}

/** The flags that say what is read and how it is rendered. */
function withInputFlags(command: Command): Command {
  return command
    .argument('<path...>', 'files or directories with YAML or JSON, or - for standard input')
    .addOption(
      flag('--class-name <name>', 'a class that is ours by name (repeatable)').argParser(collect).default([]),
    )
    .addOption(
      flag('--controller-name <name>', 'our controllerName in GatewayClasses').default(
        DEFAULT_CONTROLLER_NAME,
      ),
    )
    .addOption(flag('--namespace <name>', 'for Gateways without one').default('default'))
    .addOption(
      flag('--gateway <namespace/name>', 'only this Gateway (render: without the binding)').argParser(
        gatewayName,
      ),
    )
    .addOption(flag('--image <image>', "the data plane's image"))
    .addOption(flag('--binding-name <name>', 'the shared ClusterRoleBinding').default(DATA_PLANE_ROLE))
    .addOption(
      flag('--diagnostics <format>', 'of the lines on stderr').choices(['text', 'json']).default('text'),
    )
    .addOption(
      flag(
        '--gateway-api-crds <directory>',
        'judge the input with these CRDs, of another Gateway API version',
      ).conflicts('validate'),
    )
    .addOption(flag('--no-validate', 'check only what rendering depends on'));
}

/** The flags that say which cluster, and how to write to it. */
function withClusterFlags(command: Command): Command {
  return command
    .addOption(flag('--kubeconfig <file>', 'instead of KUBECONFIG or ~/.kube/config'))
    .addOption(flag('--context <name>', "instead of the kubeconfig's current one"))
    .addOption(
      flag('--dry-run <where>', 'change nothing; the server says what it would do').choices(['server']),
    );
}

/** The flags that say which Gateways are looked after, and how. */
function withControllerFlags(command: Command): Command {
  return command
    .addOption(
      flag('--class-name <name>', 'a class that is ours by name (repeatable)').argParser(collect).default([]),
    )
    .addOption(
      flag('--controller-name <name>', 'our controllerName in GatewayClasses').default(
        DEFAULT_CONTROLLER_NAME,
      ),
    )
    .addOption(flag('--image <image>', "the data plane's image"))
    .addOption(flag('--binding-name <name>', 'the shared ClusterRoleBinding').default(DATA_PLANE_ROLE))
    .addOption(flag('--namespaces <names>', 'only these, separated by commas').argParser(namespaceNames))
    .addOption(
      flag('--status <what>', 'of Gateways and classes is written')
        .choices(['infrastructure', 'none'])
        .default('infrastructure'),
    )
    .addOption(
      flag('--max-unavailable-gateways <limit>', 'whose pods are replaced at a time: a number or a share')
        .argParser(limit)
        .default('10%'),
    )
    .addOption(flag('--dry-run', 'log what would be done, and write nothing'))
    .addOption(
      flag('--leader-elect <namespace/name>', 'the Lease that replicas agree by').argParser(leaseName),
    )
    .addOption(flag('--health-port <port>', 'of /healthz and /readyz; 0: none').argParser(port).default(8081))
    .addOption(flag('--metrics-port <port>', 'of /metrics; 0: none').argParser(port).default(8080))
    .addOption(
      flag('--log-level <level>', 'how much is logged')
        .choices(['trace', 'debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .addOption(flag('--kubeconfig <file>', 'instead of KUBECONFIG or ~/.kube/config'))
    .addOption(flag('--context <name>', "instead of the kubeconfig's current one"));
}

/** The flags that say what is installed, and where. */
function withInstallFlags(command: Command): Command {
  return command
    .addOption(flag('--only <part>', 'for clusters without the controller').choices(['data-plane-rbac']))
    .addOption(
      flag('--namespace <name>', "the controller's (default: gari-system, or the first of --namespaces)"),
    )
    .addOption(
      flag('--namespaces <names>', 'look after these only, with Roles alone').argParser(namespaceNames),
    )
    .addOption(flag('--controller-image <image>', "the controller's image").default(CONTROLLER_IMAGE))
    .addOption(flag('--image <image>', "the data plane's image"))
    .addOption(flag('--class-name <name>', 'the GatewayClass').default(DEFAULT_CLASS_NAME))
    .addOption(
      flag('--controller-name <name>', 'our controllerName in GatewayClasses').default(
        DEFAULT_CONTROLLER_NAME,
      ),
    )
    .addOption(flag('--binding-name <name>', 'the shared ClusterRoleBinding').default(DATA_PLANE_ROLE));
}

/** A flag, which can be given in the environment as well: `--some-flag` as `GARI_SOME_FLAG`; an empty variable is as none. */
function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  const variable = `GARI_${option.name().toUpperCase().replaceAll('-', '_')}`;
  return process.env[variable] === '' ? option : option.env(variable);
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, ...value.split(',')];
}

function gatewayName(value: string): string {
  if (/^[^/]+\/[^/]+$/.test(value)) return value;
  throw new InvalidArgumentError('It must be <namespace>/<name>.');
}

function namespaceNames(value: string): readonly string[] {
  const names = [...new Set(value.split(','))];
  if (names.every((name) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))) return names;
  throw new InvalidArgumentError('It must be names of namespaces, separated by commas.');
}

function leaseName(value: string): { namespace: string; name: string } {
  const [, namespace, name] = /^([-a-z0-9]+)\/([-.a-z0-9]+)$/.exec(value) ?? [];
  if (namespace !== undefined && name !== undefined) return { namespace, name };
  throw new InvalidArgumentError('It must be <namespace>/<name>.');
}

function limit(value: string): number | string {
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  if (/^([1-9]\d?|100)%$/.test(value)) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 on, or a share such as 10%.');
}

function port(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError('It must be a port.');
}

function seconds(value: string): number {
  if (/^[1-9]\d*$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number of seconds.');
}
