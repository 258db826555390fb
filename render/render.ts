import { type Claim, claimGateways, DEFAULT_CONTROLLER_NAME, unclearClass } from './claim.ts';
import { DEFAULT_IMAGE } from './data-plane.ts';
import { type Diagnostic, diagnose, formatReference, subjectOf } from './diagnostic.ts';
import type { Gateway, GatewayClass, ListenerSet, Namespace, ReferenceGrant } from './gateway-api.ts';
import type { Scope } from './gateway-context.ts';
import { groupBy } from './group-by.ts';
import type { Path } from './json.ts';
import type { Layered, Provenance } from './layers.ts';
import { parentKey } from './listener-sets.ts';
import { gatewayKey } from './metadata.ts';
import { renderedName } from './names.ts';
import { compareText } from './normalize.ts';
import type { ExistingObject, ObjectKey, RenderedObject } from './objects.ts';
import { ownershipOf } from './ownership.ts';
import type { ParametersObject } from './parameters/parameters.ts';
import { parametersKey } from './parameters/resolve.ts';
import { renderGateway } from './render-gateway.ts';
import type { Sourced } from './source.ts';
import { type DataPlaneSubject, sortSubjects } from './subjects.ts';

/** All that rendering depends on. */
export interface RenderInput {
  readonly gateways: readonly Sourced<Gateway>[];
  readonly gatewayClasses: readonly Sourced<GatewayClass>[];
  readonly listenerSets: readonly Sourced<ListenerSet>[];
  readonly referenceGrants: readonly Sourced<ReferenceGrant>[];
  readonly namespaces: readonly Sourced<Namespace>[];
  /** Objects that are there already and may have the name of one that is rendered. */
  readonly existing: readonly Sourced<ExistingObject>[];
  readonly clusterRoleBindings: readonly Sourced<RenderedObject>[];
  /** What classes and Gateways may refer to with a `parametersRef`. */
  readonly dataPlanes?: readonly Sourced<ParametersObject>[];
  /** The same; only those that are referred to matter. */
  readonly configMaps?: readonly Sourced<ParametersObject>[];
}

/** How to render. */
export interface RenderOptions {
  /** Default: {@link DEFAULT_CONTROLLER_NAME}. */
  readonly controllerName?: string;
  /** Classes that are ours by name. */
  readonly classNames?: readonly string[];
  /** The data plane's image; default: {@link DEFAULT_IMAGE}. */
  readonly image?: string;
  /** Only this Gateway, as `<namespace>/<name>`. */
  readonly gateway?: string;
  /**
   * `namespaces`: nobody may be given a right outside of a namespace, so that data planes get at most a
   * binding to a Role in their own. Default: `cluster`.
   */
  readonly scope?: Scope;
}

/** What rendering gives. With an error among the diagnostics the objects are not to be used. */
export interface RenderResult {
  /** By Gateway (`<namespace>/<name>`), in that order, the objects in apply order. */
  readonly objects: ReadonlyMap<string, readonly RenderedObject[]>;
  /** The subjects that belong in the shared binding, sorted. */
  readonly subjects: readonly DataPlaneSubject[];
  /** Objects that must be kept as they are although they cannot be rendered now. */
  readonly retain: readonly ObjectKey[];
  /** Subjects that must stay in the shared binding if they are there, although nobody knows now whether they belong there. */
  readonly retainSubjects: readonly DataPlaneSubject[];
  /** The Gateways that are not ours. */
  readonly others: readonly Gateway[];
  readonly diagnostics: readonly Diagnostic[];
  /** Which layer set a field of a rendered object last, and where that stands in the input. */
  provenanceOf(object: RenderedObject, path: Path): Provenance | undefined;
}

/**
 * Renders the objects of every Gateway that is ours. Pure: the same input, in whatever order, gives
 * the same result.
 */
export function render(input: RenderInput, options: RenderOptions = {}): RenderResult {
  const {
    controllerName = DEFAULT_CONTROLLER_NAME,
    classNames = [],
    image = DEFAULT_IMAGE,
    scope = 'cluster',
  } = options;
  const claim = claimGateways(input.gateways, input.gatewayClasses, { controllerName, classNames });
  // A Gateway that is being deleted keeps what it has until garbage collection takes it.
  const live = claim.ours
    .filter(({ object }) => object.metadata.deletionTimestamp === undefined)
    .sort((a, b) => compareKeys(a.object, b.object));
  const asked = live.filter(
    ({ object }) => options.gateway === undefined || gatewayKey(object) === options.gateway,
  );

  const classes = new Map(input.gatewayClasses.map((entry) => [entry.object.metadata.name, entry]));
  const namespaces = new Map(input.namespaces.map(({ object }) => [object.metadata.name, object]));
  // All of one name: one that is foreign is one too many, wherever it stands.
  const existing = groupBy(input.existing, ({ object }) => objectKey(object));
  const listenerSets = groupBy(input.listenerSets, ({ object }) => parentKey(object));

  const objects = new Map<string, readonly RenderedObject[]>();
  const subjects: DataPlaneSubject[] = [];
  const retain: ObjectKey[] = [];
  const retainSubjects: DataPlaneSubject[] = [];
  const parameters = groupBy([...(input.dataPlanes ?? []), ...(input.configMaps ?? [])], ({ object }) =>
    parametersKey({ ...object.metadata, kind: object.kind }),
  );
  const layered = new Map<RenderedObject, Layered>();
  const diagnostics: Diagnostic[] = [
    ...claim.diagnostics,
    ...(options.gateway === undefined
      ? unclearClass(claim.others, input.gatewayClasses, classNames)
      : notRendered(options.gateway, claim, classes)),
    ...nameCollisions(live),
  ];
  for (const gateway of asked) {
    const key = gatewayKey(gateway.object);
    const gatewayClass = classes.get(gateway.object.spec.gatewayClassName);
    const result = renderGateway(gateway, {
      ...(gatewayClass === undefined ? {} : { gatewayClass }),
      listenerSets: listenerSets.get(key) ?? [],
      namespaces,
      parameters,
      image,
      scope,
    });
    objects.set(key, result.objects);
    for (const [index, object] of result.objects.entries()) {
      const layers = result.layered[index];
      if (layers !== undefined) layered.set(object, layers);
    }
    retain.push(...result.retain);
    if (result.retainShared) retainSubjects.push(subjectFor(gateway.object));
    const foreign = result.objects.filter((object) => {
      const there = existing.get(objectKey(object)) ?? [];
      return there.some((entry) => ownershipOf(entry.object, gateway.object) === 'foreign');
    });
    diagnostics.push(...result.diagnostics, ...foreign.map((object) => conflict(gateway, object)));
    // A foreign ServiceAccount that happens to have the name must never gain rights.
    const foreignAccount = foreign.some(({ kind }) => kind === 'ServiceAccount');
    if (result.shared && !foreignAccount) subjects.push(subjectFor(gateway.object));
  }
  const others = claim.others.map(({ object }) => object);
  return {
    objects,
    subjects: sortSubjects(subjects),
    retain,
    retainSubjects: sortSubjects(retainSubjects),
    others,
    diagnostics: withoutCopies([...diagnostics, ...unreferenced(input.dataPlanes ?? [], diagnostics)]),
    provenanceOf: (object, path) => layered.get(object)?.provenanceOf(path),
  };
}

