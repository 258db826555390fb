import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { dataPlaneCrd } from '../k8s/install/data-plane-crd.ts';
import type { JsonObject } from '../render/json.ts';
import { dataPlaneFiles } from './data-plane-files.ts';
import { dataPlaneJsonSchema } from './data-plane-json-schema.ts';

describe('what is published of DataPlane', () => {
  it.each(Object.entries(dataPlaneFiles()))('%s is what the fields say', (path, text) => {
    expect(readFileSync(path, 'utf8'), 'run npx tsx scripts/data-plane-files.ts').toBe(text);
  });

  it('is a CRD that kubectl apply can take without --server-side', () => {
    // The annotation last-applied-configuration may have 256 KiB.
    expect(JSON.stringify(dataPlaneCrd()).length).toBeLessThan(200_000);
  });
});

describe('the JSON Schema for editors', () => {
  const check = new Ajv({ strict: false }).compile(dataPlaneJsonSchema());
  const dataPlane = (spec: JsonObject): JsonObject => ({
    apiVersion: 'gari.dev/v1alpha1',
    kind: 'DataPlane',
    metadata: { name: 'a' },
    spec,
  });

  it.each<[boolean, string, JsonObject]>([
    [true, 'nothing', {}],
    [true, 'an image', { container: { image: 'envoy:1' } }],
    [true, 'a partial object', { overlays: { service: { merge: { spec: { anything: 1 } } } } }],
    [true, 'an enforced value', { enforced: { service: { annotations: { a: 'b' } } } }],
    [true, 'a quantity', { container: { resources: { limits: { cpu: 1, memory: '1Gi' } } } }],
    [true, 'a named port', { service: { extraPorts: [{ name: 'a', port: 1, targetPort: 'a' }] } }],
    [false, 'an unknown field', { image: 'envoy:1' }],
    [false, 'an unknown field below', { container: { Image: 'envoy:1' } }],
    [false, 'an unknown field of Kubernetes', { container: { livenessProbe: { httpget: {} } } }],
    [false, 'an unknown enforced field', { enforced: { policy: {} } }],
    [false, 'a wrong type', { enforced: { deployment: { replicas: 'two' } } }],
    [false, 'a number that is none of a port', { container: { ports: { http: 65536 } } }],
    [false, 'another word', { access: 'All' }],
    [false, 'a quantity that is none', { container: { resources: { limits: { cpu: 'much' } } } }],
  ])('%s for %s', (accepted, _, spec) => {
    expect(check(dataPlane(spec)), JSON.stringify(check.errors)).toBe(accepted);
  });

  it('says what each field is, and its rules', () => {
    const text = JSON.stringify(dataPlaneJsonSchema());
    expect(text).toContain('Port for HTTP listeners. By default: 8000.');
    expect(text).toContain('Rule: two ipFamilies need another ipFamilyPolicy than SingleStack.');
  });
});
