import { describe, expect, it } from 'vitest';
import { type GivenParameters, overlaid, withParameters as parametersOf } from '../test/with-parameters.ts';
import { formatDiagnostic } from './diagnostic.ts';
import type { Gateway, GatewayClass, ListenerSet } from './gateway-api.ts';
import type { Json, JsonObject, Path } from './json.ts';
import { isJsonObject } from './json.ts';
import type { LayeredKind } from './merge-schema.ts';
import type { ExistingObject, RenderedObject } from './objects.ts';
import { OVERLAY_OF } from './parameters/overlay-layer.ts';
import { type RenderInput, type RenderOptions, render } from './render.ts';
import type { Source } from './source.ts';

const source: Source = { file: 'gateway.yaml', lineOf: (path: Path) => path.length };
const EMPTY: RenderInput = {
  gateways: [],
  gatewayClasses: [],
  listenerSets: [],
  referenceGrants: [],
  namespaces: [],
  existing: [],
  clusterRoleBindings: [],
};

function gateway(name: string, spec: Partial<Gateway['spec']> = {}, metadata = {}): Gateway {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name, namespace: 'prod', ...metadata },
    spec: {
      gatewayClassName: 'gari',
      listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
      ...spec,
    },
  };
}

const sourced = <T>(...objects: T[]) => objects.map((object) => ({ object, source }));
const renderOf = (gateways: Gateway[], more: Partial<RenderInput> = {}, options: RenderOptions = {}) =>
  render({ ...EMPTY, gateways: sourced(...gateways), ...more }, options);
const kind = (objects: ReadonlyMap<string, readonly RenderedObject[]>, wanted: LayeredKind) =>
  [...objects.values()].flat().find((object) => object.kind === wanted)!;
