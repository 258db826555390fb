import type { Field } from './schema-field.ts';

/** The fields that a class's policy can speak of, such as `container` and `container.image`. */
export function policyPaths(fields: Readonly<Record<string, Field>>, parent = ''): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${parent}${name}`;
    return 'fields' in field ? [path, ...policyPaths(field.fields, `${path}.`)] : [path];
  });
}
