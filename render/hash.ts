import objectHash from 'object-hash';
import type { JsonObject } from './json.ts';

/**
 * A short hash of a rendered PodTemplateSpec with its metadata: it changes if and only if the pods
 * will be replaced. Hash the rendered template, never a live one, which has the server's defaults.
 */
export function podTemplateHash(template: JsonObject): string {
  return objectHash(template, { algorithm: 'sha256', encoding: 'hex', respectType: false }).slice(0, 16);
}
