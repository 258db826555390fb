import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { describeCluster } from './cluster/vitest.ts';

describeCluster('npm run demo', ['gateway-api', 'controller-manager', 'scheduler', 'kwok', 'metallb'], () => {
  it('walks through all that it promises', () => {
    const demo = spawnSync('npm', ['run', '--silent', 'demo'], { encoding: 'utf8', timeout: 240_000 });
    expect(demo.status, demo.stdout + demo.stderr).toBe(0);
    const steps = [...demo.stdout.matchAll(/^\W*1m(\d)\. \w+/gm)].map(([, step]) => step);
    expect(steps).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(demo.stdout).toContain('"reason":"ResourceConflict"');
    expect(demo.stdout).toContain('controller | handed over\n');
  }, 300_000);
});
