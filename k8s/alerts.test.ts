import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, it } from 'vitest';
import { parseYaml } from '../functions/yaml.ts';
import { createMetrics } from './operation/metrics.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description?: string };
}

interface Rules {
  readonly kind: string;
  readonly spec: { readonly groups: readonly { readonly name: string; readonly rules: readonly Alert[] }[] };
}

const { kind, spec } = parseYaml(readFileSync('k8s/alerts.yaml', 'utf8')) as Rules;
const alerts = spec.groups.flatMap(({ rules }) => rules);

/** The parts of an expression of one type, in Prometheus's own grammar. */
function partsOf(expr: string, type: string): string[] {
  const found: string[] = [];
  parser.parse(expr).iterate({
    enter: (node) => {
      if (type === 'error' ? node.type.isError : node.name === type)
        found.push(expr.slice(node.from, node.to));
    },
  });
  return found;
}

/** The labels that a metric of this process has, with one sample of each. */
async function metricLabels(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const metrics = createMetrics();
  const queue = metrics.queue('gateway', 1);
  queue.added('a');
  queue.started('a');
  metrics.reconciled('gateway', 'error', 1);
  metrics.applied('Service', 'conflict');
  metrics.requested('GET', 'host', 200);
  metrics.leading('lease', () => true);
  const type = { group: '', version: 'v1', plural: 'services', kind: 'Service', namespaced: true };
  metrics.follow(() => [{ type, synced: true, lastContact: 0 }]);
  const labels = new Map<string, Set<string>>();
  for (const [, name = '', inner = ''] of (await metrics.text()).matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    // Prometheus adds these two.
    const own = [...inner.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
    labels.set(name, new Set(['job', 'instance', ...own]));
  }
  return labels;
}

it('are a PrometheusRule with alerts that a rules file may have', () => {
  expect(kind).toBe('PrometheusRule');
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  for (const { alert, for: time = '1m', labels, annotations } of alerts) {
    expect(alert).toMatch(/^Gari[A-Za-z]+$/);
    expect(time).toMatch(/^\d+[smh]$/);
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\.$|\)\.$/);
  }
});

it.each(alerts)(
  '$alert is PromQL about metrics that there are, by labels that they have',
  async ({ expr, annotations }) => {
    expect(partsOf(expr, 'error')).toEqual([]);
    const known = await metricLabels();
    const names = partsOf(expr, 'VectorSelector').map((selector) => selector.replace(/[{[].*/, ''));
    expect(names).not.toEqual([]);
    for (const name of names) expect([...known.keys()]).toContain(name);
    const labels = new Set(names.flatMap((name) => [...(known.get(name) ?? [])]));
    const used = [
      ...partsOf(expr, 'GroupingLabels').flatMap((list) => list.match(/\w+/g) ?? []),
      ...partsOf(expr, 'UnquotedLabelMatcher').map((matcher) => matcher.replace(/\W.*/, '')),
    ];
    for (const label of used) expect([...labels]).toContain(label);
    const shown = Object.values(annotations).flatMap((text) => [...text.matchAll(/\$labels\.(\w+)/g)]);
    const kept = partsOf(expr, 'GroupingLabels').flatMap((list) => list.match(/\w+/g) ?? []);
    for (const [, label = ''] of shown) expect(kept).toContain(label);
  },
);

it('sees a mistake where there is one', () => {
  expect(partsOf('sum by (job) (rate(x[10m) < 1', 'error')).not.toEqual([]);
});
