// The schemas of layers against the judge: the API server's own, which say how server-side apply merges.
import { expect, it } from 'vitest';
import { describeCluster, sharedCluster } from '../test/cluster/vitest.ts';
import { type LayeredKind, MERGE_SCHEMAS, type MergeSchema } from './merge-schema.ts';

interface OpenApi {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, OpenApi>>;
  readonly items?: OpenApi;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
}

const DEFINITIONS: Readonly<Record<LayeredKind, string>> = {
  ServiceAccount: 'io.k8s.api.core.v1.ServiceAccount',
  RoleBinding: 'io.k8s.api.rbac.v1.RoleBinding',
  Deployment: 'io.k8s.api.apps.v1.Deployment',
  Service: 'io.k8s.api.core.v1.Service',
};

// No parameters may set them, and `ephemeralContainers` is of live pods only.
const NOT_LAYERED = /(^|\.)(status|ephemeralContainers|finalizers|ownerReferences|managedFields)$/;
// References of which people write the name alone: it is all the same whether an item merges or is replaced.
const ITEMS_OF_ONE_FIELD = /\.(imagePullSecrets|secrets)\[\]$/;

/** Where the two say different things, in words. */
function differences(
  definitions: Readonly<Record<string, OpenApi>>,
  schema: OpenApi,
  ours: MergeSchema,
  path: string,
  seen: readonly string[] = [],
): string[] {
  const name = schema.$ref?.replace('#/definitions/', '');
  if (NOT_LAYERED.test(path) || (name !== undefined && seen.includes(name))) return [];
  const type = name === undefined ? schema : definitions[name]!;
  const visited = name === undefined ? seen : [...seen, name];
  const below = (place: string, of: OpenApi) =>
    Object.entries(of.properties ?? {}).flatMap(([field, child]) =>
      differences(definitions, child, ours.fields?.[field] ?? {}, `${place}.${field}`, visited),
    );
  if (type.items !== undefined) {
    const isMap = schema['x-kubernetes-list-type'] === 'map';
    const keys = isMap ? (schema['x-kubernetes-list-map-keys'] ?? []) : undefined;
    if (JSON.stringify(keys?.toSorted()) !== JSON.stringify(ours.keys?.toSorted())) {
      return [`${path}: list by ${keys ?? 'nothing'}, not by ${ours.keys ?? 'nothing'}`];
    }
    if (keys === undefined) return [];
    const item = definitions[type.items.$ref?.replace('#/definitions/', '') ?? ''] ?? type.items;
    const atomic = item['x-kubernetes-map-type'] === 'atomic' && !ITEMS_OF_ONE_FIELD.test(`${path}[]`);
    return [...(atomic ? [`${path}[]: items are atomic`] : []), ...below(`${path}[]`, item)];
  }
  const fields = Object.keys(type.properties ?? {}).length;
  const atomic = [schema, type].some((each) => each['x-kubernetes-map-type'] === 'atomic');
  // With one field it is all the same.
  if (atomic && ours.atomic !== true && fields !== 1) return [`${path}: atomic`];
  if (!atomic && ours.atomic === true) return [`${path}: not atomic`];
  return atomic ? [] : below(path, type);
}

describeCluster('the API server', [], () => {
  it('merges every field of each kind as the layers do', async () => {
    const { client } = sharedCluster();
    const { definitions } = await client.get<{ definitions: Record<string, OpenApi> }>('/openapi/v2');
    const kinds = Object.entries(DEFINITIONS) as [LayeredKind, string][];
    expect(
      kinds.flatMap(([kind, name]) =>
        differences(definitions, { $ref: `#/definitions/${name}` }, MERGE_SCHEMAS[kind], kind),
      ),
    ).toEqual([]);
  });
});
