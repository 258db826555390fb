import { Command, CommanderError, type Option } from 'commander';
import { CONTROLLER_IMAGE } from '../k8s/install/controller-image.ts';
import manifest from '../package.json' with { type: 'json' };
import { DEFAULT_CLASS_NAME, DEFAULT_CONTROLLER_NAME } from '../render/claim.ts';
import { DATA_PLANE_ROLE } from '../render/subjects.ts';
import type { ApplyFlags } from './apply-command.ts';
import type { ControllerFlags } from './controller-command.ts';
import {
  checked,
  checkedList,
  checkSwitches,
  flag,
  gatewayName,
  leaseName,
  limit,
  namespaceNames,
  notEmpty,
  port,
  seconds,
} from './flags.ts';
import type { InstallFlags } from './install-command.ts';
import type { Io } from './io.ts';
import { BINDING_NAME, CLASS_NAME, CONTROLLER_NAME, IMAGE, NAMESPACE } from './option-values.ts';
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
    .exitOverride()
    .hook('preAction', (_, command) => checkSwitches(command));
  withInputFlags(
    program
      .command('render')
      .description('print the ServiceAccount, Deployment, Service and ClusterRoleBinding of each Gateway'),
  )
    .addOption(
      flag('--output-dir <directory>', 'write a file for each Gateway there')
        .argParser(notEmpty)
        .conflicts('format'),
    )
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
    .addOption(classNames())
    .addOption(controllerName())
    .addOption(
      flag('--namespace <name>', 'for Gateways without one').argParser(checked(NAMESPACE)).default('default'),
    )
    .addOption(
      flag('--gateway <namespace/name>', 'only this Gateway (render: without the binding)').argParser(
        gatewayName,
      ),
    )
    .addOption(image())
    .addOption(bindingName())
    .addOption(
      flag('--diagnostics <format>', 'of the lines on stderr').choices(['text', 'json']).default('text'),
    )
    .addOption(
      flag(
        '--gateway-api-crds <directory>',
        'judge the input with these CRDs, of another Gateway API version',
      )
        .argParser(notEmpty)
        .conflicts('validate'),
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

function bindingName(): Option {
  return flag('--binding-name <name>', 'the shared ClusterRoleBinding')
    .argParser(checked(BINDING_NAME))
    .default(DATA_PLANE_ROLE);
}

function classNames(): Option {
  return flag('--class-name <name>', 'a class that is ours by name (repeatable)')
    .argParser(checkedList(CLASS_NAME))
    .default([]);
}

function controllerName(): Option {
  return flag('--controller-name <name>', 'our controllerName in GatewayClasses')
    .argParser(checked(CONTROLLER_NAME))
    .default(DEFAULT_CONTROLLER_NAME);
}

function image(): Option {
  return flag('--image <image>', "the data plane's image").argParser(checked(IMAGE));
}

/** The flags that say which Gateways are looked after, and how. */
function withControllerFlags(command: Command): Command {
  return command
    .addOption(classNames())
    .addOption(controllerName())
    .addOption(image())
    .addOption(bindingName())
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
      flag(
        '--namespace <name>',
        "the controller's (default: gari-system, or the first of --namespaces)",
      ).argParser(checked(NAMESPACE)),
    )
    .addOption(
      flag('--namespaces <names>', 'look after these only, with Roles alone').argParser(namespaceNames),
    )
    .addOption(
      flag('--controller-image <image>', "the controller's image")
        .argParser(checked(IMAGE))
        .default(CONTROLLER_IMAGE),
    )
    .addOption(image())
    .addOption(
      flag('--class-name <name>', 'the GatewayClass')
        .argParser(checked(CLASS_NAME))
        .default(DEFAULT_CLASS_NAME),
    )
    .addOption(controllerName())
    .addOption(bindingName());
}
