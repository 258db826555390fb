import type { Gateway, GatewayClass } from '../../render/gateway-api.ts';
import type { JsonObject } from '../../render/json.ts';
import type { ParametersObject } from '../../render/parameters/parameters.ts';
import { classTarget, gatewayTarget, type ParametersTarget } from '../../render/parameters/resolve.ts';
import type { Sourced } from '../../render/source.ts';
import type { LiveObject } from '../live-object.ts';
import { type ClusterObject, pathOf } from '../resources.ts';
import type { ClusterView } from './cluster-view.ts';
import type { FollowedObjects } from './followed-objects.ts';

/** Reads a DataPlane, or a ConfigMap with the same spec, and says what is wrong with it. */
export type ReadParameters = (object: JsonObject, namespace: string) => Promise<ParametersObject | undefined>;

/** What Gateways and classes refer to, as far as it is there. */
export interface LoadedParameters {
  readonly dataPlanes: readonly Sourced<ParametersObject>[];
  readonly configMaps: readonly Sourced<ParametersObject>[];
}

export const NO_PARAMETERS: LoadedParameters = { dataPlanes: [], configMaps: [] };

/** Finds parameters: DataPlanes in the cache, ConfigMaps one by one, by name. */
export class ParametersLoader {
  readonly #view: ClusterView;
  readonly #configMaps: FollowedObjects;
  readonly #read: ReadParameters;
  /** What was read, by path: most are read again and again for each Gateway of a class. */
  readonly #known = new Map<
    string,
    { readonly version: string; readonly parameters: Promise<ParametersObject | undefined> }
  >();

  constructor(view: ClusterView, configMaps: FollowedObjects, read: ReadParameters) {
    this.#view = view;
    this.#configMaps = configMaps;
    this.#read = read;
  }

  /**
   * What a Gateway and its class, or a class alone, refer to. Undefined until a ConfigMap has been read: then the
   * user (a key of the queue) is told.
   */
  async load(
    user: string,
    gateway: Gateway | undefined,
    gatewayClass: GatewayClass | undefined,
  ): Promise<LoadedParameters | undefined> {
    const targets = [
      gatewayClass === undefined ? undefined : classTarget(gatewayClass),
      gateway === undefined ? undefined : gatewayTarget(gateway),
    ].filter((target) => target !== undefined);
    const configMaps = targets.filter(({ kind }) => kind === 'ConfigMap');
    this.#configMaps.set(user, configMaps);
    const loaded: ParametersObject[] = [];
    for (const target of targets) {
      const object = this.#find(target);
      if (object === 'unknown') return undefined;
      const parameters = object === undefined ? undefined : await this.#parse(target, object);
      if (parameters !== undefined) loaded.push(parameters);
    }
    const ofKind = (kind: ParametersObject['kind']) =>
      loaded.filter((each) => each.kind === kind).map((object) => ({ object }));
    return { dataPlanes: ofKind('DataPlane'), configMaps: ofKind('ConfigMap') };
  }

  /** Needs nothing for a user any more. */
  release(user: string): void {
    this.#configMaps.set(user, []);
  }

  #find(target: ParametersTarget): LiveObject | 'unknown' | undefined {
    if (target.kind === 'ConfigMap') return this.#configMaps.get(target);
    return this.#view.store(target.kind).get(target.namespace, target.name) as LiveObject | undefined;
  }

  #parse(target: ClusterObject, object: LiveObject): Promise<ParametersObject | undefined> {
    const path = pathOf(target);
    const { uid, resourceVersion } = object.metadata;
    const version = `${uid} ${resourceVersion}`;
    const known = this.#known.get(path);
    if (known?.version === version) return known.parameters;
    const parameters = this.#read(object as unknown as JsonObject, target.namespace ?? '');
    this.#known.set(path, { version, parameters });
    return parameters;
  }
}
