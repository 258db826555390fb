import { expect, it } from 'vitest';
import { failure } from './failure.ts';
import { UnsendableText } from './json-body.ts';
import type { ClusterObject } from './resources.ts';
import { StatusError } from './status-error.ts';
import { UnreachableError } from './transport.ts';

const service: ClusterObject = { kind: 'Service', namespace: 'prod', name: 'web-gari' };
const binding: ClusterObject = { kind: 'ClusterRoleBinding', name: 'gari-dataplane' };
const gateway: ClusterObject = { kind: 'Gateway', namespace: 'prod', name: 'web' };
const answer = (code: number, status: object) => new StatusError(code, JSON.stringify(status), undefined);

it.each([
  [
    service,
    answer(403, {
      message: 'services "web-gari" is forbidden: User "ci" cannot patch resource "services" in …',
    }),
    'no right to patch services web-gari in namespace prod',
  ],
  [
    { ...service, name: '' },
    answer(403, { message: 'services is forbidden: User "ci" cannot list resource "services" in …' }),
    'no right to list services in namespace prod',
  ],
  [
    binding,
    answer(403, { message: 'user "ci" is attempting to grant RBAC permissions not currently held' }),
    'no right to bind ClusterRole gari-dataplane, which a change of its subjects needs',
  ],
  [
    service,
    answer(403, { message: "cannot set an ownerRef on a resource you can't delete: …" }),
    'no right to delete services web-gari in namespace prod',
  ],
  [service, answer(403, { message: 'denied by a webhook' }), 'denied by a webhook'],
  [
    service,
    answer(403, { message: 'x', details: { causes: [{ reason: 'NamespaceTerminating' }] } }),
    'namespace prod is being deleted',
  ],
  [service, answer(404, { reason: 'NotFound' }), 'namespace prod is not there; create it first'],
  [gateway, answer(404, {}), "the Gateway API's CRDs are not installed in this cluster"],
  [service, answer(500, { message: 'one\n  two' }), 'one two'],
])('says of %j in one line what %s means', (object, error, message) => {
  expect(failure(object, error)).toEqual({ object, action: 'failed', message, terminal: false });
});

it('knows what trying again does not change', () => {
  expect(failure(service, answer(422, { message: 'invalid' }))).toMatchObject({ terminal: true });
  expect(failure(service, new UnsendableText('half a pair'))).toMatchObject({
    ...{ message: 'half a pair', terminal: true },
  });
});

it.each([new UnreachableError('no route'), answer(401, {}), new TypeError('a bug')])(
  'is nothing about one object: %s',
  (error) => {
    expect(() => failure(service, error)).toThrow(error);
  },
);
