import type { ObjectMeta } from '../render/gateway-api.ts';
import { isJsonObject, type Json, type JsonObject } from '../render/json.ts';
import type { RoleSubject } from '../render/objects.ts';
import { canonical } from './canonical.ts';
import { type ClusterObject, pathOf } from './resources.ts';
import { StatusError } from './status-error.ts';
import type { Transport } from './transport.ts';

/** An object as the API server returns it. */
export interface LiveObject {
  readonly kind: string;
  readonly metadata: ObjectMeta & { readonly uid: string; readonly resourceVersion: string };
  readonly subjects?: readonly RoleSubject[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly status?: LiveStatus;
}

/** What is read of a status. */
export interface LiveStatus {
  readonly observedGeneration?: number;
  readonly availableReplicas?: number;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly loadBalancer?: {
    readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
  };
}

/**
 * Reads an object; undefined if there is none.
 * @throws {StatusError} for any other answer.
 */
export async function getObject(
  transport: Transport,
  object: ClusterObject,
  signal?: AbortSignal,
): Promise<LiveObject | undefined> {
  try {
    // The server's own objects have this shape.
    return (await transport.request('GET', pathOf(object), { signal })) as LiveObject;
  } catch (error) {
    if (error instanceof StatusError && error.code === 404 && error.reason === 'NotFound') return undefined;
    throw error;
  }
}

/**
 * An object as text, without what changes although nobody changed it, and without its type, which items
 * of a list do not have.
 */
export function contentOf(object: unknown): string {
  if (!isJsonObject(object)) return '';
  const { apiVersion: _v, kind: _k, status: _s, metadata, ...rest } = object;
  const {
    managedFields: __,
    resourceVersion: ___,
    generation: ____,
    annotations,
    ...meta
  } = isJsonObject(metadata) ? metadata : {};
  return canonical({ ...rest, metadata: { ...meta, annotations: withoutControllers(annotations) } });
}

// The Deployment controller writes the revision whenever it gets round to it.
function withoutControllers(annotations: Json | undefined): JsonObject {
  const entries = Object.entries(isJsonObject(annotations) ? annotations : {});
  return Object.fromEntries(entries.filter(([key]) => !key.startsWith('deployment.kubernetes.io/')));
}
