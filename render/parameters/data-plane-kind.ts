import type { KindSchemas } from '../validation/schema-file.ts';
import type { StructuralSchema } from '../validation/structural-schema.ts';
import { DATA_PLANE } from './data-plane-schema.ts';
import { DATA_PLANE_SCHEMA } from './structural.ts';

/** What validation knows of a DataPlane. */
export const DATA_PLANE_KIND: KindSchemas = {
  group: DATA_PLANE.group,
  kind: DATA_PLANE.kind,
  plural: DATA_PLANE.plural,
  namespaced: true,
  schemas: [
    {
      versions: [DATA_PLANE.version],
      statusSubresource: false,
      schema: DATA_PLANE_SCHEMA as StructuralSchema,
    },
  ],
};
