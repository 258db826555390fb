import type { LabelSelector, LabelSelectorRequirement } from './gateway-api.ts';

/**
 * Whether a selector matches labels of which perhaps only some are known. `unknown`: it depends on
 * a label that `known` does not hold, while `complete` is false.
 */
export function matchSelector(
  selector: LabelSelector,
  known: Readonly<Record<string, string>>,
  complete: boolean,
): boolean | 'unknown' {
  const requirements = [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
      key,
      operator: 'In',
      values: [value],
    })),
    ...(selector.matchExpressions ?? []),
  ];
  const results = requirements.map((requirement) =>
    complete || Object.hasOwn(known, requirement.key) ? matchRequirement(requirement, known) : 'unknown',
  );
  if (results.includes(false)) return false;
  return results.includes('unknown') ? 'unknown' : true;
}

function matchRequirement(
  { key, operator, values = [] }: LabelSelectorRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
