import { formatPath, type Path } from '../json.ts';
import { type Problem, problem } from './problem.ts';
import { type StructuralSchema, schemaAt } from './structural-schema.ts';
import { suggest } from './suggest.ts';

/** Says which fields the server would ignore, and what was probably meant. */
export function explainUnknownFields(
  unknown: readonly Path[],
  schema: StructuralSchema,
  kind: string,
  problems: readonly Problem[],
): Problem[] {
  // Unquoted, a template looks like an object with strange fields; and of metadata of the wrong type the
  // server says no more than that.
  const opaque = problems.filter(
    ({ reason, path }) => reason === 'Placeholder' || (reason === 'TypeInvalid' && path[0] === 'metadata'),
  );
  return unknown
    .filter((path) => !opaque.some((one) => one.path.every((step, index) => path[index] === step)))
    .map((path) => {
      const parent = path.slice(0, -1);
      const known = Object.keys(schemaAt(schema, parent)?.properties ?? {});
      const meant = suggest(String(path.at(-1)), known);
      const hint = meant === undefined ? '' : `; did you mean ${formatPath([...parent, meant])}?`;
      return problem(path, 'UnknownField', `is not a field of ${kind}${hint}`);
    });
}
