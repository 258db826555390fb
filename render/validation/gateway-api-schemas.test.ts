import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findGatewayApiModule, MODULE, VERSION } from '../../scripts/gateway-api-module.ts';
import { gatewayApiSchemas } from '../../scripts/gateway-api-schemas.ts';
import { PINNED } from './pinned-schemas.ts';

const module = findGatewayApiModule();
const reason = 'missing' in module ? ` [SKIPPED: ${module.missing}]` : '';

describe.runIf('directory' in module)(`the data file${reason}`, () => {
  test('is what the pinned module says: npx tsx scripts/gateway-api-schemas.ts writes it', () => {
    if (!('directory' in module)) return;
    expect(PINNED).toEqual(gatewayApiSchemas(module.directory));
  });
});

test('is of the version of the CRDs that the test cluster has', () => {
  const goMod = readFileSync(new URL('../../test/conformance/go.mod', import.meta.url), 'utf8');
  expect(goMod).toMatch(new RegExp(`^\\s*${MODULE} ${VERSION}\\b`, 'm'));
});

test('is of the pinned version and has no descriptions', () => {
  expect(PINNED.version).toBe(VERSION);
  expect(PINNED.kinds.map(({ kind }) => kind)).toEqual([
    'GatewayClass',
    'Gateway',
    'ListenerSet',
    'ReferenceGrant',
  ]);
  // GatewayClass has a property of that name, whose schema is an object.
  expect(JSON.stringify(PINNED)).not.toMatch(/"description":"/);
});
