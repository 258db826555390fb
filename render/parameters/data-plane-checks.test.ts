import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiledValidators } from '../../scripts/compile-validators.mjs';
import { checksToCode } from '../validation/compile-to-code.ts';
import { DATA_PLANE_KIND } from './data-plane-kind.ts';
import { readDataPlane } from './read-parameters.ts';

let directory: string;
let bundled: typeof readDataPlane;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'gari-data-plane-'));
  const outfile = join(directory, 'read-parameters.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('read-parameters.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    plugins: [compiledValidators()],
    logLevel: 'warning',
  });
  bundled = (await import(pathToFileURL(outfile).href)).readDataPlane;
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it.each<[object]>([
  [{ container: { image: 'a', env: [{ name: 'A', value: '1' }] }, deployment: { replicas: 2 } }],
  [{ container: { env: [{ name: 'A', value: '1', valueFrom: {} }, { name: 'A' }] } }],
  [
    {
      container: {
        resources: { limits: { cpu: 'x', memory: 1 } },
        livenessProbe: { exec: {}, grpc: { port: 1 } },
      },
    },
  ],
  [
    {
      pod: {
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } },
        volumes: [{}],
      },
    },
  ],
  [{ service: { type: 'x', extraPorts: [{ port: 1, name: 'A' }], ipFamilies: [] }, unknown: 1 }],
  [{ enforced: { policy: {}, http3: 'yes' }, policy: { allow: ['pod', 'pod'] } }],
])('the code in a bundle judges as the sources do: %j', async (spec) => {
  const metadata = { name: 'p', namespace: 'prod' };
  const object = { apiVersion: 'gari.dev/v1alpha1', kind: 'DataPlane', metadata, spec } as never;
  expect(await bundled(object, metadata)).toEqual(await readDataPlane(object, metadata));
});

it('the code for a bundle needs no ajv', () => {
  const required = checksToCode([DATA_PLANE_KIND]).matchAll(/(?:require\(|from )["']([^"']+)/g);
  expect(new Set([...required].map(([, module]) => module))).toEqual(
    new Set(['ajv/dist/runtime/ucs2length', './formats.ts']),
  );
});
