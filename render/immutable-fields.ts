import { isJsonList, isJsonObject, type Json, type JsonObject, type Path } from './json.ts';
import { normalize } from './normalize.ts';

/** A field that an object would have to change and that the API server never lets change. */
export interface ImmutableChange {
  readonly path: Path;
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

// k8s.io/kubernetes v1.36.3 pkg/apis/apps/validation, pkg/apis/core/validation (ValidateServiceUpdate),
// pkg/registry/core/service/storage and pkg/apis/rbac/validation.
const FIELDS: Readonly<Record<string, readonly Path[]>> = {
  Deployment: [['spec', 'selector']],
  Service: [
    ['spec', 'loadBalancerClass'],
    ['spec', 'clusterIP'],
    ['spec', 'clusterIPs', 0],
    ['spec', 'ipFamilies', 0],
    ['spec', 'healthCheckNodePort'],
  ],
  RoleBinding: [['roleRef']],
  ClusterRoleBinding: [['roleRef']],
};

/** The immutable fields that applying `desired` over `live` would change, so that the server would refuse it. */
export function immutableChanges(
  live: JsonObject,
  desired: JsonObject,
  manager: string,
): readonly ImmutableChange[] {
  return (FIELDS[String(desired.kind)] ?? []).flatMap((path) => {
    const from = valueAt(live, path);
    const wanted = valueAt(desired, path);
    // A field that we do not say stays, unless it is there because we said it.
    const to = wanted === undefined && !owns(live, manager, path) ? from : wanted;
    return isSame(from, to) || !isFixed(path, live, desired, { from, to }) ? [] : [{ path, from, to }];
  });
}

function isFixed(
  [, field]: Path,
  live: JsonObject,
  desired: JsonObject,
  { from, to }: Pick<ImmutableChange, 'from' | 'to'>,
): boolean {
  const types = [live, desired].map((object) => valueAt(object, ['spec', 'type']));
  const isBalanced = types.every((type) => type === 'LoadBalancer');
  // Set for as long as the Service has a load balancer, and cleared with it.
  if (field === 'loadBalancerClass' || field === 'healthCheckNodePort') {
    return isBalanced && (field === 'loadBalancerClass' || (from !== undefined && to !== undefined));
  }
  // Left out, the server's own choice stays.
  return to !== undefined && (from !== undefined || field === 'selector');
}

function owns(live: JsonObject, manager: string, path: Path): boolean {
  const { metadata } = live;
  const entries = isJsonObject(metadata) && isJsonList(metadata.managedFields) ? metadata.managedFields : [];
  return entries
    .filter(isJsonObject)
    .filter((entry) => entry.manager === manager && entry.operation === 'Apply')
    .some(
      ({ fieldsV1 }) =>
        valueAt(
          fieldsV1,
          path.filter((step) => typeof step === 'string').map((step) => `f:${step}`),
        ) !== undefined,
    );
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (typeof step === 'number') return isJsonList(at) ? at[step] : undefined;
    return isJsonObject(at) ? at[step] : undefined;
  }, value);
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  const text = (value: Json | undefined) => JSON.stringify(value === undefined ? {} : normalize({ value }));
  return text(a) === text(b);
}
