import { isJsonObject, type JsonObject } from '../../render/json.ts';

// What orchestrators write on items for themselves (kyaml's kioutil and kustomize's resource):
// on the wire only, never in a file.
const WIRE_PREFIXES = ['internal.config.kubernetes.io/', 'config.k8s.io/', 'kustomize.config.k8s.io/'];
const WIRE_KEYS = new Set(['config.kubernetes.io/path', 'config.kubernetes.io/index']);

/** The annotations of an object; none where it has no map of them. */
export function annotationsOf(object: JsonObject): Readonly<Record<string, string>> {
  const annotations = isJsonObject(object.metadata) ? object.metadata.annotations : undefined;
  if (!isJsonObject(annotations)) return {};
  // Numbers come from files that leave out the quotes around an index.
  return Object.fromEntries(Object.entries(annotations).map(([key, value]) => [key, String(value)]));
}

/** Whether an annotation is the orchestrator's own. */
function isWireAnnotation(key: string): boolean {
  return WIRE_KEYS.has(key) || WIRE_PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** The annotations that an orchestrator put on an object. */
export function wireAnnotationsOf(object: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(annotationsOf(object)).filter(([key]) => isWireAnnotation(key)));
}

/** Where an item stands: its file, the place in it, and the package that it is in. */
export interface FilePlace {
  readonly path: string;
  readonly index: number;
  readonly package?: string;
}

/** Where an item stands; undefined where the orchestrator does not say, as in kustomize. */
export function placeOf(object: JsonObject): FilePlace | undefined {
  const annotations = annotationsOf(object);
  const path = annotations['internal.config.kubernetes.io/path'] ?? annotations['config.kubernetes.io/path'];
  if (path === undefined) return undefined;
  const index =
    annotations['internal.config.kubernetes.io/index'] ?? annotations['config.kubernetes.io/index'];
  const packagePath = annotations['internal.config.kubernetes.io/package-path'];
  return { path, index: Number(index ?? 0), ...(packagePath === undefined ? {} : { package: packagePath }) };
}

/** The annotations that put a new item in a place. */
export function placeAnnotations(place: FilePlace): Readonly<Record<string, string>> {
  return {
    'internal.config.kubernetes.io/path': place.path,
    'internal.config.kubernetes.io/index': String(place.index),
    ...(place.package === undefined ? {} : { 'internal.config.kubernetes.io/package-path': place.package }),
  };
}

/** The names that an object had before kustomize changed them, the present one last. */
export function namesOf(object: JsonObject): readonly string[] {
  return earlier(object, 'previousNames', 'name');
}

/** The namespaces that an object had before kustomize changed them, the present one last. */
export function namespacesOf(object: JsonObject): readonly string[] {
  return earlier(object, 'previousNamespaces', 'namespace');
}

function earlier(object: JsonObject, annotation: string, field: 'name' | 'namespace'): readonly string[] {
  const previous = annotationsOf(object)[`internal.config.kubernetes.io/${annotation}`];
  const present = isJsonObject(object.metadata) ? object.metadata[field] : undefined;
  return [...(previous?.split(',') ?? []), ...(typeof present === 'string' ? [present] : [])];
}

/** An object without the annotations of the orchestrator. */
export function withoutWireAnnotations(object: JsonObject): JsonObject {
  if (!isJsonObject(object.metadata) || !isJsonObject(object.metadata.annotations)) return object;
  const { annotations, ...metadata } = object.metadata;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !isWireAnnotation(key));
  if (kept.length === 0) return { ...object, metadata };
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(kept) } };
}
