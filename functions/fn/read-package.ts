import { type Diagnostic, diagnose, subjectOf } from '../../render/diagnostic.ts';
import { GATEWAY_API_GROUP, type GatewayClass } from '../../render/gateway-api.ts';
import { isJsonObject, type JsonObject } from '../../render/json.ts';
import type { RenderInput } from '../../render/render.ts';
import type { Sourced } from '../../render/source.ts';
import { judgePinned } from '../input/judge.ts';
import { readDocuments } from '../input/read-documents.ts';
import { annotationsOf, namesOf, placeOf, withoutWireAnnotations } from './annotations.ts';
import { isOwnConfig } from './function-config.ts';
import { withNamespace } from './own-output.ts';
import type { Item } from './resource-list.ts';

/** Reads the objects of a package that gari knows. */
export async function readPackage(
  items: readonly Item[],
  namespace: string,
): Promise<{ input: RenderInput; diagnostics: readonly Diagnostic[] }> {
  const objects = items.flatMap(({ object }) =>
    object === undefined || isOwnConfig(object) ? [] : [object],
  );
  const documents = objects.map((object) => ({
    object: withoutWireAnnotations(withNamespace(object, namespace)),
    source: { file: placeOf(object)?.path ?? '', lineOf: () => undefined },
  }));
  const { input, diagnostics } = await readDocuments(documents, { namespace, judge: judgePinned });
  const aliases = earlierClasses(input, objects);
  return {
    input: { ...input, gatewayClasses: [...input.gatewayClasses, ...aliases.classes] },
    diagnostics: [
      ...unreadable(items),
      ...diagnostics,
      ...withoutNamespace(objects, namespace),
      ...aliases.diagnostics,
    ],
  };
}

function unreadable(items: readonly Item[]): Diagnostic[] {
  return items.flatMap(({ object, text = '' }, index) =>
    object === undefined && text.includes(GATEWAY_API_GROUP)
      ? [
          {
            severity: 'error',
            reason: 'NotYaml',
            message: `item ${index} of the list cannot be read; has it a key twice?`,
          },
        ]
      : [],
  );
}

function withoutNamespace(objects: readonly JsonObject[], namespace: string): Diagnostic[] {
  return objects.flatMap((object) => {
    const { kind, apiVersion, metadata } = object;
    if (kind !== 'Gateway' || !String(apiVersion).startsWith(`${GATEWAY_API_GROUP}/`)) return [];
    if (!isJsonObject(metadata) || typeof metadata.name !== 'string' || metadata.namespace !== undefined)
      return [];
    const subject = { object: { kind, namespace, name: metadata.name } };
    const message = `is not set, so the Gateway is taken to be in ${namespace}; set it, or the function's namespace option`;
    return [diagnose('warning', 'NoNamespace', subject, ['metadata', 'namespace'], message)];
  });
}

/**
 * The classes of Gateways that still have the name of before a kustomize prefix: kustomize mends
 * references at the very end, and does not know this one.
 */
function earlierClasses(
  input: RenderInput,
  objects: readonly JsonObject[],
): { classes: Sourced<GatewayClass>[]; diagnostics: Diagnostic[] } {
  const present = new Map(input.gatewayClasses.map((entry) => [entry.object.metadata.name, entry]));
  const byEarlierName = new Map(
    objects
      .filter(({ kind }) => kind === 'GatewayClass')
      .flatMap((object) => namesOf(object).map((name) => [name, namesOf(object).at(-1)])),
  );
  const classes: Sourced<GatewayClass>[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const gateway of input.gateways) {
    const name = gateway.object.spec.gatewayClassName;
    if (present.has(name)) continue;
    const renamed = present.get(byEarlierName.get(name) ?? '');
    if (renamed === undefined) continue;
    const { metadata } = renamed.object;
    classes.push({ ...renamed, object: { ...renamed.object, metadata: { ...metadata, name } } });
    const message = `is ${name}, the name that GatewayClass ${metadata.name} had before kustomize changed it; put no prefix or suffix on the layer with the class`;
    diagnostics.push(
      diagnose('warning', 'RenamedClass', subjectOf(gateway), ['spec', 'gatewayClassName'], message),
    );
  }
  return { classes, diagnostics };
}

/** Whether a list shows a whole package, so that what has no Gateway in it has none at all. */
export function isWholeView(input: RenderInput, items: readonly Item[], controllerName: string): boolean {
  return (
    input.gateways.length > 0 ||
    input.gatewayClasses.some(({ object }) => object.spec.controllerName === controllerName) ||
    items.some(({ object }) => object !== undefined && (object.kind === 'Kptfile' || isOwnConfig(object)))
  );
}

/** Whether kustomize runs the function, not kpt. */
export function isKustomize(items: readonly Item[]): boolean {
  return items.some(
    ({ object }) => object !== undefined && 'kustomize.config.k8s.io/id' in annotationsOf(object),
  );
}
