import type { Gateway } from '../render/gateway-api.ts';
import type { JsonObject } from '../render/json.ts';
import { isJsonObject } from '../render/json.ts';
import type { WriteOptions } from './apply-object.ts';
import type { Change } from './change-set.ts';
import { failure } from './failure.ts';
import { applyBody } from './json-body.ts';
import { contentOf, getObject, type LiveObject } from './live-object.ts';
import { type ClusterObject, pathOf } from './resources.ts';
import { StatusError } from './status-error.ts';
import type { Transport } from './transport.ts';

/** What became of a Gateway, and its uid; in a dry run one that it would not keep. */
export interface WrittenGateway {
  readonly change: Change;
  readonly uid?: string;
}

/**
 * Applies a Gateway as its user wrote it: the fields that the user wrote, and no defaults. Not with
 * force, as a Gateway is the user's and not gari's: what somebody else set is a conflict.
 */
export async function applyWrittenGateway(
  transport: Transport,
  { metadata: { namespace, name } }: Gateway,
  written: JsonObject,
  { dryRun, signal }: WriteOptions,
): Promise<WrittenGateway> {
  const object: ClusterObject = { kind: 'Gateway', namespace, name };
  const metadata = isJsonObject(written.metadata) ? written.metadata : {};
  const {
    managedFields: _m,
    resourceVersion: _r,
    uid: _u,
    creationTimestamp: _c,
    generation: _g,
    ...kept
  } = metadata;
  const { status: _s, ...rest } = written;
  try {
    const live = await getObject(transport, object, signal);
    const answer = (await transport.request('PATCH', pathOf(object), {
      signal,
      query: { fieldManager: 'gari-gateways', ...(dryRun ? { dryRun: 'All' } : {}) },
      contentType: 'application/apply-patch+yaml',
      body: applyBody({
        ...rest,
        apiVersion: 'gateway.networking.k8s.io/v1',
        metadata: { ...kept, namespace },
      }),
    })) as LiveObject;
    const { uid } = answer.metadata;
    if (live === undefined) return { change: { object, action: 'created' }, uid };
    const action = contentOf(live) === contentOf(answer) ? 'unchanged' : 'configured';
    return { change: { object, action }, uid };
  } catch (error) {
    if (error instanceof StatusError && error.code === 409) {
      const message = error.causes.map((cause) => `${cause.field ?? ''} ${cause.message ?? ''}`).join('; ');
      return { change: { object, action: 'conflict', message: message || error.message } };
    }
    return { change: failure(object, error) };
  }
}
