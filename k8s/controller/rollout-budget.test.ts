import { describe, expect, it } from 'vitest';
import type { ObservedDeployment } from '../status/observed.ts';
import type { Limit } from './options.ts';
import { RolloutBudget } from './rollout-budget.ts';

interface State {
  readonly hash: string;
  readonly generation?: number;
  readonly observed?: number;
  readonly revision?: string;
  readonly reason?: string;
  readonly updated?: number;
}

function deployment({
  hash,
  generation = 1,
  observed = 1,
  revision = '1',
  reason = 'NewReplicaSetAvailable',
  updated = 1,
}: State) {
  return {
    metadata: {
      name: 'a',
      uid: 'u',
      resourceVersion: '1',
      generation,
      annotations: { 'gari.dev/pod-template-hash': hash, 'deployment.kubernetes.io/revision': revision },
    },
    status: {
      observedGeneration: observed,
      updatedReplicas: updated,
      conditions: [{ type: 'Progressing', status: 'True', reason }],
    },
  } satisfies ObservedDeployment;
}

function budgetOf(limit: Limit, deployments: number) {
  const told: string[] = [];
  const budget = new RolloutBudget(limit, (waiting) => told.push(waiting));
  for (let n = 0; n < deployments; n++) budget.observe(`prod/d${n}`, deployment({ hash: 'old' }));
  const ask = (n: number, to = 'new', isOwn = false) =>
    budget.mayChange({ deployment: `prod/d${n}`, to, isOwn }, `prod/g${n}`);
  return { budget, told, ask };
}

describe('the rollout budget', () => {
  it.each<[Limit, number, number]>([
    [3, 100, 3],
    ['10%', 100, 10],
    ['10%', 25, 2],
    ['10%', 3, 1],
    ['100%', 3, 3],
    [1, 0, 1],
  ])('%s of %i Gateways lets %i through at once', (limit, deployments, expected) => {
    expect(budgetOf(limit, deployments).budget.limit).toBe(expected);
  });

  it('does not take the condition of the rollout before for that of a new one', () => {
    const { budget, ask } = budgetOf(1, 2);
    expect(ask(0)).toBe(true);
    budget.observe(
      'prod/d0',
      deployment({ hash: 'new', generation: 2, observed: 2, revision: '2', updated: 0 }),
    );
    expect(ask(1)).toBe(false);
    budget.observe('prod/d0', deployment({ hash: 'new', generation: 2, observed: 2, revision: '2' }));
    expect(ask(1)).toBe(true);
  });

  it('lets a few through, and the next ones as those are done, in their order', () => {
    const { budget, told, ask } = budgetOf(2, 5);
    expect([0, 1, 2, 3, 4].map((n) => ask(n))).toEqual([true, true, false, false, false]);
    // The template is written, observed, and its pods are being replaced.
    budget.observe('prod/d0', deployment({ hash: 'new', generation: 2 }));
    budget.observe(
      'prod/d0',
      deployment({ hash: 'new', generation: 2, observed: 2, revision: '2', reason: 'ReplicaSetUpdated' }),
    );
    expect(told).toEqual([]);
    budget.observe('prod/d0', deployment({ hash: 'new', generation: 2, observed: 2, revision: '2' }));
    expect(told).toEqual(['prod/g2']);
    expect(ask(3)).toBe(true);
    expect(ask(2)).toBe(false);
    expect(budget.waiting).toBe(2);
  });

  it('lets a Gateway through again whose pods are being replaced already', () => {
    const { ask } = budgetOf(1, 2);
    expect(ask(0)).toBe(true);
    expect(ask(0, 'newer')).toBe(true);
    expect(ask(1)).toBe(false);
  });

  const second = (reason: string) =>
    deployment({ hash: 'new', generation: 2, observed: 2, revision: '2', reason });

  it('knows after a restart what is under way', () => {
    const { budget, ask } = budgetOf(1, 2);
    budget.observe('prod/d0', second('ReplicaSetUpdated'));
    expect(ask(1)).toBe(false);
    expect(ask(0, 'repaired')).toBe(true);
  });

  it('stops at a change of all that hangs, until that is mended', () => {
    const { budget, told, ask } = budgetOf(1, 3);
    expect([ask(0), ask(1)]).toEqual([true, false]);
    budget.observe('prod/d0', second('ReplicaSetUpdated'));
    budget.observe('prod/d0', second('ProgressDeadlineExceeded'));
    expect(told).toEqual([]);
    expect(ask(1)).toBe(false);
    expect(ask(0, 'repaired')).toBe(true);
  });

  it('goes on past a Gateway that hangs for a reason of its own, which may be mended any time', () => {
    const { budget, told, ask } = budgetOf(1, 3);
    expect([ask(0, 'new', true), ask(1)]).toEqual([true, false]);
    budget.observe('prod/d0', second('ReplicaSetUpdated'));
    expect(told).toEqual([]);
    budget.observe('prod/d0', second('ProgressDeadlineExceeded'));
    expect(told).toEqual(['prod/g1']);
    expect(ask(1)).toBe(true);
    expect([ask(2), ask(0, 'mended', true)]).toEqual([false, true]);
  });

  it('does not count the first pods of a Gateway', () => {
    const { budget, ask } = budgetOf(1, 2);
    budget.observe('prod/first', deployment({ hash: 'new', reason: 'ReplicaSetUpdated' }));
    expect(budget.underWay).toEqual([]);
    expect(ask(0)).toBe(true);
  });

  it('gives a turn to the next one when nothing came of it, or the Gateway is gone', () => {
    const { budget, told, ask } = budgetOf(1, 3);
    expect([ask(0), ask(1), ask(2)]).toEqual([true, false, false]);
    budget.giveBack('prod/d0');
    expect(told).toEqual(['prod/g1']);
    expect(ask(1)).toBe(true);
    budget.observe('prod/d1', undefined);
    expect(told).toEqual(['prod/g1', 'prod/g2']);
    budget.forget('prod/d2');
    expect(budget.waiting).toBe(0);
  });
});
