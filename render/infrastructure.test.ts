import { describe, expect, it } from 'vitest';
import type { Gateway, Infrastructure } from './gateway-api.ts';
import { infrastructureMetadata, infrastructureOrigin } from './infrastructure.ts';
import { formatPath, type Path } from './json.ts';

const gateway = (infrastructure?: Infrastructure) => ({
  object: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace: 'prod', labels: { platform: 'x' }, annotations: { platform: 'x' } },
    spec: {
      gatewayClassName: 'gari',
      listeners: [],
      ...(infrastructure === undefined ? {} : { infrastructure }),
    },
  } satisfies Gateway,
  source: { file: 'web.yaml', lineOf: (path: Path) => path.length },
});

describe('infrastructureMetadata', () => {
  it.each<[string, Infrastructure | undefined]>([
    ['no infrastructure', undefined],
    ['an empty one', {}],
    ['empty maps', { labels: {}, annotations: {} }],
  ])('is empty with %s', (_, infrastructure) => {
    expect(infrastructureMetadata(gateway(infrastructure))).toEqual({
      metadata: { labels: {}, annotations: {} },
      diagnostics: [],
    });
  });

  it('keeps labels and annotations apart', () => {
    const given = { labels: { team: 'a', empty: '' }, annotations: { note: 'b' } };
    expect(infrastructureMetadata(gateway(given))).toEqual({ metadata: given, diagnostics: [] });
  });

  it('drops what is reserved, with a warning each, in an order that does not depend on the input', () => {
    const labels = { zone: 'z', 'helm.sh/chart': 'x', 'gari.dev/component': 'mine', app: 'a' };
    const annotations = { 'argocd.argoproj.io/sync-wave': '1', note: 'n' };
    const backwards = Object.fromEntries(Object.entries(labels).reverse());
    for (const order of [labels, backwards]) {
      const { metadata, diagnostics } = infrastructureMetadata(gateway({ labels: order, annotations }));
      expect(JSON.stringify(metadata)).toBe('{"labels":{"app":"a","zone":"z"},"annotations":{"note":"n"}}');
      expect(diagnostics.map(({ field, message }) => `${field} ${message}`)).toEqual([
        'spec.infrastructure.labels["gari.dev/component"] is dropped: gari.dev/ is gari\'s own',
        'spec.infrastructure.labels["helm.sh/chart"] is dropped: helm.sh/ is how Helm tracks what it owns',
        'spec.infrastructure.annotations["argocd.argoproj.io/sync-wave"] is dropped: argocd.argoproj.io/ is how Argo CD tracks what it owns',
      ]);
      for (const { severity, reason, object, file, line } of diagnostics) {
        expect([severity, reason, object?.name, file, line]).toEqual([
          'warning',
          'ReservedKey',
          'web',
          'web.yaml',
          4,
        ]);
      }
    }
  });
});

describe('infrastructureOrigin', () => {
  it('is the Gateway', () => {
    const { object, source } = infrastructureOrigin(gateway());
    expect([object, source?.file]).toEqual([{ kind: 'Gateway', namespace: 'prod', name: 'web' }, 'web.yaml']);
  });

  it.each<[Path, string | undefined]>([
    [['metadata', 'labels', 'example.com/team'], 'spec.infrastructure.labels["example.com/team"]'],
    [['metadata', 'annotations', 'labels'], 'spec.infrastructure.annotations.labels'],
    [['spec', 'template', 'metadata', 'annotations', 'note'], 'spec.infrastructure.annotations.note'],
    [['metadata', 'labels', 'loadBalancerIP'], 'spec.infrastructure.labels.loadBalancerIP'],
    [['spec', 'loadBalancerIP'], 'spec.addresses'],
    [['spec', 'type'], undefined],
  ])('%j stands in %s', (path, expected) => {
    const field = infrastructureOrigin(gateway()).fieldOf(path);
    expect(field === undefined ? undefined : formatPath(field)).toBe(expected);
  });
});
