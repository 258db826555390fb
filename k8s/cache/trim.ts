import { isJsonObject } from '../../render/json.ts';
import type { StoredObject } from './store.ts';

// kubectl's copy of the whole object.
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** An object without the records of who has written it, which are half of its size. */
export function withoutFieldRecords(object: StoredObject): StoredObject {
  const { managedFields: _, ...metadata } = withoutCopy(object).metadata;
  return { ...object, metadata };
}

/** An object with the records of one field manager alone: they say whether an apply of its would change anything. */
export function withFieldRecordsOf(manager: string): (object: StoredObject) => StoredObject {
  return (object) => {
    const { managedFields = [], ...metadata } = withoutCopy(object).metadata;
    const own = managedFields.filter((entry) => isJsonObject(entry) && entry.manager === manager);
    return { ...object, metadata: { ...metadata, managedFields: own } };
  };
}

/** The object's metadata alone. */
export function metadataOnly(object: StoredObject): StoredObject {
  const { apiVersion, kind, metadata } = withoutFieldRecords(object);
  return { apiVersion, kind, metadata };
}

function withoutCopy(object: StoredObject): StoredObject {
  const { annotations } = object.metadata;
  if (annotations?.[LAST_APPLIED] === undefined) return object;
  const { [LAST_APPLIED]: _, ...rest } = annotations;
  return { ...object, metadata: { ...object.metadata, annotations: rest } };
}
