import { expect, it } from 'vitest';
import { formatReference } from '../../render/diagnostic.ts';
import { referenceOf } from './reference.ts';

it.each([
  [{ kind: 'Gateway', metadata: { name: 'web', namespace: 'prod' } }, 'Gateway prod/web'],
  [{ kind: 'RenderGateways', metadata: { name: 'render' } }, 'RenderGateways render'],
  [{ kind: 'RenderGateways' }, 'RenderGateways (without a name)'],
  [{ kind: 'RenderGateways', metadata: {} }, 'RenderGateways (without a name)'],
])('speaks of %j', (object, expected) => {
  expect(formatReference(referenceOf(object))).toBe(expected);
});
