// What becomes of the user's labels and annotations on each object, computed from the input by hand.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { gariRender } from './fixtures.ts';

type Metadata = { labels: Record<string, string>; annotations: Record<string, string> };
type Field = keyof Metadata;

const directory = mkdtempSync(join(tmpdir(), 'gari-metadata-'));
afterAll(() => rmSync(directory, { recursive: true }));

async function metadataOf(
  infrastructure: Partial<Metadata>,
  gatewayMetadata = {},
): Promise<Record<string, Metadata>> {
  const path = join(directory, 'gateway.json');
  const gateway = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace: 'prod', ...gatewayMetadata },
    spec: {
      gatewayClassName: 'gari',
      infrastructure,
      listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
    },
  };
  writeFileSync(path, JSON.stringify(gateway));
  const { stdout, exitCode } = await gariRender(path);
  expect(exitCode).toBe(0);
  const objects = parseAllDocuments(stdout).map((document) => document.toJS());
  const find = (kind: string) => objects.find((object) => object.kind === kind);
  return {
    ServiceAccount: find('ServiceAccount').metadata,
    Deployment: find('Deployment').metadata,
    'pod template': find('Deployment').spec.template.metadata,
    Service: find('Service').metadata,
  };
}

// What gari itself puts on every object of Gateway prod/web of class gari.
const OWN: Metadata = {
  labels: {
    'app.kubernetes.io/managed-by': 'gari',
    'app.kubernetes.io/name': 'gari-dataplane',
    'gari.dev/component': 'dataplane',
    'gateway.networking.k8s.io/gateway-class-name': 'gari',
    'gateway.networking.k8s.io/gateway-name': 'web',
  },
  annotations: { 'gari.dev/gateway': 'prod/web' },
};

const kinds = ['ServiceAccount', 'Deployment', 'pod template', 'Service'];
const fields: Field[] = ['labels', 'annotations'];

describe.each(kinds)('%s', (kind) => {
  describe.each(fields)('%s', (field) => {
    /** What the object has, without the hash that only a Deployment has. */
    const found = async (given: Record<string, string>, gatewayMetadata = {}) => {
      const { 'gari.dev/pod-template-hash': _, ...rest } = (
        await metadataOf({ [field]: given }, gatewayMetadata)
      )[kind]![field];
      return rest;
    };

    it('has what is added', async () => {
      expect(await found({ team: 'payments', 'example.com/tier': 'one' })).toEqual({
        ...OWN[field],
        team: 'payments',
        'example.com/tier': 'one',
      });
    });

    it('has what it is changed to', async () => {
      expect(await found({ team: 'payments' })).toEqual({ ...OWN[field], team: 'payments' });
      expect(await found({ team: 'search' })).toEqual({ ...OWN[field], team: 'search' });
    });

    it('has nothing of what is removed', async () => {
      expect(await found({})).toEqual(OWN[field]);
    });

    it('keeps ours where the user has the same key', async () => {
      const colliding = Object.fromEntries(Object.keys(OWN[field]).map((key) => [key, 'mine']));
      expect(await found({ ...colliding, team: 'payments' })).toEqual({ ...OWN[field], team: 'payments' });
    });

    it('has nothing by which a tool tracks what it owns', async () => {
      const denied = {
        'app.kubernetes.io/instance': 'a',
        'argocd.argoproj.io/instance': 'b',
        'helm.sh/chart': 'c',
      };
      expect(await found({ ...denied, team: 'payments' })).toEqual({ ...OWN[field], team: 'payments' });
    });

    it("has nothing of the Gateway's own metadata", async () => {
      expect(await found({}, { [field]: { team: 'platform' } })).toEqual(OWN[field]);
    });
  });
});

it('a name that is too long for a label is shortened there and whole in the annotation', async () => {
  const name = `${'a'.repeat(70)}`;
  const { Service } = await metadataOf({}, { name });
  // 54 characters, and the first 8 hex digits of the SHA-256 of the name.
  expect(Service?.labels['gateway.networking.k8s.io/gateway-name']).toMatch(/^a{54}-[0-9a-f]{8}$/);
  expect(Service?.annotations['gari.dev/gateway']).toBe(`prod/${name}`);
});
