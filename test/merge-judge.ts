// Server-side apply as the judge of merging: two managers apply two bodies, and what they own is the merge.
import { isDeepStrictEqual } from 'node:util';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../render/json.ts';
import { normalize } from '../render/normalize.ts';
import type { Client, KubeObject } from './cluster/client.ts';
import { ownedPart } from './owned-part.ts';

/** One kind before the judge. */
export interface MergeJudge {
  /**
   * A body without what the API server finds wrong with it; undefined if it would not keep it as it is, such as
   * fields of features that are off.
   */
  acceptable(body: JsonObject): Promise<JsonObject | undefined>;
  /** Applies a body, and whatever the kind cannot be without, as the lower layer, for as long as `during` lasts. */
  withLower<T>(body: JsonObject, during: (lower: JsonObject) => Promise<T>): Promise<T>;
  /** What the managers of both layers own once a body is applied as the upper one; undefined if it is refused. */
  afterUpper(body: JsonObject): Promise<JsonObject | undefined>;
  /** What the lower layer's manager owns once it applies this in place of what it has; undefined if it is refused. */
  afterLower(body: JsonObject): Promise<JsonObject | undefined>;
}

const NAMES = ['a', 'b', 'c'];
const LOWER = 'lower';
const UPPER = 'upper';

interface Answer extends KubeObject {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field: string }[] };
  readonly metadata: KubeObject['metadata'] & {
    readonly managedFields?: readonly { readonly manager: string; readonly fieldsV1: JsonObject }[];
  };
}

/** A judge for one kind, with an object of this name; it needs a cluster without controllers, so that nobody else writes. */
export function mergeJudge(client: Client, apiVersion: string, kind: string, name: string): MergeJudge {
  const named = ({ metadata, ...body }: JsonObject): JsonObject => ({
    ...body,
    ...{ apiVersion, kind, metadata: { ...(isJsonObject(metadata) ? metadata : {}), name } },
  });
  const patch = async (body: JsonObject, fieldManager: string, dryRun?: 'All') =>
    client.request<Answer>('PATCH', await client.pathOf(named(body)), {
      query: { fieldManager, force: true, dryRun },
      contentType: 'application/apply-patch+yaml',
      body: named(body),
    });
  const ownedAfter = async (body: JsonObject, manager: string, managers: readonly string[]) => {
    const { status, body: answer } = await patch(body, manager, 'All');
    if (status === 422) return undefined;
    if (status !== 200) throw new Error(`${status} ${answer.message}: ${JSON.stringify(body)}`);
    return ownedBy(answer, managers);
  };
  return {
    async acceptable(body) {
      let left = normalize(body);
      for (;;) {
        const { status, body: answer } = await patch(complete(kind, left), LOWER, 'All');
        if (status === 201) {
          const kept = normalize(ownedBy(answer, [LOWER]));
          return isDeepStrictEqual(kept, normalize(complete(kind, left))) ? left : undefined;
        }
        const field = answer.details?.causes?.[0]?.field;
        const less = field === undefined ? undefined : withoutField(left, field);
        if (status !== 422 || less === undefined)
          throw new Error(`${status} ${answer.message}: ${JSON.stringify(left)}`);
        left = normalize(less);
      }
    },
    async withLower(body, during) {
      const lower = complete(kind, body);
      const path = await client.pathOf(named(lower));
      const { status, body: answer } = await patch(lower, LOWER);
      if (status !== 201) throw new Error(`${status} ${answer.message}`);
      try {
        return await during(lower);
      } finally {
        await client.delete(path);
      }
    },
    afterUpper: (body) => ownedAfter(body, UPPER, [LOWER, UPPER]),
    afterLower: (body) => ownedAfter(body, LOWER, [LOWER]),
  };
}

function ownedBy(answer: Answer, managers: readonly string[]): JsonObject {
  const entries = (answer.metadata.managedFields ?? []).filter(({ manager }) => managers.includes(manager));
  return ownedPart(
    answer as unknown as JsonObject,
    entries.map(({ fieldsV1 }) => fieldsV1),
  );
}

/** A body with what its kind cannot be without; what is added moves no item of a list. */
function complete(kind: string, body: JsonObject): JsonObject {
  const spec = isJsonObject(body.spec) ? body.spec : {};
  if (kind === 'Service') {
    const needed = { type: 'LoadBalancer', ports: [{ name: 'x', port: 9, protocol: 'TCP' }] };
    return { ...body, spec: { ...needed, ...spec } };
  }
  if (kind !== 'Deployment') return body;
  const template = isJsonObject(spec.template) ? spec.template : {};
  const metadata = isJsonObject(template.metadata) ? template.metadata : {};
  const labels = { ...(isJsonObject(metadata.labels) ? metadata.labels : {}), app: 'sample' };
  const pod = {
    containers: [{ name: 'a', image: 'x:1' }],
    // For what is mounted and claimed.
    volumes: NAMES.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    resourceClaims: NAMES.map((name) => ({ name, resourceClaimName: name })),
    ...(isJsonObject(template.spec) ? template.spec : {}),
  };
  return {
    ...body,
    spec: {
      ...spec,
      selector: { matchLabels: { app: 'sample' } },
      template: { ...template, metadata: { ...metadata, labels }, spec: pod },
    },
  };
}

/** A body without the field that the server blames, or what is there of the way to it; undefined at the root. */
function withoutField(body: JsonObject, field: string): JsonObject | undefined {
  const steps = [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, key, name]) => key ?? name ?? '');
  return cut(body, steps) as JsonObject | undefined;
}

function cut(value: Json, [step, ...rest]: readonly string[]): Json | undefined {
  if (step === undefined) return undefined;
  if (isJsonList(value)) {
    const index = Number(step);
    const item = value[index];
    if (item === undefined) return undefined;
    const changed = cut(item, rest);
    return changed === undefined ? value.toSpliced(index, 1) : value.toSpliced(index, 1, changed);
  }
  if (!isJsonObject(value)) return undefined;
  const { [step]: below, ...others } = value;
  if (below === undefined) return undefined;
  const changed = cut(below, rest);
  return changed === undefined ? others : { ...value, [step]: changed };
}
