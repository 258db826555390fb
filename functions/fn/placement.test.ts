import { describe, expect, it } from 'vitest';
import { fillTemplate, Placement } from './placement.ts';

describe('Placement', () => {
  it('gives the first free place in a file of a package', () => {
    const placement = new Placement([
      { path: 'a.yaml', index: 0 },
      { path: 'a.yaml', index: 2 },
      { path: 'a.yaml', index: 1, package: 'p' },
    ]);
    const next = (path: string, packagePath?: string) => placement.next(path, packagePath).index;
    expect([next('a.yaml'), next('a.yaml'), next('a.yaml')]).toEqual([1, 3, 4]);
    expect([next('a.yaml', 'p'), next('a.yaml', 'p')]).toEqual([0, 2]);
    expect([next('b.yaml'), next('b.yaml')]).toEqual([0, 1]);
  });

  it('takes no time for 20,000 objects in one file', () => {
    const placement = new Placement([]);
    const start = performance.now();
    for (let index = 0; index < 20_000; index++)
      expect(placement.next('a.yaml', undefined).index).toBe(index);
    // Looking from the start for each takes 100 times as long.
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('fillTemplate', () => {
  it.each([
    ['{dir}/{namespace}_{name}.yaml', 'a/b/gateway.yaml', 'a/b/prod_web-gari.yaml'],
    ['{dir}/x.yaml', 'gateway.yaml', 'x.yaml'],
    ['rendered/{gateway}.yaml', 'a/gateway.yaml', 'rendered/web.yaml'],
  ])('%s beside %s', (template, beside, path) => {
    const words = { namespace: 'prod', gateway: 'web', name: 'web-gari' };
    expect(fillTemplate(template, beside, words)).toBe(path);
  });
});
