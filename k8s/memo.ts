import { createHash } from 'node:crypto';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../render/json.ts';
import { canonical } from './canonical.ts';
import { FIELD_MANAGER } from './field-manager.ts';
import type { LiveObject } from './live-object.ts';

interface Remembered {
  readonly desired: string;
  readonly own: string;
}

/**
 * What was applied last to each object, by uid. As long as that is still wanted, and the server's
 * record of our fields is the same, an apply would change nothing, and no request is due: status,
 * scaling and others' fields do not touch that record; any change of a field of ours does.
 */
export class ApplyMemo {
  readonly #byUid = new Map<string, Remembered>();

  /** Whether applying `desired` to what is live would change nothing. */
  isCurrent(live: LiveObject, desired: JsonObject): boolean {
    const remembered = this.#byUid.get(live.metadata.uid);
    return (
      remembered !== undefined && remembered.desired === digest(desired) && remembered.own === ownFields(live)
    );
  }

  /** Remembers what the server answered to an apply; never what a cache says, which may be old. */
  remember(answer: LiveObject, desired: JsonObject): void {
    this.#byUid.set(answer.metadata.uid, { desired: digest(desired), own: ownFields(answer) });
  }

  /** Forgets an object that is gone. */
  forget(uid: string): void {
    this.#byUid.delete(uid);
  }
}

/** The fields that the server has on record as ours. */
function ownFields({ metadata }: LiveObject): string {
  const entries: Json = (metadata as { managedFields?: Json }).managedFields ?? [];
  if (!isJsonList(entries)) return '';
  const own = entries.filter(isJsonObject).find(({ manager, operation, subresource }) => {
    return manager === FIELD_MANAGER && operation === 'Apply' && subresource === undefined;
  });
  return canonical(own?.fieldsV1 ?? {});
}

function digest(desired: JsonObject): string {
  return createHash('sha256').update(canonical(desired)).digest('hex');
}
