import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kubernetesModule, kubernetesTypes, VERSION } from '../../scripts/kubernetes-types.ts';
import file from './kubernetes-types.json' with { type: 'json' };

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env.CI === 'true') throw new Error('Go is not installed');
    return false;
  }
}

describe.runIf(hasGo())('the data file', () => {
  it('is what the pinned module says: npx tsx scripts/kubernetes-types.ts writes it', () => {
    expect(file).toEqual(kubernetesTypes(kubernetesModule()));
  });
});

it('is of the newest Kubernetes that the tests run on', () => {
  expect(file.version).toBe(VERSION);
  expect(readFileSync('test/cluster/kubernetes-1.36/go.mod', 'utf8')).toContain(
    `k8s.io/kubernetes ${VERSION} `,
  );
});