const at = (value: Json | undefined, ...path: (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (found, step) =>
      Array.isArray(found) ? (found[step as number] as Json) : isJsonObject(found) ? found[step] : undefined,
    value,
  );

const withParameters = (parameters: GivenParameters, spec: Partial<Gateway['spec']> = {}) => {
  const { gateway: given, ...more } = parametersOf(gateway('web', spec), parameters);
  return renderOf([given], more);
};
const pod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
const container = (fields: JsonObject) => pod({ containers: [{ name: 'dataplane', ...fields }] });

describe('layers, lowest first', () => {
  const annotated = (value: string): JsonObject => ({ metadata: { annotations: { who: value } } });
  const all: GivenParameters = {
    class: overlaid({ Service: annotated('class') }),
    gateway: overlaid({ Service: annotated('gateway') }),
    enforced: overlaid({ Service: annotated('enforced') }),
  };

  it.each<[string, GivenParameters, Partial<Gateway['spec']>, string]>([
    ['class', { class: all.class! }, {}, 'class'],
    ['gateway', { class: all.class!, gateway: all.gateway! }, {}, 'gateway'],
    [
      'infrastructure',
      { class: all.class!, gateway: all.gateway! },
      { infrastructure: { annotations: { who: 'infrastructure' } } },
      'infrastructure',
    ],
    ['enforced', all, { infrastructure: { annotations: { who: 'infrastructure' } } }, 'enforced'],
  ])('%s wins over those below', (name, parameters, spec, expected) => {
    const { objects, provenanceOf, diagnostics } = withParameters(parameters, spec);
    expect(diagnostics).toEqual([]);
    const service = kind(objects, 'Service');
    expect(at(service.metadata, 'annotations', 'who')).toBe(expected);
    expect(provenanceOf(service, ['metadata', 'annotations', 'who'])?.layer).toBe(name);
  });

  it('parameters replace defaults, field by field', () => {
    const { objects, provenanceOf } = withParameters({
      class: overlaid({ Service: { spec: { type: 'ClusterIP' } } }),
      gateway: overlaid({ Deployment: { spec: { replicas: 3 } } }),
    });
    expect(at(kind(objects, 'Service'), 'spec', 'type')).toBe('ClusterIP');
    const deployment = kind(objects, 'Deployment');
    expect(at(deployment, 'spec', 'replicas')).toBe(3);
    expect(provenanceOf(deployment, ['spec', 'replicas'])).toEqual({
      layer: 'gateway',
      object: { kind: 'DataPlane', namespace: 'prod', name: 'gateway' },
      field: 'spec.overlays.deployment.merge.spec.replicas',
      file: 'gateway.yaml',
      line: 6,
    });
    const image = ['spec', 'template', 'spec', 'containers', 0, 'image'];
    expect(provenanceOf(deployment, image)).toEqual({ layer: 'defaults' });
  });

  it('tells where a label stands in the Gateway, and that the hash is of the identity', () => {
    const { objects, provenanceOf } = renderOf([
      gateway('web', { infrastructure: { labels: { team: 'a' } } }),
    ]);
    const deployment = kind(objects, 'Deployment');
    expect(provenanceOf(deployment, ['spec', 'template', 'metadata', 'labels', 'team'])).toEqual({
      layer: 'infrastructure',
      object: { kind: 'Gateway', namespace: 'prod', name: 'web' },
      field: 'spec.infrastructure.labels.team',
      file: 'gateway.yaml',
      line: 4,
    });
    expect(provenanceOf(deployment, ['metadata', 'annotations', 'gari.dev/pod-template-hash'])?.layer).toBe(
      'identity',
    );
    expect(provenanceOf(deployment, ['metadata', 'name'])?.layer).toBe('identity');
    expect(provenanceOf(deployment, ['spec', 'nothing'])).toBeUndefined();
  });
});

it('tells where a requested address stands in the Gateway', () => {
  const { objects, provenanceOf } = renderOf([gateway('web', { addresses: [{ value: '192.0.2.1' }] })]);
  expect(provenanceOf(kind(objects, 'Service'), ['spec', 'loadBalancerIP'])).toMatchObject({
    layer: 'infrastructure',
    field: 'spec.addresses',
  });
});

describe('no parameters change the identity', () => {
  it.each<[LayeredKind, JsonObject, string]>([
    ['Service', { metadata: { name: 'mine' } }, 'Service.metadata.name'],
    ['Deployment', { metadata: { namespace: 'mine' } }, 'Deployment.metadata.namespace'],
    ['ServiceAccount', { metadata: { ownerReferences: [] } }, 'ServiceAccount.metadata.ownerReferences'],
    [
      'Service',
      { metadata: { labels: { 'gari.dev/component': 'x' } } },
      'Service.metadata.labels["gari.dev/component"]',
    ],
    ['Service', { spec: { selector: { app: 'x' } } }, 'Service.spec.selector'],
    ['Service', { spec: { ports: [{ port: 80, nodePort: 30080 }] } }, 'Service.spec.ports[0]'],
    ['Deployment', { spec: { selector: { matchLabels: { app: 'x' } } } }, 'Deployment.spec.selector'],
    ['Deployment', pod({ serviceAccountName: 'admin' }), 'Deployment.spec.template.spec.serviceAccountName'],
    // The old name of the same field.
    ['Deployment', pod({ serviceAccount: 'admin' }), 'Deployment.spec.template.spec.serviceAccount'],
    [
      'Deployment',
      { spec: { template: { metadata: { labels: { 'gateway.networking.k8s.io/gateway-name': 'x' } } } } },
      'Deployment.spec.template.metadata.labels["gateway.networking.k8s.io/gateway-name"]',
    ],
    ['Deployment', { apiVersion: 'apps/v2' }, 'Deployment.apiVersion'],
    ['Service', { status: { loadBalancer: {} } }, 'Service.status'],
  ])('%s %j', (wanted, overlay, field) => {
    const inDataPlane = (name: string, of: string) => {
      const overlay = OVERLAY_OF[wanted];
      const place = name === 'enforced' ? 'spec.enforced' : 'spec';
      return of.replace(wanted, `${place}.overlays.${overlay}.merge`);
    };
    for (const name of ['class', 'gateway', 'enforced'] as const) {
      const { objects, retain, diagnostics } = withParameters({ [name]: overlaid({ [wanted]: overlay }) });
      expect(
        diagnostics.map(({ severity, field: found, object }) => [severity, found, object?.name]),
      ).toEqual([['error', inDataPlane(name, field), name === 'gateway' ? 'gateway' : 'class']]);
      expect(diagnostics[0]?.message).toContain(`${name} layer`);
      expect(objects.get('prod/web')).toEqual([]);
      expect(retain.map((each) => each.kind)).toEqual([
        'ServiceAccount',
        'RoleBinding',
        'Deployment',
        'Service',
      ]);
    }
  });

  it('keys by which tools track what they own are dropped, with a warning', () => {
    const overlay = { metadata: { labels: { 'helm.sh/chart': 'x', team: 'a' } } };
    const { objects, diagnostics } = withParameters({ class: overlaid({ Service: overlay }) });
    expect(at(kind(objects, 'Service').metadata, 'labels', 'team')).toBe('a');
    expect(at(kind(objects, 'Service').metadata, 'labels', 'helm.sh/chart')).toBeUndefined();
    expect(diagnostics.map(({ severity, reason, field }) => [severity, reason, field])).toEqual([
      ['warning', 'ReservedKey', 'spec.overlays.service.merge.metadata.labels["helm.sh/chart"]'],
    ]);
  });
});

describe('what the data plane may read', () => {
  it('is nothing where parameters bring their own image', () => {
    const { objects, subjects } = withParameters({
      class: overlaid({ Deployment: container({ image: 'nginx' }) }),
    });
    expect(subjects).toEqual([]);
    expect(at(kind(objects, 'Deployment'), 'spec', 'template', 'spec', 'automountServiceAccountToken')).toBe(
      false,
    );
  });

  it('is shared with the image that the caller names', () => {
    const { objects, subjects } = renderOf([gateway('web')], {}, { image: 'mirror.example.com/gari:v1' });
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'web-gari', namespace: 'prod' }]);
    expect(
      at(kind(objects, 'Deployment'), 'spec', 'template', 'spec', 'automountServiceAccountToken'),
    ).toBeUndefined();
  });

  it('is never every Gateway: --dataplane-mode needs both names', () => {
    const args = ['--dataplane-mode', '--gateway-namespace=prod'];
    const { diagnostics } = withParameters({ gateway: overlaid({ Deployment: container({ args }) }) });
    expect(diagnostics.map(({ severity, message }) => [severity, message])).toEqual([
      ['error', expect.stringContaining('without --gateway-name=web')],
    ]);
    const both = [...args, '--gateway-name=web'];
    expect(
      withParameters({ gateway: overlaid({ Deployment: container({ args: both }) }) }).diagnostics,
    ).toEqual([]);
  });
});

