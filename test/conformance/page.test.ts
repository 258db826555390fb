import { expect, test } from 'vitest';
import { LEFT_OUT, PASSES } from './expected.ts';
import { conformancePage, withoutTimes } from './page.ts';

const run = (setupSeconds: number, testsSeconds: number) => ({
  version: 'v1.6.3',
  supportedFeatures: ['GatewayInfrastructure'],
  results: { setupSeconds, testsSeconds, tests: {} },
});

test('no test is in both lists, or twice in one', () => {
  const names = [...PASSES, ...LEFT_OUT.flatMap(({ tests }) => tests)];
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the page has the times of the run before beside those of this run', () => {
  const first = conformancePage(run(12.34, 3), '');
  expect(first).toContain('| tests | 3.0 s |  |');
  const second = conformancePage(run(11, 13.26), first);
  expect(second).toContain('base resources are ready | 11.0 s | 12.3 s |');
  expect(second).toContain('| tests | 13.3 s | 3.0 s |');
});

test('times alone are no difference', () => {
  const first = conformancePage(run(12.34, 3), '');
  const second = conformancePage(run(11, 13.26), first);
  expect(withoutTimes(second)).toBe(withoutTimes(first));
  const other = { ...run(11, 13.26), supportedFeatures: ['GatewayAddressEmpty'] };
  expect(withoutTimes(conformancePage(other, first))).not.toBe(withoutTimes(first));
});