// What is wrong with a class's parameters is found for each of its Gateways.
function withoutCopies(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((each) => [JSON.stringify(each), each])).values()];
}

/** What is wrong with DataPlanes that no Gateway uses: they are gari's all the same. */
function unreferenced(
  dataPlanes: readonly Sourced<ParametersObject>[],
  told: readonly Diagnostic[],
): readonly Diagnostic[] {
  const known = new Set(
    told.flatMap(({ object }) => (object === undefined ? [] : [formatReference(object)])),
  );
  return dataPlanes
    .filter((entry) => !known.has(formatReference(subjectOf(entry).object)))
    .flatMap((entry) =>
      entry.object.problems.map(({ path, reason, message }) =>
        diagnose('error', reason, subjectOf(entry), path, message),
      ),
    );
}

function notRendered(
  key: string,
  { ours, others }: Claim,
  classes: ReadonlyMap<string, Sourced<GatewayClass>>,
): readonly Diagnostic[] {
  const isAsked = ({ object }: Sourced<Gateway>): boolean => gatewayKey(object) === key;
  const asked = ours.find(isAsked);
  if (asked !== undefined) {
    if (asked.object.metadata.deletionTimestamp === undefined) return [];
    const message = 'is set: nothing is rendered for a Gateway that is being deleted';
    return [diagnose('error', 'BeingDeleted', subjectOf(asked), ['metadata', 'deletionTimestamp'], message)];
  }
  const other = others.find(isAsked);
  if (other !== undefined) {
    const name = other.object.spec.gatewayClassName;
    const gatewayClass = classes.get(name);
    const message =
      gatewayClass === undefined
        ? `is ${name}, which is not known to be a class of gari's; name it with --class-name if it is`
        : `is ${name}, a class of ${gatewayClass.object.spec.controllerName} and not of gari's`;
    return [diagnose('error', 'ForeignClass', subjectOf(other), ['spec', 'gatewayClassName'], message)];
  }
  return [
    { severity: 'error', reason: 'NotFound', message: `--gateway ${key}: the input holds no such Gateway` },
  ];
}

function nameCollisions(gateways: readonly Sourced<Gateway>[]): readonly Diagnostic[] {
  // Two copies of one Gateway are another mistake, which the reader of the input names.
  const unique = [...new Map(gateways.map((gateway) => [gatewayKey(gateway.object), gateway])).values()];
  const byName = groupBy(unique, ({ object: { metadata } }) =>
    JSON.stringify([metadata.namespace, renderedName(metadata.name)]),
  );
  return [...byName.values()]
    .filter((group) => group.length > 1)
    .flatMap((group) =>
      group.map((gateway) => {
        const others = group.filter((other) => other !== gateway).map(({ object }) => gatewayKey(object));
        const name = renderedName(gateway.object.metadata.name);
        const message = `gives its objects the name ${name}, and so does Gateway ${others.join(', ')}: rename one`;
        return diagnose('error', 'NameCollision', subjectOf(gateway), ['metadata', 'name'], message);
      }),
    );
}

function conflict(gateway: Sourced<Gateway>, object: RenderedObject): Diagnostic {
  const reference = formatReference({
    kind: object.kind,
    namespace: gateway.object.metadata.namespace,
    name: object.metadata.name,
  });
  const message = `cannot have its ${reference}: one is there that is not gari's (ResourceConflict); rename or remove it`;
  return diagnose('error', 'ResourceConflict', subjectOf(gateway), undefined, message);
}

function subjectFor({ metadata }: Gateway): DataPlaneSubject {
  return { kind: 'ServiceAccount', name: renderedName(metadata.name), namespace: metadata.namespace };
}

function objectKey({ kind, metadata: { name, namespace } }: ExistingObject | RenderedObject): string {
  return JSON.stringify([kind, namespace, name]);
}

function compareKeys({ metadata: a }: Gateway, { metadata: b }: Gateway): number {
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
}
