import type { ValidationCase } from '../../validation/cases/case.ts';
import { DATA_PLANE_SCHEMA, type DescribedSchema } from '../structural.ts';
import { ruleCases } from './rule-cases.ts';
import { schemaCases } from './schema-cases.ts';

/**
 * The table of DataPlanes that gari and the API server must judge alike: for each constraint of the schema
 * and each CEL rule, what is accepted and what is refused. The fields below `enforced` are those above it:
 * a sample of them is enough.
 */
export function dataPlaneCases(): readonly ValidationCase[] {
  const { enforced, ...properties } = specSchema().properties ?? {};
  const { properties: _, ...aboutEnforced } = enforced ?? {};
  const { deployment = {} } = properties;
  const both = {
    type: 'object',
    properties: { ...properties, enforced: { ...aboutEnforced, properties: { deployment } } },
  } as const;
  return [...schemaCases(both), ...ruleCases()];
}

/** The schema of `spec`. */
export function specSchema(): DescribedSchema {
  return DATA_PLANE_SCHEMA.properties?.spec ?? {};
}
