import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SharedParts } from './shared-parts.ts';
import type { StoredObject } from './store.ts';
import { metadataOnly, withFieldRecordsOf, withoutFieldRecords } from './trim.ts';

const COPY = 'kubectl.kubernetes.io/last-applied-configuration';

const entry = (manager: string, uid: string) => ({
  manager,
  operation: 'Apply',
  time: '2026-01-01T00:00:00Z',
  fieldsV1: {
    'f:metadata': { 'f:ownerReferences': { [`k:{"uid":"${uid}"}`]: {} } },
    'f:spec': { 'f:replicas': {}, 'f:template': { 'f:spec': {} } },
  },
});

const deployment = (name: string): StoredObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name,
    uid: name,
    resourceVersion: '7',
    annotations: { [COPY]: '{}', 'gari.dev/gateway': 'a/b' },
    managedFields: [entry('gari', name), entry('kubectl', name)],
  },
  spec: { replicas: 1 },
});

describe('trim', () => {
  it('takes the records of fields, and kubectl’s copy', () => {
    const { metadata, spec } = withoutFieldRecords(deployment('web'));
    expect(metadata).toEqual({
      name: 'web',
      uid: 'web',
      resourceVersion: '7',
      annotations: { 'gari.dev/gateway': 'a/b' },
    });
    expect(spec).toEqual({ replicas: 1 });
  });

  it('keeps the records of one manager as they are, and those of many objects share what is the same', () => {
    const trim = withFieldRecordsOf('gari');
    const [one, two] = [trim(deployment('one')), trim(deployment('two'))];
    expect(one.metadata.managedFields).toEqual([entry('gari', 'one')]);
    expect(two.metadata.managedFields).toEqual([entry('gari', 'two')]);
    const fieldsOf = ({ metadata }: StoredObject) =>
      (metadata.managedFields?.[0] as { fieldsV1?: Record<string, unknown> } | undefined)?.fieldsV1;
    expect(fieldsOf(one)?.['f:spec']).toBe(fieldsOf(two)?.['f:spec']);
    expect(one.metadata.annotations).not.toHaveProperty(COPY);
    expect(one.spec).toEqual({ replicas: 1 });
  });

  it('keeps metadata alone', () => {
    expect(metadataOnly(deployment('web'))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: withoutFieldRecords(deployment('web')).metadata,
    });
  });

  it('changes no object that it is given', () => {
    const given = deployment('web');
    withFieldRecordsOf('gari')(given);
    withoutFieldRecords(given);
    expect(given).toEqual(deployment('web'));
  });
});

describe('SharedParts', () => {
  it('gives what it was given', () => {
    const parts = new SharedParts();
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(parts.share(plain)).toEqual(plain);
      }),
    );
  });

  it('gives the same of what is the same, however much comes in between', () => {
    const parts = new SharedParts();
    const ports = () => ({ spec: { ports: [{ port: 80 }, { port: 443 }] } });
    expect(parts.share(ports())).toBe(parts.share(ports()));
    for (let name = 0; name < 5_000; name++) parts.share({ name });
    const again = parts.share({ other: true, ...ports() });
    expect(again).toEqual({ other: true, ...ports() });
    expect(parts.share(ports()).spec).toBe(again.spec);
  });
});