describe('the pod template hash', () => {
  const hashOf = (spec: Partial<Gateway['spec']>, parameters: GivenParameters = {}) =>
    at(
      kind(withParameters(parameters, spec).objects, 'Deployment').metadata,
      'annotations',
      'gari.dev/pod-template-hash',
    );
  const base = hashOf({});

  it.each<[string, Partial<Gateway['spec']>, GivenParameters]>([
    ['a label', { infrastructure: { labels: { a: 'b' } } }, {}],
    ['an annotation', { infrastructure: { annotations: { a: 'b' } } }, {}],
    ['an argument', {}, { class: overlaid({ Deployment: container({ args: ['x'] }) }) }],
    ['a probe', {}, { class: overlaid({ Deployment: container({ readinessProbe: { periodSeconds: 5 } }) }) }],
  ])('changes with %s', (_, spec, parameters) => expect(hashOf(spec, parameters)).not.toBe(base));

  it('is 16 hex digits, and does not change with what is outside the template', () => {
    expect(base).toMatch(/^[0-9a-f]{16}$/);
    expect(hashOf({}, { class: overlaid({ Deployment: { spec: { replicas: 3 } } }) })).toBe(base);
    expect(hashOf({}, { class: overlaid({ Deployment: { metadata: { annotations: { a: 'b' } } } }) })).toBe(
      base,
    );
    expect(hashOf({ listeners: [{ name: 'dns', port: 53, protocol: 'UDP' }] })).toBe(base);
  });
});

