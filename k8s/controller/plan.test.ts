import { describe, expect, it } from 'vitest';
import { NO_PARAMETERS } from './parameters-loader.ts';
import { claimGateway, type OwnPlan, type PlanOptions, planGateway } from './plan.ts';
import { child, gateway, gatewayClass, viewOf } from './test-view.ts';

const options: PlanOptions = {
  controllerName: 'gari.dev/gateway-controller',
  classNames: [],
  image: 'example.com/proxy:1',
  bindingName: 'gari-dataplane',
};
const web = { namespace: 'prod', name: 'web' };

function own(objects: readonly object[]): OwnPlan {
  const view = viewOf(...objects);
  const claimed = claimGateway(view, web, options);
  if (claimed.whose !== 'ours') throw new Error(`it is ${claimed.whose}`);
  return planGateway(view, claimed.gateway, NO_PARAMETERS, options);
}

describe('whose a Gateway is', () => {
  it.each<[string, readonly object[], Partial<PlanOptions>, string]>([
    ["gari's by the name of the class, without any GatewayClass", [gateway()], {}, 'ours'],
    [
      "gari's by --class-name",
      [gateway('web', { gatewayClassName: 'edge' })],
      { classNames: ['edge'] },
      'ours',
    ],
    ["nobody's of ours by another name", [gateway('web', { gatewayClassName: 'edge' })], {}, 'other'],
    ['not by default once --class-name says which', [gateway()], { classNames: ['edge'] }, 'other'],
    [
      "gari's by controllerName",
      [gateway('web', { gatewayClassName: 'edge' }), gatewayClass('edge')],
      {},
      'ours',
    ],
    [
      "another controller's, although --class-name names it",
      [gateway('web', { gatewayClassName: 'edge' }), gatewayClass('edge', 'example.com/other')],
      { classNames: ['edge'] },
      'other',
    ],
    ["nobody's when it is gone", [], {}, 'nobody'],
    [
      "nobody's when it is going",
      [gateway('web', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
      {},
      'nobody',
    ],
    [
      "nobody's when its namespace is going",
      [
        gateway(),
        { kind: 'Namespace', metadata: { name: 'prod', deletionTimestamp: '2026-01-01T00:00:00Z' } },
      ],
      {},
      'nobody',
    ],
  ])('is %s', (_, objects, more, whose) => {
    expect(claimGateway(viewOf(...objects), web, { ...options, ...more }).whose).toBe(whose);
  });
});

describe('the plan of a Gateway of ours', () => {
  it('has its objects, its subject and who claimed it', () => {
    const plan = own([gateway(), gateway('api')]);
    expect(plan.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ServiceAccount web-gari',
      'Deployment web-gari',
      'Service web-gari',
    ]);
    expect(plan.subject).toBe('wanted');
    expect(plan.accepted).toEqual({
      status: 'True',
      reason: 'Accepted',
      message: 'claimed by gari.dev/gateway-controller with ClusterRoleBinding gari-dataplane',
    });
  });

  it('keeps what is there while something is wrong', () => {
    const plan = own([gateway('web', { addresses: [{ value: 'not an address' }] })]);
    expect(plan.objects).toEqual([]);
    expect(plan.retain.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'ServiceAccount web-gari',
      'RoleBinding web-gari',
      'Deployment web-gari',
      'Service web-gari',
    ]);
    expect(plan.subject).toBe('keep');
    expect(plan.accepted).toMatchObject({ status: 'False', reason: 'Invalid' });
  });

  it('counts the ListenerSets that add listeners', () => {
    const set = (name: string, port: number, protocol = 'HTTP') => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'ListenerSet',
      metadata: { name, namespace: 'prod', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { parentRef: { name: 'web' }, listeners: [{ name: 'a', port, protocol }] },
    });
    const open = gateway('web', { allowedListeners: { namespaces: { from: 'Same' } } });
    const plan = own([open, set('a', 81), set('b', 82), set('in-conflict', 80, 'TCP')]);
    expect(plan.attachedListenerSets).toBe(2);
    expect(JSON.stringify(plan.objects)).toContain('"port":82');
    expect(own([gateway(), set('a', 81)]).attachedListenerSets).toBe(0);
  });

  it('lets labels of namespaces decide', () => {
    const selector = { matchLabels: { team: 'a' } };
    const open = gateway('web', { allowedListeners: { namespaces: { from: 'Selector', selector } } });
    const set = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'ListenerSet',
      metadata: { name: 'a', namespace: 'team' },
      spec: {
        parentRef: { name: 'web', namespace: 'prod' },
        listeners: [{ name: 'a', port: 81, protocol: 'HTTP' }],
      },
    };
    const namespace = (team: string) => ({ kind: 'Namespace', metadata: { name: 'team', labels: { team } } });
    expect(own([open, set, namespace('a')]).attachedListenerSets).toBe(1);
    expect(own([open, set, namespace('b')]).attachedListenerSets).toBe(0);
  });
});

describe('what is left of a class of ours', () => {
  const now = gateway('web', { gatewayClassName: 'other' });
  const before = gateway('web');
  const leftovers = (...objects: readonly object[]) => {
    const plan = claimGateway(viewOf(now, gatewayClass('gari'), ...objects), web, options);
    if (plan.whose !== 'other') throw new Error(`it is ${plan.whose}`);
    return plan.leftovers.length;
  };

  it("is what has the label of that class and is the Gateway's", () => {
    expect(leftovers(child('ServiceAccount', before), child('Service', before))).toBe(2);
  });

  it('is not what another install made for the class of now', () => {
    expect(leftovers(child('Service', now))).toBe(0);
  });

  it('is not what somebody else has', () => {
    const owner = { apiVersion: 'v1', kind: 'Other', name: 'web', uid: 'x', controller: true };
    expect(leftovers(child('Service', before, { ownerReferences: [owner] }))).toBe(0);
  });
});
