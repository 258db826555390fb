import { DEFAULT_CONTROLLER_NAME } from '../../render/claim.ts';
import { DEFAULT_IMAGE } from '../../render/data-plane.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../render/json.ts';
import { DATA_PLANE_ROLE } from '../../render/subjects.ts';
import {
  BINDING_NAME,
  CLASS_NAME,
  CONTROLLER_NAME,
  follows,
  IMAGE,
  NAMESPACE,
  type TextRule,
} from '../option-values.ts';

/** The functionConfig's group and version. */
export const CONFIG_API_VERSION = 'fn.gari.dev/v1alpha1';
/** The functionConfig's kind. */
export const CONFIG_KIND = 'RenderGateways';

/** What the function is asked to do. */
export interface FunctionOptions {
  readonly classNames: readonly string[];
  readonly controllerName: string;
  readonly image: string;
  readonly namespace: string;
  readonly bindingName: string;
  readonly mode: 'Render' | 'Validate';
  readonly prune: 'Auto' | 'Never';
  readonly path: string;
}

/** One field of `spec`, for reading it and for its JSON Schema. */
export interface OptionField {
  readonly description: string;
  readonly default: string | readonly string[];
  readonly values?: readonly string[];
  /** What a value, or each of a list, must be. */
  readonly rule?: TextRule;
}

/** The fields of `spec`; a ConfigMap has the same keys as strings. */
export const OPTION_FIELDS: Readonly<Record<keyof FunctionOptions, OptionField>> = {
  classNames: {
    description: 'Classes that are ours by name, whoever their controller is not in the package.',
    default: [],
    rule: CLASS_NAME,
  },
  controllerName: {
    description: 'Our controllerName in GatewayClasses.',
    default: DEFAULT_CONTROLLER_NAME,
    rule: CONTROLLER_NAME,
  },
  image: { description: "The data plane's image.", default: DEFAULT_IMAGE, rule: IMAGE },
  namespace: {
    description: 'The namespace of Gateways that have none.',
    default: 'default',
    rule: NAMESPACE,
  },
  bindingName: {
    description: 'The shared ClusterRoleBinding.',
    default: DATA_PLANE_ROLE,
    rule: BINDING_NAME,
  },
  mode: {
    description: 'Render writes the objects; Validate fails where they are not what Render would write.',
    default: 'Render',
    values: ['Render', 'Validate'],
  },
  prune: {
    description:
      'Auto removes objects whose Gateway is gone, where the list shows a whole package; Never keeps them.',
    default: 'Auto',
    values: ['Auto', 'Never'],
  },
  path: {
    description:
      'The file of new objects: {dir} is the directory of the Gateway, {namespace} and {gateway} are its own, {name} is the name of its objects.',
    default: '{dir}/{namespace}_{name}.yaml',
    rule: {
      pattern: '^(?!/)(?!.*\\.\\.)[A-Za-z0-9{][-A-Za-z0-9._/{}]*\\.ya?ml$',
      words: 'a relative path without ".." that ends in .yaml',
    },
  },
};

/** The options, or all that is wrong with them, each with its field. */
export type ReadOptions =
  | { readonly options: FunctionOptions; readonly problems?: undefined }
  | {
      readonly options?: undefined;
      readonly problems: readonly { readonly field: string; readonly message: string }[];
    };

/** Reads a functionConfig: none, our own kind, or a ConfigMap with the same keys. */
export function readOptions(config: Json | undefined): ReadOptions {
  if (config === undefined) return readFields({}, 'spec');
  if (!isJsonObject(config)) return wrong('functionConfig', `must be a map of kind ${CONFIG_KIND}`);
  if (isPlaceholder(config)) return readFields({}, 'spec');
  const { apiVersion, kind, spec = {}, data = {} } = config;
  if (kind === 'ConfigMap' && apiVersion === 'v1') {
    return isJsonObject(data) ? readFields(splitLists(data), 'data') : wrong('data', 'must be a map');
  }
  if (kind !== CONFIG_KIND || apiVersion !== CONFIG_API_VERSION) {
    const found = `${String(kind)} of ${String(apiVersion)}`;
    return wrong('kind', `is ${found}; use ${CONFIG_KIND} of ${CONFIG_API_VERSION}, or a ConfigMap of v1`);
  }
  const strange = Object.keys(config).find(
    (key) => !['apiVersion', 'kind', 'metadata', 'spec', 'status'].includes(key),
  );
  if (strange !== undefined)
    return wrong(strange, `is no field of ${CONFIG_KIND}; its options stand in spec`);
  return isJsonObject(spec) ? readFields(spec, 'spec') : wrong('spec', 'must be a map');
}

/** Whether an object is a functionConfig of ours. */
export function isOwnConfig({ apiVersion, kind }: JsonObject): boolean {
  return kind === CONFIG_KIND && apiVersion === CONFIG_API_VERSION;
}

// What `kpt fn eval` sends where the user gives nothing.
function isPlaceholder({ kind, metadata, data = {} }: JsonObject): boolean {
  const named = isJsonObject(metadata) && metadata.name === 'function-input';
  return kind === 'ConfigMap' && named && isJsonObject(data) && Object.keys(data).length === 0;
}

function splitLists(data: JsonObject): JsonObject {
  const { classNames } = data;
  if (typeof classNames !== 'string') return data;
  const names = classNames.split(',').map((name) => name.trim());
  return { ...data, classNames: names.filter((name) => name !== '') };
}

function readFields(given: JsonObject, parent: string): ReadOptions {
  const problems = Object.entries(given).flatMap(([key, value]) =>
    problemsOf(key, value).map((message) => ({ field: `${parent}.${key}`, message })),
  );
  if (problems.length > 0) return { problems };
  const defaults = Object.fromEntries(
    Object.entries(OPTION_FIELDS).map(([key, field]) => [key, field.default]),
  );
  // Every field was just checked.
  return { options: { ...defaults, ...given } as unknown as FunctionOptions };
}

function problemsOf(key: string, value: Json): readonly string[] {
  if (!Object.hasOwn(OPTION_FIELDS, key))
    return [`is no option; there are ${Object.keys(OPTION_FIELDS).join(', ')}`];
  const { default: fallback, values, rule } = OPTION_FIELDS[key as keyof FunctionOptions];
  const isList = isJsonList(fallback);
  if (isList && !(isJsonList(value) && value.every(isName))) return ['must be a list of names'];
  if (!isList && !isName(value)) return ['must be a string that is not empty'];
  const words = rule?.words ?? values?.join(' or ');
  const isWrong = (text: string): boolean =>
    rule === undefined ? values?.includes(text) === false : !follows(text, rule);
  return [value]
    .flat()
    .filter(isName)
    .filter(isWrong)
    .map((text) => `must be ${words}, not ${text}`);
}

function isName(value: Json): value is string {
  return typeof value === 'string' && value !== '';
}

function wrong(field: string, message: string): ReadOptions {
  return { problems: [{ field, message }] };
}
