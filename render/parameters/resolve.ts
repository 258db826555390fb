import {
  type Diagnostic,
  diagnose,
  formatReference,
  type ObjectReference,
  subjectOf,
} from '../diagnostic.ts';
import type { Gateway, GatewayClass, ParametersReference } from '../gateway-api.ts';
import type { Path } from '../json.ts';
import type { Sourced } from '../source.ts';
import { DATA_PLANE } from './data-plane-schema.ts';
import {
  type ParameterLayer,
  type Parameters,
  type ParametersObject,
  parametersProblem,
} from './parameters.ts';
import { type Policy, policyViolations } from './policy.ts';

/** Where parameters are looked up, by {@link parametersKey}. */
export type ParametersIndex = ReadonlyMap<string, readonly Sourced<ParametersObject>[]>;

/** The parameters of one Gateway. */
export interface ResolvedParameters {
  readonly parameters: Parameters;
  readonly policy: Policy;
  /** Errors about them; then the Gateway's objects stay as they are. */
  readonly diagnostics: readonly Diagnostic[];
}

/** An object that a Gateway or its class refers to. */
export interface ParametersTarget {
  readonly kind: ParametersObject['kind'];
  readonly namespace: string;
  readonly name: string;
}

/** The key of parameters in an index. */
export function parametersKey({ kind, namespace, name }: ParametersTarget): string {
  return JSON.stringify([kind, namespace, name]);
}

/** What the class refers to; undefined where it refers to nothing that can be parameters. */
export function classTarget({ spec }: GatewayClass): ParametersTarget | undefined {
  const reference = spec.parametersRef;
  return reference?.namespace === undefined ? undefined : targetOf(reference, reference.namespace);
}

/** What the Gateway refers to, in its own namespace. */
export function gatewayTarget({ spec, metadata }: Gateway): ParametersTarget | undefined {
  const reference = spec.infrastructure?.parametersRef;
  return reference === undefined ? undefined : targetOf(reference, metadata.namespace);
}

function targetOf(
  { group, kind, name }: ParametersReference,
  namespace: string,
): ParametersTarget | undefined {
  if (group === DATA_PLANE.group && kind === DATA_PLANE.kind) return { kind, namespace, name };
  return group === '' && kind === 'ConfigMap' ? { kind, namespace, name } : undefined;
}

/** Follows the references of a Gateway and its class, and checks what the Gateway may set. */
export function resolveParameters(
  gateway: Sourced<Gateway>,
  gatewayClass: Sourced<GatewayClass> | undefined,
  index: ParametersIndex,
): ResolvedParameters {
  const ofClass = gatewayClass === undefined ? { diagnostics: [] } : classParameters(gatewayClass, index);
  const ofGateway = gatewayParameters(gateway, index);
  const spec = ofClass.found?.object.spec;
  const policy = spec?.policy ?? {};
  const diagnostics = [...ofClass.diagnostics, ...ofGateway.diagnostics];
  const own = ofGateway.found?.object.spec;
  const layers: ParameterLayer[] = [];
  if (ofClass.found !== undefined && spec !== undefined && gatewayClass !== undefined) {
    const place = placeOf(ofClass.found, subjectOf(gatewayClass).object);
    layers.push({ ...place, name: 'class', values: spec });
    if (spec.enforced !== undefined) {
      layers.push({ ...place, name: 'enforced', values: spec.enforced, path: [...place.path, 'enforced'] });
    }
  }
  if (ofGateway.found !== undefined && own !== undefined) {
    const layer: ParameterLayer = {
      ...placeOf(ofGateway.found, subjectOf(gateway).object),
      name: 'gateway',
      values: own,
    };
    // Where the class's parameters are wrong, nobody knows what it allows.
    if (ofClass.diagnostics.length === 0) {
      const name = gateway.object.spec.gatewayClassName;
      diagnostics.push(...policyViolations(layer, own, policy, name, gatewayClass !== undefined));
    }
    layers.push(layer);
  }
  const order = ['class', 'gateway', 'enforced'];
  return {
    parameters: layers.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)),
    policy,
    diagnostics,
  };
}

/** What is wrong with the parameters of a class, for all its Gateways. */
export function classProblems(
  gatewayClass: Sourced<GatewayClass>,
  index: ParametersIndex,
): readonly Diagnostic[] {
  return classParameters(gatewayClass, index).diagnostics;
}

interface Found {
  readonly found?: Sourced<ParametersObject>;
  readonly diagnostics: readonly Diagnostic[];
}

function classParameters(gatewayClass: Sourced<GatewayClass>, index: ParametersIndex): Found {
  const reference = gatewayClass.object.spec.parametersRef;
  if (reference === undefined) return { diagnostics: [] };
  const path = ['spec', 'parametersRef'];
  if (reference.namespace === undefined && targetOf(reference, '') !== undefined) {
    const message = `must be set: a ${reference.kind} lives in a namespace`;
    return { diagnostics: [wrong(gatewayClass, [...path, 'namespace'], message)] };
  }
  return follow(gatewayClass, path, reference, classTarget(gatewayClass.object), index);
}

function gatewayParameters(gateway: Sourced<Gateway>, index: ParametersIndex): Found {
  const reference = gateway.object.spec.infrastructure?.parametersRef;
  if (reference === undefined) return { diagnostics: [] };
  const path = ['spec', 'infrastructure', 'parametersRef'];
  return follow(gateway, path, reference, gatewayTarget(gateway.object), index);
}

function follow(
  owner: Sourced<Gateway | GatewayClass>,
  path: Path,
  { group, kind }: ParametersReference,
  target: ParametersTarget | undefined,
  index: ParametersIndex,
): Found {
  if (target === undefined) {
    const given = `${kind} of ${group === '' ? 'the core group' : `group ${group}`}`;
    const message = `must be a DataPlane of group ${DATA_PLANE.group}, or a ConfigMap of the core group (""), not a ${given}`;
    return { diagnostics: [wrong(owner, path, message)] };
  }
  const [found, ...more] = index.get(parametersKey(target)) ?? [];
  const name = formatReference(target);
  if (found === undefined) {
    const message = `names ${name}, which cannot be found and is needed to render; add it`;
    return { diagnostics: [wrong(owner, path, message)] };
  }
  if (more.length > 0) {
    return { diagnostics: [wrong(owner, path, `names ${name}, which is there twice; remove one`)] };
  }
  const place = placeOf(found, subjectOf(owner).object);
  const diagnostics = found.object.problems.map((problem) =>
    parametersProblem({ ...place, path: [] }, problem.path, problem.message),
  );
  return { found, diagnostics };
}

function wrong(owner: Sourced<Gateway | GatewayClass>, path: Path, message: string): Diagnostic {
  const subject = subjectOf(owner);
  return { ...diagnose('error', 'InvalidParameters', subject, path, message), parametersOf: subject.object };
}

function placeOf(
  { object, source }: Sourced<ParametersObject>,
  of: ObjectReference,
): Omit<ParameterLayer, 'name' | 'values'> {
  const { kind, metadata, specPath } = object;
  const from = { kind, namespace: metadata.namespace, name: metadata.name };
  return { from, path: specPath, of, ...(source === undefined ? {} : { source }) };
}
