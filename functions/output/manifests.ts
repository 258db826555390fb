import { type Manifest, policyRule } from '../../k8s/install/manifest.ts';
import type { JsonObject } from '../../render/json.ts';
import { formatYaml } from '../yaml.ts';

/** Manifests as a stream of YAML documents, with what is to be known about them as comments. */
export function formatManifests(manifests: readonly Manifest[]): string {
  return manifests.map(formatManifest).join('---\n');
}

function formatManifest({ object, about = [], rules }: Manifest): string {
  const text = `${about.map(comment).join('')}${formatYaml(object)}`;
  if (rules === undefined) return text;
  const listed = rules.map((rule) => {
    const list: readonly JsonObject[] = [policyRule(rule)];
    // Lists are not indented, so a list of its own reads as one in the object does.
    return `${comment(sentence(rule.purpose))}${formatYaml(list)}`;
  });
  return `${text}rules:\n${listed.join('')}`;
}

function comment(line: string): string {
  return `# ${line}\n`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
