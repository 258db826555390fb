import { expect, test } from 'vitest';
import { suggest } from './suggest.ts';

const KNOWN = ['addresses', 'gatewayClassName', 'listeners', 'name', 'tls'];

test.each([
  ['listners', 'listeners'],
  ['listener', 'listeners'],
  ['Listeners', 'listeners'],
  ['lisetners', 'listeners'],
  ['gatewayClass', 'gatewayClassName'],
  ['adresses', 'addresses'],
  ['nmae', 'name'],
  ['tsl', 'tls'],
  ['foo', undefined],
  ['replicas', undefined],
  ['', undefined],
])('%s is probably %s', (name, expected) => {
  expect(suggest(name, KNOWN)).toBe(expected);
});
