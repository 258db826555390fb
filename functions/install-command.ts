import { dataPlaneManifests } from '../k8s/data-plane-rbac.ts';
import { clusterInstall, namespacedInstall } from '../k8s/install/manifests.ts';
import type { Io } from './io.ts';
import { formatManifests } from './output/manifests.ts';

/** The flags of `gari install`. */
export interface InstallFlags {
  readonly only?: 'data-plane-rbac';
  readonly namespace?: string;
  readonly namespaces?: readonly string[];
  readonly controllerImage: string;
  readonly image?: string;
  readonly bindingName: string;
  readonly className: string;
  readonly controllerName: string;
}

/** Where the controller of a whole cluster runs. */
const DEFAULT_NAMESPACE = 'gari-system';

/** Prints what is to be applied to a cluster. */
export function installCommand(flags: InstallFlags, io: Io): void {
  io.stdout(formatManifests(manifestsOf(flags)));
}

function manifestsOf(flags: InstallFlags) {
  const { only, namespaces } = flags;
  if (only !== undefined) return dataPlaneManifests(flags.bindingName);
  // Who may write to these namespaces alone has no other one for the controller.
  const namespace = flags.namespace ?? namespaces?.[0] ?? DEFAULT_NAMESPACE;
  const options = { ...flags, namespace };
  return namespaces === undefined ? clusterInstall(options) : namespacedInstall(options, namespaces);
}
