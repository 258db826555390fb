import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../functions/fn/function-config.ts';
import type { JsonObject } from '../render/json.ts';
import { renderGatewaysSchema, SCHEMA_FILE } from './render-gateways-schema.ts';

const check = new Ajv().compile(renderGatewaysSchema());
const config = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'fn.gari.dev/v1alpha1',
  kind: 'RenderGateways',
  metadata: { name: 'x' },
  spec,
  ...more,
});

describe('the published schema of RenderGateways', () => {
  it('is what the options say', () => {
    expect(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'))).toEqual(renderGatewaysSchema());
  });

  it.each<[boolean, JsonObject]>([
    [true, config({})],
    [true, config({ classNames: ['a'], mode: 'Validate', prune: 'Never', path: '{dir}/x.yaml' })],
    [false, config({ classNames: 'a' })],
    [false, config({ classNames: [''] })],
    [false, config({ mode: 'validate' })],
    [false, config({ image: '' })],
    [false, config({ image: 1 })],
    [false, config({ namespace: 'A' })],
    [false, config({ path: '../x.yaml' })],
    [false, config({ imagee: 'x' })],
    [false, config({}, { data: {} })],
    [false, config({}, { apiVersion: 'fn.gari.dev/v2' })],
  ])('and the function agree: %s for %j', (accepted, object) => {
    expect(check(object)).toBe(accepted);
    expect(readOptions(object).problems === undefined).toBe(accepted);
  });
});
