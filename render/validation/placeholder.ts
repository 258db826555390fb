import { isJsonObject, type Json } from '../json.ts';

const KINDS: readonly (readonly [pattern: RegExp, tools: string])[] = [
  [/\$\{[^}]*\}/, '`flux build kustomization`, `envsubst` or your Terraform template'],
  [/\{\{.*?\}\}/, '`helm template` or the tool that this template is for'],
];
// Only where the value is refused anyway: a lone `$NAME` can be meant.
const BARE: readonly [pattern: RegExp, tools: string] = [/\$[A-Za-z_][A-Za-z0-9_]*/, '`envsubst`'];

/** A placeholder that a templating tool has left in a value. */
export interface Placeholder {
  readonly text: string;
  /** How it is resolved, in a sentence with the placeholder. */
  readonly message: string;
}

/** Finds a placeholder in a value; with `refused`, also the forms that can be meant as they are. */
export function findPlaceholder(value: Json | undefined, refused: boolean): Placeholder | undefined {
  const text = typeof value === 'string' ? value : templateKey(value);
  if (text === undefined) return undefined;
  for (const [pattern, tools] of refused ? [...KINDS, BARE] : KINDS) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) {
      return {
        text: found,
        message: `still holds the placeholder ${found}: resolve it first, with ${tools}`,
      };
    }
  }
  return undefined;
}

// Without quotes, YAML takes `{{ .Values.port }}` as a map whose only key is a map.
function templateKey(value: Json | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const [key, ...others] = Object.keys(value);
  const isTemplate = others.length === 0 && key !== undefined && /^\{.*\}$|^\[object Object\]$/.test(key);
  return isTemplate ? `{${key.startsWith('{') ? key : '{…}'}}` : undefined;
}
