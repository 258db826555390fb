import type { Gateway } from '../render/gateway-api.ts';
import { type ImmutableChange, immutableChanges } from '../render/immutable-fields.ts';
import { formatPath, type JsonObject } from '../render/json.ts';
import type { RenderedObject } from '../render/objects.ts';
import { FIELD_MANAGER } from './field-manager.ts';
import type { LiveObject } from './live-object.ts';
import { type ClusterObject, pathOf } from './resources.ts';
import type { Transport } from './transport.ts';

/** On a Gateway, `"true"` lets gari delete and create an object one of whose fields cannot be changed. */
const ALLOW_RECREATE_ANNOTATION = 'gari.dev/allow-recreate';

/** Why an object cannot be written as it is wanted, in words, and whether it may be made anew. */
export interface Obstacle {
  readonly message: string;
  readonly mayRecreate: boolean;
}

/** What the server would refuse, said before the write. */
export function immutableObstacle(
  live: LiveObject,
  wanted: RenderedObject,
  { metadata }: Gateway,
): Obstacle | undefined {
  const changes = immutableChanges(live as unknown as JsonObject, wanted, FIELD_MANAGER);
  if (changes.length === 0) return undefined;
  const what = changes.map(describe).join('; ');
  const mayRecreate = metadata.annotations?.[ALLOW_RECREATE_ANNOTATION] === 'true';
  return {
    message: mayRecreate
      ? `deleted and created anew, as ${what}`
      : `${what}; annotate the Gateway with ${ALLOW_RECREATE_ANNOTATION}: "true" to have it deleted and created anew`,
    mayRecreate,
  };
}

function describe({ path, from, to }: ImmutableChange): string {
  const value = (what: ImmutableChange['from']) => (what === undefined ? 'nothing' : JSON.stringify(what));
  return `${formatPath(path)} cannot be changed from ${value(from)} to ${value(to)}`;
}

/** Deletes an object as it was read, to be created anew. */
export async function deleteToRecreate(
  transport: Transport,
  object: ClusterObject,
  live: LiveObject,
): Promise<void> {
  const { uid, resourceVersion } = live.metadata;
  await transport.request('DELETE', pathOf(object), {
    body: JSON.stringify({ preconditions: { uid, resourceVersion }, propagationPolicy: 'Background' }),
  });
}
