import { type Diagnostic, diagnose, subjectOf } from './diagnostic.ts';
import type { Gateway, GatewayClass } from './gateway-api.ts';
import type { Sourced } from './source.ts';

/** The controllerName of GatewayClasses that are gari's, unless the user names another. */
export const DEFAULT_CONTROLLER_NAME = 'gari.dev/gateway-controller';
/** The class that is taken for gari's where the input holds no GatewayClass at all. */
export const DEFAULT_CLASS_NAME = 'gari';
/** The reason of the warning of {@link unclearClass}. */
export const UNCLEAR_CLASS = 'UnclearClass';

/** What decides which Gateways are ours. */
export interface ClaimOptions {
  readonly controllerName: string;
  /** Classes that are ours by name. */
  readonly classNames: readonly string[];
}

/** The Gateways that are ours, and those of other controllers. */
export interface Claim {
  readonly ours: readonly Sourced<Gateway>[];
  readonly others: readonly Sourced<Gateway>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Tells our Gateways from those of other controllers, by their class. */
export function claimGateways(
  gateways: readonly Sourced<Gateway>[],
  classes: readonly Sourced<GatewayClass>[],
  { controllerName, classNames }: ClaimOptions,
): Claim {
  const byName = new Map(classes.map((entry) => [entry.object.metadata.name, entry]));
  const ours = ownClassNames(
    classes.map(({ object }) => object),
    { controllerName, classNames },
  );
  const isOurs = ({ object }: Sourced<Gateway>) => ours.has(object.spec.gatewayClassName);
  const others = gateways.filter((gateway) => !isOurs(gateway));
  const foreign = classNames
    .flatMap((name) => byName.get(name) ?? [])
    .filter(({ object }) => !ours.has(object.metadata.name));
  return {
    ours: gateways.filter(isOurs),
    others,
    diagnostics: [
      ...foreign.map((entry) =>
        diagnose(
          'warning',
          'ForeignClass',
          subjectOf(entry),
          ['spec', 'controllerName'],
          `is ${entry.object.spec.controllerName}, so its Gateways are not gari's, although --class-name names it`,
        ),
      ),
      ...unknownClasses(classNames, gateways, byName),
    ],
  };
}

/**
 * Warns of Gateways whose class would be gari's by its name, did the input not hold other classes: a
 * class that has nothing to do with them must not take them away without a word.
 */
export function unclearClass(
  others: readonly Sourced<Gateway>[],
  classes: readonly Sourced<GatewayClass>[],
  classNames: readonly string[],
): readonly Diagnostic[] {
  const isKnown = classes.some(({ object }) => object.metadata.name === DEFAULT_CLASS_NAME);
  if (isKnown || classNames.length > 0) return [];
  return others
    .filter(({ object }) => object.spec.gatewayClassName === DEFAULT_CLASS_NAME)
    .map((gateway) =>
      diagnose(
        'warning',
        UNCLEAR_CLASS,
        subjectOf(gateway),
        ['spec', 'gatewayClassName'],
        `is ${DEFAULT_CLASS_NAME}, and the input holds GatewayClasses but not this one, so the Gateway is taken for another controller's; add the GatewayClass, or name it with --class-name (classNames of the function): needs-cluster`,
      ),
    );
}

/** The classes whose Gateways are ours, of which not each needs a GatewayClass. */
export function ownClassNames(
  classes: readonly GatewayClass[],
  { controllerName, classNames }: ClaimOptions,
): ReadonlySet<string> {
  const known = new Set(classes.map(({ metadata }) => metadata.name));
  const named = classNames.length === 0 && classes.length === 0 ? [DEFAULT_CLASS_NAME] : classNames;
  const byController = classes.filter(({ spec }) => spec.controllerName === controllerName);
  return new Set([
    ...named.filter((name) => !known.has(name)),
    ...byController.map(({ metadata }) => metadata.name),
  ]);
}

function unknownClasses(
  classNames: readonly string[],
  gateways: readonly Sourced<Gateway>[],
  classes: ReadonlyMap<string, unknown>,
): Diagnostic[] {
  const used = new Set(gateways.map(({ object }) => object.spec.gatewayClassName));
  return classNames
    .filter((name) => !used.has(name) && !classes.has(name))
    .map((name) => ({
      severity: 'error',
      reason: 'UnknownClass',
      message: `--class-name ${name}: no Gateway and no GatewayClass in the input has this class; check its spelling`,
    }));
}
