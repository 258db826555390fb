import { isJsonObject, type JsonObject } from '../../render/json.ts';
import { GATEWAY_ANNOTATION, GATEWAY_NAME_LABEL, MANAGED_BY_LABEL } from '../../render/metadata.ts';
import { labelValue, renderedName } from '../../render/names.ts';
import { annotationsOf, namesOf, namespacesOf } from './annotations.ts';

const KINDS = new Set([
  'v1 ServiceAccount',
  'rbac.authorization.k8s.io/v1 RoleBinding',
  'apps/v1 Deployment',
  'v1 Service',
]);

/**
 * The Gateway (`<namespace>/<name>`) that gari rendered an object for; undefined for an object of
 * somebody else. It is told as DESIGN's ownership rule does, and by the names that the object had
 * before kustomize changed them, so that a base's output is known again in an overlay.
 */
export function renderedFor(object: JsonObject): string | undefined {
  const { kind, apiVersion, metadata } = object;
  if (!KINDS.has(`${String(apiVersion)} ${String(kind)}`) || !isJsonObject(metadata)) return undefined;
  const label = isJsonObject(metadata.labels) ? metadata.labels[GATEWAY_NAME_LABEL] : undefined;
  if (!isJsonObject(metadata.labels) || typeof label !== 'string') return undefined;
  const annotation = annotationsOf(object)[GATEWAY_ANNOTATION];
  const managed = metadata.labels[MANAGED_BY_LABEL] === 'gari';
  if (annotation === undefined && !managed) return undefined;
  const [namespace = '', gateway = ''] = annotation?.split('/') ?? [namespacesOf(object)[0], label];
  const isOurs =
    labelValue(gateway) === label &&
    namespacesOf(object).includes(namespace) &&
    namesOf(object).includes(renderedName(gateway));
  return isOurs ? `${namespace}/${gateway}` : undefined;
}

/**
 * An object of a kind that gari renders, with the namespace that it has where it stands without one: that
 * of the Gateway it was rendered for, else the one of Gateways without a namespace.
 */
export function withNamespace(object: JsonObject, fallback: string): JsonObject {
  const { kind, apiVersion, metadata } = object;
  if (!KINDS.has(`${String(apiVersion)} ${String(kind)}`) || !isJsonObject(metadata)) return object;
  const { namespace } = metadata;
  if (namespace !== undefined && namespace !== null && namespace !== '') return object;
  const [ofGateway] = annotationsOf(object)[GATEWAY_ANNOTATION]?.split('/') ?? [];
  const there = { ...object, metadata: { ...metadata, namespace: ofGateway ?? fallback } };
  return renderedFor(there) === undefined
    ? { ...object, metadata: { ...metadata, namespace: fallback } }
    : there;
}