describe('render', () => {
  it('says of two Gateways with one name that they have it', () => {
    // Found by trying: both are cut to the same 49 characters, and both hashes start with 9f492c9a.
    const [first, second] = [`${'a'.repeat(60)}u1`, `${'a'.repeat(60)}1d3x`];
    const { diagnostics } = renderOf([gateway(first), gateway(second)]);
    expect(diagnostics.map(({ reason, object }) => [reason, object?.name]).sort()).toEqual(
      [first, second].map((name) => ['NameCollision', name]).sort(),
    );
  });

  describe('one name for two', () => {
    const [first, second] = [`${'a'.repeat(60)}u1`, `${'a'.repeat(60)}1d3x`];
    it.each<[string, Gateway[]]>([
      ['in two namespaces', [gateway(first), gateway(second, {}, { namespace: 'test' })]],
      ['of which one is being deleted', [gateway(first), gateway(second, {}, { deletionTimestamp: 'x' })]],
      ['of which one is not ours', [gateway(first), gateway(second, { gatewayClassName: 'nginx' })]],
      ['that are one Gateway twice, which the reader of the input says', [gateway(first), gateway(first)]],
    ])('is none for two %s', (_, gateways) => expect(renderOf(gateways).diagnostics).toEqual([]));

    it('names the other one and what to do', () => {
      const { diagnostics } = renderOf([gateway(first), gateway(second)]);
      expect(diagnostics.map(formatDiagnostic).sort()[0]).toBe(
        `Gateway prod/${second}: metadata.name gives its objects the name ${'a'.repeat(49)}-9f492c9a-gari, and so does Gateway prod/${first}: rename one`,
      );
    });
  });

  it('gives the same for every order of the input', () => {
    const set = (name: string): ListenerSet => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'ListenerSet',
      metadata: { name, namespace: 'team' },
      spec: {
        parentRef: { name: 'web', namespace: 'prod' },
        listeners: [{ name, port: 5432, protocol: 'TCP' }],
      },
    });
    const gatewayClass = (name: string, controllerName: string): GatewayClass => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name },
      spec: { controllerName },
    });
    const input: RenderInput = {
      ...EMPTY,
      gateways: sourced(
        gateway('web', {
          allowedListeners: { namespaces: { from: 'All' } },
          infrastructure: { labels: { b: '', a: '' } },
        }),
        gateway('b', { gatewayClassName: 'nginx' }),
        gateway('web', {}, { namespace: 'a' }),
        gateway('a-b', { listeners: [{ name: 'x', port: 80, protocol: 'SCTP' }] }),
        gateway('a'),
      ),
      gatewayClasses: sourced(
        gatewayClass('gari', 'gari.dev/gateway-controller'),
        gatewayClass('nginx', 'nginx.org/x'),
      ),
      listenerSets: sourced(set('x'), set('y'), set('z')),
      existing: sourced(
        { kind: 'ServiceAccount', metadata: { name: 'a-gari', namespace: 'prod' } },
        { kind: 'Deployment', metadata: { name: 'a-gari', namespace: 'prod' } },
      ),
    };
    const reversed = Object.fromEntries(
      Object.entries(input).map(([key, list]) => [key, [...(list as unknown[])].reverse()]),
    ) as unknown as RenderInput;
    const textOf = (given: RenderInput) => {
      const { objects, subjects, retain, diagnostics } = render(given);
      return JSON.stringify({ objects: [...objects], subjects, retain, diagnostics });
    };
    expect(textOf(reversed)).toBe(textOf(input));
    const { objects, subjects, others } = render(input);
    expect([...objects.keys()]).toEqual(['a/web', 'prod/a', 'prod/a-b', 'prod/web']);
    expect(objects.get('a/web')?.map((object) => object.kind)).toEqual([
      'ServiceAccount',
      'Deployment',
      'Service',
    ]);
    expect(subjects.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual([
      'a/web-gari',
      'prod/a-b-gari',
      'prod/web-gari',
    ]);
    expect(others.map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  it('leaves a Gateway alone that is being deleted', () => {
    const { objects, subjects } = renderOf([
      gateway('web', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ]);
    expect([objects.size, subjects]).toEqual([0, []]);
  });

  describe('of one Gateway only', () => {
    const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    it.each<[string, Gateway[], string[]]>([
      // Title, Gateways beside prod/shop, problems where prod/web is asked for.
      ['that is there', [gateway('web')], []],
      ['that is not there', [], ['error NotFound --gateway prod/web: the input holds no such Gateway']],
      [
        'that is in another namespace',
        [gateway('web', {}, { namespace: 'test' })],
        ['error NotFound --gateway prod/web: the input holds no such Gateway'],
      ],
      [
        'that is being deleted',
        [gateway('web', {}, deleted)],
        [
          'error BeingDeleted Gateway prod/web: metadata.deletionTimestamp is set: nothing is rendered for a Gateway that is being deleted',
        ],
      ],
      [
        'that is not known to be ours',
        [gateway('web', { gatewayClassName: 'nginx' })],
        [
          "error ForeignClass Gateway prod/web: spec.gatewayClassName is nginx, which is not known to be a class of gari's; name it with --class-name if it is",
        ],
      ],
    ])('%s', (_, gateways, problems) => {
      const { objects, subjects, diagnostics } = renderOf(
        [gateway('shop'), ...gateways],
        {},
        { gateway: 'prod/web' },
      );
      expect(diagnostics.map((each) => `${each.severity} ${each.reason} ${formatDiagnostic(each)}`)).toEqual(
        problems,
      );
      const rendered = problems.length === 0 ? ['prod/web'] : [];
      expect([...objects.keys()]).toEqual(rendered);
      expect(subjects).toHaveLength(rendered.length);
    });
  });

  it('gives a foreign ServiceAccount no rights', () => {
    const foreign = { kind: 'ServiceAccount', metadata: { name: 'web-gari', namespace: 'prod' } };
    const { subjects, diagnostics } = renderOf([gateway('web'), gateway('shop')], {
      existing: sourced(foreign),
    });
    expect(subjects.map(({ name }) => name)).toEqual(['shop-gari']);
    expect(diagnostics.map(({ severity, reason, object }) => [severity, reason, object?.name])).toEqual([
      ['error', 'ResourceConflict', 'web'],
    ]);
  });

  it.each([0, 1])('finds a foreign ServiceAccount beside its own, in either order', (first) => {
    const foreign = { kind: 'ServiceAccount', metadata: { name: 'web-gari', namespace: 'prod' } };
    const labels = {
      'gateway.networking.k8s.io/gateway-name': 'web',
      'app.kubernetes.io/managed-by': 'gari',
    };
    const own = { ...foreign, metadata: { ...foreign.metadata, labels } };
    const both = first === 0 ? [foreign, own] : [own, foreign];
    const { subjects, diagnostics } = renderOf([gateway('web')], { existing: sourced(...both) });
    expect(subjects).toEqual([]);
    expect(diagnostics.map(({ reason }) => reason)).toEqual(['ResourceConflict']);
  });

  it.each<[string, string, string, string[]]>([
    // Title, kind, namespace, the objects that are in the way.
    ['a Deployment', 'Deployment', 'prod', ['Deployment prod/web-gari']],
    ['a Service', 'Service', 'prod', ['Service prod/web-gari']],
    ['a Service in another namespace', 'Service', 'test', []],
    ['an object of another kind', 'ConfigMap', 'prod', []],
  ])('says of %s of somebody else whether it is in the way', (_, foreignKind, namespace, inTheWay) => {
    const foreign = { kind: foreignKind, metadata: { name: 'web-gari', namespace } };
    const { subjects, diagnostics } = renderOf([gateway('web')], { existing: sourced(foreign) });
    expect(diagnostics.map(formatDiagnostic)).toEqual(
      inTheWay.map(
        (object) =>
          `Gateway prod/web: cannot have its ${object}: one is there that is not gari's (ResourceConflict); rename or remove it`,
      ),
    );
    // Its ServiceAccount is its own.
    expect(subjects).toHaveLength(1);
  });

  it('takes what it has rendered before for its own', () => {
    const { objects } = renderOf([gateway('web')]);
    const existing = sourced(...(objects.get('prod/web') as unknown as ExistingObject[]));
    expect(renderOf([gateway('web')], { existing }).diagnostics).toEqual([]);
  });

  it('retains all and gives no rights where something is wrong', () => {
    const { objects, subjects, retain } = renderOf([
      gateway('web', { addresses: [{ value: 'nonsense' }] }),
      gateway('shop'),
    ]);
    expect(objects.get('prod/web')).toEqual([]);
    expect(retain).toEqual([
      { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'prod', name: 'web-gari' },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        namespace: 'prod',
        name: 'web-gari',
      },
      { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'prod', name: 'web-gari' },
      { apiVersion: 'v1', kind: 'Service', namespace: 'prod', name: 'web-gari' },
    ]);
    expect(objects.get('prod/shop')).toHaveLength(3);
    expect(subjects.map(({ name }) => name)).toEqual(['shop-gari']);
  });

  it('retains the Service where no listener can be served', () => {
    const { objects, retain, subjects } = renderOf([
      gateway('web', { listeners: [{ name: 'x', port: 80, protocol: 'SCTP' }] }),
    ]);
    expect(objects.get('prod/web')?.map((object) => object.kind)).toEqual(['ServiceAccount', 'Deployment']);
    expect(retain).toEqual([{ apiVersion: 'v1', kind: 'Service', namespace: 'prod', name: 'web-gari' }]);
    expect(subjects).toHaveLength(1);
  });

  it('says nothing of the order of ListenerSets where it does not matter', () => {
    const set = (name: string, port: number): ListenerSet => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'ListenerSet',
      metadata: { name, namespace: 'prod' },
      spec: { parentRef: { name: 'web' }, listeners: [{ name: 'a', port, protocol: 'TCP' }] },
    });
    const web = gateway('web', { allowedListeners: { namespaces: { from: 'Same' } } });
    const reasons = (...sets: ListenerSet[]) =>
      renderOf([web], { listenerSets: sourced(...sets) }).diagnostics.map(({ reason }) => reason);
    expect(reasons(set('a', 5432), set('b', 5433))).toEqual([]);
    expect(reasons(set('a', 5432), set('b', 5432))).toEqual(['NeedsCluster', 'ProtocolConflict']);
  });
});

