import type { Gateway } from '../gateway-api.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../json.ts';

/**
 * A pod template's Deployment with `$(GATEWAY_NAME)`, `$(GATEWAY_NAMESPACE)` and `$(GATEWAY_CLASS_NAME)`
 * replaced in the commands, arguments and environment of its containers. All else is the kubelet's: names
 * that the container's own environment declares, unknown ones, and `$$(`.
 */
export function withSubstitutions(deployment: JsonObject, { metadata, spec }: Gateway): JsonObject {
  const values = new Map([
    ['GATEWAY_NAME', metadata.name],
    ['GATEWAY_NAMESPACE', metadata.namespace],
    ['GATEWAY_CLASS_NAME', spec.gatewayClassName],
  ]);
  const inContainer = (container: Json): Json => {
    if (!isJsonObject(container)) return container;
    const env = isJsonList(container.env) ? container.env.filter(isJsonObject) : [];
    const declared = new Set(env.map(({ name }) => name));
    const replace = (value: Json): Json =>
      typeof value === 'string'
        ? substitute(value, (name) => (declared.has(name) ? undefined : values.get(name)))
        : value;
    return change(change(change(container, 'command', each(replace)), 'args', each(replace)), 'env', (list) =>
      each((item) => (isJsonObject(item) ? change(item, 'value', replace) : item))(list),
    );
  };
  const inPod = (pod: JsonObject) =>
    change(change(pod, 'initContainers', each(inContainer)), 'containers', each(inContainer));
  return changeAt(deployment, ['spec', 'template', 'spec'], inPod);
}

/** A text with the kubelet's syntax (third_party/forked/golang/expansion), of which only known names are replaced. */
function substitute(text: string, replacementFor: (name: string) => string | undefined): string {
  return text.replaceAll(/\$\$|\$\(([^)]*)\)/g, (whole, name?: string) =>
    name === undefined ? whole : (replacementFor(name) ?? whole),
  );
}

function each(replace: (item: Json) => Json): (value: Json) => Json {
  return (value) => (isJsonList(value) ? value.map(replace) : value);
}

function change(object: JsonObject, key: string, replace: (value: Json) => Json): JsonObject {
  const value = object[key];
  return value === undefined ? object : { ...object, [key]: replace(value) };
}

function changeAt(
  object: JsonObject,
  [step = '', ...rest]: readonly string[],
  replace: (value: JsonObject) => JsonObject,
): JsonObject {
  return change(object, step, (value) => {
    if (!isJsonObject(value)) return value;
    return rest.length === 0 ? replace(value) : changeAt(value, rest, replace);
  });
}
