// Whose fault it is, so that a controller knows which object to say it on.
import { describe, expect, it } from 'vitest';
import { dataPlane, withParameters } from '../../test/with-parameters.ts';
import type { Gateway } from '../gateway-api.ts';
import { type RenderInput, render } from '../render.ts';
import { problem } from '../validation/problem.ts';

const GATEWAY: Gateway = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'Gateway',
  metadata: { name: 'web', namespace: 'prod' },
  spec: { gatewayClassName: 'gari', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
};
const EMPTY = {
  listenerSets: [],
  referenceGrants: [],
  namespaces: [],
  existing: [],
  clusterRoleBindings: [],
};
const CLASS = { kind: 'GatewayClass', name: 'gari' };
const OWN = { kind: 'Gateway', namespace: 'prod', name: 'web' };

function rendered(
  { gateway, ...more }: ReturnType<typeof withParameters>,
  change: Partial<RenderInput> = {},
) {
  return render({ ...EMPTY, gateways: [{ object: gateway }], ...more, ...change });
}

/** Reading a DataPlane found something wrong. */
const broken = (namespace: string, name: string) => {
  const { object, source } = dataPlane(namespace, name, {});
  const { spec: _, ...rest } = object;
  const problems = [problem(['spec', 'deployment', 'replicas'], 'TypeInvalid', 'must be a whole number')];
  return { object: { ...rest, problems }, ...(source === undefined ? {} : { source }) };
};

describe('a fault', () => {
  const given = withParameters(GATEWAY, { class: {}, gateway: {} });
  const [ofClass, ofGateway] = given.dataPlanes;

  it.each<[string, RenderInput['dataPlanes'], object, object, string]>([
    ['a class whose parameters are not there', [ofGateway!], CLASS, CLASS, 'spec.parametersRef'],
    ['a Gateway whose parameters are not there', [ofClass!], OWN, OWN, 'spec.infrastructure.parametersRef'],
    [
      'a class whose parameters are wrong',
      [broken('gari-system', 'class'), ofGateway!],
      CLASS,
      { kind: 'DataPlane', namespace: 'gari-system', name: 'class' },
      'spec.deployment.replicas',
    ],
    [
      'a Gateway whose parameters are wrong',
      [ofClass!, broken('prod', 'gateway')],
      OWN,
      { kind: 'DataPlane', namespace: 'prod', name: 'gateway' },
      'spec.deployment.replicas',
    ],
    [
      'a class whose parameters are there twice',
      [ofClass!, ofClass!, ofGateway!],
      CLASS,
      CLASS,
      'spec.parametersRef',
    ],
  ])('of %s', (_, dataPlanes, parametersOf, object, field) => {
    const result = rendered(given, { dataPlanes: dataPlanes ?? [] });
    expect(result.diagnostics).toMatchObject([
      { severity: 'error', reason: 'InvalidParameters', parametersOf, object, field },
    ]);
    expect(result.objects.get('prod/web')).toEqual([]);
    expect(result.subjects).toEqual([]);
    expect(result.retain.map(({ kind }) => kind)).toEqual([
      'ServiceAccount',
      'RoleBinding',
      'Deployment',
      'Service',
    ]);
    expect(result.retainSubjects).toEqual([{ kind: 'ServiceAccount', namespace: 'prod', name: 'web-gari' }]);
  });

  it('of a class is said once, for however many Gateways', () => {
    const second = { ...given.gateway, metadata: { name: 'shop', namespace: 'prod' } };
    const gateways = [given.gateway, second].map((object) => ({ object }));
    const result = rendered(given, { gateways, dataPlanes: [broken('gari-system', 'class'), ofGateway!] });
    expect(result.diagnostics).toHaveLength(1);
    expect(result.retainSubjects).toHaveLength(2);
  });

  it('of a DataPlane that nobody uses is said all the same, of a ConfigMap not', () => {
    const unused = broken('prod', 'unused');
    const configMap = { object: { ...unused.object, kind: 'ConfigMap' as const } };
    const result = rendered(given, { dataPlanes: [...given.dataPlanes, unused], configMaps: [configMap] });
    expect(result.diagnostics).toMatchObject([
      { object: { name: 'unused' }, field: 'spec.deployment.replicas' },
    ]);
    expect(result.objects.get('prod/web')).toHaveLength(3);
  });

  it('of what a Gateway may not set is the Gateway’s; its class goes on', () => {
    const refused = withParameters(GATEWAY, { gateway: { container: { image: 'x' } }, policy: {} });
    expect(rendered(refused).diagnostics).toMatchObject([
      { parametersOf: OWN, object: { name: 'gateway' }, field: 'spec.container.image' },
    ]);
  });

  it('none where all is right, and nothing is retained', () => {
    const { diagnostics, retain, retainSubjects } = rendered(given);
    expect([diagnostics, retain, retainSubjects]).toEqual([[], [], []]);
  });
});
