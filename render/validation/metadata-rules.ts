import { isJsonObject, type Json, type JsonObject, type Path } from '../json.ts';
import { type Problem, problem, quote } from './problem.ts';

// k8s.io/apimachinery v0.36.3 pkg/api/validate/content. Lengths are bytes there; what is not ASCII
// fails the patterns anyway.
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const ANNOTATIONS_LIMIT = 256 * 1024;

/**
 * The server's rules for `metadata` (k8s.io/apimachinery v0.36.3 pkg/api/validation/objectmeta.go), for
 * an object from a file: it needs a name, and its namespace may be given by whoever applies it.
 */
export function checkMetadata(metadata: Json | undefined, namespaced: boolean): Problem[] {
  if (metadata !== undefined && !isJsonObject(metadata)) return [];
  const meta = metadata ?? {};
  return [
    ...checkNames(meta, namespaced),
    ...entries(meta, 'labels').flatMap(([key, value]) => [
      ...checkKey(['metadata', 'labels', key], key),
      ...checkLabelValue(['metadata', 'labels', key], value),
    ]),
    ...checkAnnotations(entries(meta, 'annotations')),
    ...checkOwners(items(meta, 'ownerReferences')),
    ...checkFinalizers(items(meta, 'finalizers')),
  ];
}

function checkNames(meta: JsonObject, namespaced: boolean): Problem[] {
  const problems: Problem[] = [];
  const { name, generateName, namespace } = meta;
  if (name === undefined || name === '') {
    const hint =
      generateName === undefined ? '' : ': generateName is for objects that are created anew each time';
    problems.push(problem(['metadata', 'name'], 'Required', `must be set${hint}`));
  } else if (typeof name === 'string' && !isName(name)) {
    problems.push(problem(['metadata', 'name'], 'Invalid', nameWords(name)));
  }
  if (typeof generateName === 'string' && generateName !== '') {
    // A hyphen at the end is no problem, as more follows (pkg/api/validation/generic.go, maskTrailingDash).
    const masked = generateName.length > 1 ? generateName.replace(/.-$/, 'a') : generateName;
    if (!isName(masked))
      problems.push(problem(['metadata', 'generateName'], 'Invalid', nameWords(generateName)));
  }
  if (namespaced && typeof namespace === 'string' && namespace !== '') {
    if (namespace.length > 63 || !DNS_LABEL.test(namespace)) {
      const must = 'must be at most 63 lower-case letters, digits and hyphens';
      problems.push(problem(['metadata', 'namespace'], 'Invalid', `${must}, not ${quote(namespace)}`));
    }
  }
  return problems;
}

function isName(name: string): boolean {
  return name.length <= 253 && DNS_SUBDOMAIN.test(name);
}

function nameWords(name: string): string {
  return name.length > 253
    ? `must have at most 253 characters, not ${name.length}`
    : `must be a DNS name in lower case such as my-name or example.com, not ${quote(name)}`;
}

function checkKey(path: Path, key: string): Problem[] {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  const prefixFits = parts.length === 1 || (parts.length === 2 && isName(parts[0] ?? ''));
  if (prefixFits && name.length <= 63 && QUALIFIED_NAME.test(name)) return [];
  const must = 'must have a key of the form name or example.com/name, the name with at most 63 characters';
  return [problem(path, 'Invalid', must)];
}

function checkLabelValue(path: Path, value: Json): Problem[] {
  if (typeof value !== 'string' || (value.length <= 63 && LABEL_VALUE.test(value))) return [];
  const must =
    'must be at most 63 letters, digits, hyphens, underscores and dots, with a letter or digit at both ends';
  return [problem(path, 'Invalid', `${must}, not ${quote(value)}`)];
}

function checkAnnotations(annotations: readonly [string, Json][]): Problem[] {
  // Of annotations, unlike labels, the prefix may have capitals.
  const keys = annotations.flatMap(([key]) => checkKey(['metadata', 'annotations', key], key.toLowerCase()));
  const bytes = annotations.flat().reduce((sum: number, text) => sum + Buffer.byteLength(String(text)), 0);
  if (bytes <= ANNOTATIONS_LIMIT) return keys;
  const size = `must have at most ${ANNOTATIONS_LIMIT} bytes in all, not ${bytes}`;
  return [...keys, problem(['metadata', 'annotations'], 'TooLong', size)];
}

function checkOwners(owners: readonly Json[]): Problem[] {
  const problems: Problem[] = [];
  let controllers = 0;
  owners.forEach((owner, index) => {
    if (!isJsonObject(owner)) return;
    const path = ['metadata', 'ownerReferences', index];
    for (const key of ['kind', 'name', 'uid']) {
      if ((owner[key] ?? '') === '') problems.push(problem([...path, key], 'Invalid', 'must not be empty'));
    }
    const apiVersion = owner.apiVersion ?? '';
    if (typeof apiVersion === 'string' && !/^([^/]*\/)?[^/]+$/.test(apiVersion)) {
      problems.push(problem([...path, 'apiVersion'], 'Invalid', 'must be a version such as apps/v1'));
    }
    if (apiVersion === 'v1' && owner.kind === 'Event') {
      problems.push(problem(path, 'Invalid', 'must not be an Event'));
    }
    controllers += owner.controller === true ? 1 : 0;
  });
  if (controllers > 1) {
    const must = 'must have at most one entry with controller: true';
    problems.push(problem(['metadata', 'ownerReferences'], 'Invalid', must));
  }
  return problems;
}

function checkFinalizers(finalizers: readonly Json[]): Problem[] {
  const problems = finalizers.flatMap((finalizer, index) =>
    typeof finalizer === 'string' && checkKey([], finalizer).length > 0
      ? [
          problem(
            ['metadata', 'finalizers', index],
            'Invalid',
            `must be of the form example.com/name, not ${quote(finalizer)}`,
          ),
        ]
      : [],
  );
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const must = 'must not have both orphan and foregroundDeletion';
    problems.push(problem(['metadata', 'finalizers'], 'Invalid', must));
  }
  return problems;
}

function entries(meta: JsonObject, field: string): [string, Json][] {
  const value = meta[field];
  return isJsonObject(value) ? Object.entries(value) : [];
}

function items(meta: JsonObject, field: string): readonly Json[] {
  const value = meta[field];
  return Array.isArray(value) ? value : [];
}
