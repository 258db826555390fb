import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findAssets, findKustomize } from './assets.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gari-assets-'));
  vi.stubEnv('KUBEBUILDER_ASSETS', directory);
  for (const name of ['etcd', 'kube-apiserver', 'kubectl']) writeFileSync(join(directory, name), '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

test("envtest's three programs make a cluster without further parts", async () => {
  const assets = await findAssets(() => {});
  expect(assets.parts).toEqual([]);
  expect(assets.path('kubectl')).toBe(join(directory, 'kubectl'));
  expect(() => assets.path('kwok')).toThrow(`there is no kwok in ${directory}`);
});

test('a part is there when all that it needs is', async () => {
  writeFileSync(join(directory, 'kube-controller-manager'), '');
  writeFileSync(join(directory, 'kwok'), '');
  expect((await findAssets(() => {})).parts).toEqual(['controller-manager']);
  mkdirSync(join(directory, 'kwok-stages'));
  mkdirSync(join(directory, 'gateway-api-crds'));
  expect((await findAssets(() => {})).parts).toEqual(['gateway-api', 'controller-manager', 'kwok']);
});

test('kustomize is taken from there as well', async () => {
  writeFileSync(join(directory, 'kustomize'), '');
  expect(await findKustomize(() => {})).toBe(join(directory, 'kustomize'));
});