describe('where rights can be given in single namespaces alone', () => {
  const options: RenderOptions = { scope: 'namespaces' };

  it('a data plane is bound to a Role in its own, and never a subject of the shared binding', () => {
    const { objects, subjects } = renderOf([gateway('web')], {}, options);
    expect(subjects).toEqual([]);
    expect(kind(objects, 'RoleBinding')).toMatchObject({
      metadata: { name: 'web-gari', namespace: 'prod' },
      roleRef: { kind: 'Role', name: 'gari-dataplane' },
      subjects: [{ kind: 'ServiceAccount', name: 'web-gari', namespace: 'prod' }],
    });
  });

  it('parameters cannot ask for more, but for less', () => {
    const access = (wanted: 'Shared' | 'None') => {
      const { gateway: given, ...more } = parametersOf(gateway('web'), { class: { access: wanted } });
      return renderOf([given], more, options);
    };
    const shared = access('Shared');
    expect(kind(shared.objects, 'RoleBinding')).toBeDefined();
    expect(shared.diagnostics).toMatchObject([
      { severity: 'warning', reason: 'AccessLimited', field: 'spec.access' },
    ]);
    const none = access('None');
    expect(kind(none.objects, 'RoleBinding')).toBeUndefined();
    expect(none.diagnostics).toEqual([]);
    expect(renderOf([gateway('web')], {}, options).diagnostics).toEqual([]);
  });
});
