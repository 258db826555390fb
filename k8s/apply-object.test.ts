// Servers that take no resourceVersion for an object that is to be created.
import { expect, it } from 'vitest';
import type { Gateway } from '../render/gateway-api.ts';
import type { RenderedObject } from '../render/objects.ts';
import { applyObject } from './apply-object.ts';
import { StatusError } from './status-error.ts';
import type { RequestOptions, Transport } from './transport.ts';

const gateway: Gateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod', uid: 'u1' },
  spec: { gatewayClassName: 'gari', listeners: [] },
};
const desired: RenderedObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web-gari', namespace: 'prod' },
};
const refusal = new StatusError(
  500,
  '{"message": "resourceVersion should not be set on objects to be created"}',
  undefined,
);
const missing = new StatusError(404, '{"reason": "NotFound"}', undefined);

it('creates by a POST there, and makes the record one of an apply', async () => {
  const requests: [string, string, RequestOptions | undefined][] = [];
  const created = {
    metadata: {
      uid: 'u2',
      resourceVersion: '7',
      managedFields: [{ manager: 'gari', operation: 'Update', fieldsV1: { 'f:spec': {} } }],
    },
  };
  const transport = {
    request: async (method: string, path: string, options?: RequestOptions) => {
      requests.push([method, path, options]);
      if (method === 'GET') throw missing;
      if (method === 'PATCH' && options?.contentType === 'application/apply-patch+yaml') throw refusal;
      return created;
    },
  } as unknown as Transport;
  expect(await applyObject(transport, desired, gateway, { dryRun: false })).toMatchObject({
    action: 'created',
  });
  expect(requests.map(([method, path]) => `${method} ${path}`)).toEqual([
    'GET /api/v1/namespaces/prod/services/web-gari',
    'PATCH /api/v1/namespaces/prod/services/web-gari',
    'POST /api/v1/namespaces/prod/services',
    'PATCH /api/v1/namespaces/prod/services/web-gari',
  ]);
  expect(JSON.parse(requests[2]?.[2]?.body ?? '').metadata).not.toHaveProperty('resourceVersion');
  expect(JSON.parse(requests[3]?.[2]?.body ?? '')).toEqual([
    {
      op: 'replace',
      path: '/metadata/managedFields',
      value: [{ manager: 'gari', operation: 'Apply', fieldsV1: { 'f:spec': {} } }],
    },
    { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
  ]);
});
