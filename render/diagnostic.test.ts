import { describe, expect, it } from 'vitest';
import { type Diagnostic, diagnose, formatDiagnostic, formatReference, subjectOf } from './diagnostic.ts';
import { formatPath, type Path } from './json.ts';

const web = { kind: 'Gateway', metadata: { name: 'web', namespace: 'prod' } };
const source = { file: 'a.yaml', lineOf: (path: Path) => (path.length === 0 ? 1 : 7) };

describe('formatPath', () => {
  it.each<[Path, string]>([
    [[], ''],
    [['spec'], 'spec'],
    [['spec', 'listeners', 0, 'port'], 'spec.listeners[0].port'],
    [
      ['spec', 'infrastructure', 'labels', 'example.com/team'],
      'spec.infrastructure.labels["example.com/team"]',
    ],
    [['labels', 'cost-centre'], 'labels.cost-centre'],
    [['labels', '8080'], 'labels["8080"]'],
    [['labels', 'a "b"'], 'labels["a \\"b\\""]'],
    [['labels', ''], 'labels[""]'],
    [['a/b', 'c'], '["a/b"].c'],
  ])('%j is %s', (path, text) => expect(formatPath(path)).toBe(text));
});

describe('diagnose', () => {
  it('names object, field, file and line', () => {
    expect(diagnose('warning', 'X', subjectOf({ object: web, source }), ['spec', 'a'], 'is wrong')).toEqual({
      severity: 'warning',
      reason: 'X',
      object: { kind: 'Gateway', namespace: 'prod', name: 'web' },
      field: 'spec.a',
      message: 'is wrong',
      file: 'a.yaml',
      line: 7,
    });
  });

  it('has no field where it is about the whole', () => {
    expect(diagnose('error', 'X', subjectOf({ object: web, source }), undefined, 'is wrong')).toEqual({
      severity: 'error',
      reason: 'X',
      object: { kind: 'Gateway', namespace: 'prod', name: 'web' },
      message: 'is wrong',
      file: 'a.yaml',
      line: 1,
    });
  });

  it('has no place where the object is of a cluster, and no namespace where it has none', () => {
    const subject = subjectOf({ object: { kind: 'GatewayClass', metadata: { name: 'gari' } } });
    expect(diagnose('error', 'X', subject, ['spec'], 'is wrong')).toEqual({
      severity: 'error',
      reason: 'X',
      object: { kind: 'GatewayClass', name: 'gari' },
      field: 'spec',
      message: 'is wrong',
    });
  });

  it('has no line where the source knows none', () => {
    const subject = subjectOf({ object: web, source: { file: 'items', lineOf: () => undefined } });
    expect(diagnose('error', 'X', subject, [], 'm')).not.toHaveProperty('line');
  });
});

describe('formatDiagnostic', () => {
  it.each<[Partial<Diagnostic>, string]>([
    [{}, 'is wrong'],
    [{ object: { kind: 'Gateway', namespace: 'prod', name: 'web' } }, 'Gateway prod/web: is wrong'],
    [
      { object: { kind: 'GatewayClass', name: 'gari' }, field: 'spec.x' },
      'GatewayClass gari: spec.x is wrong',
    ],
  ])('%j', (more, text) =>
    expect(formatDiagnostic({ severity: 'error', reason: 'X', message: 'is wrong', ...more })).toBe(text),
  );

  it('formatReference leaves out a namespace that is not there', () => {
    expect(formatReference({ kind: 'Service', namespace: 'a', name: 'b' })).toBe('Service a/b');
    expect(formatReference({ kind: 'Namespace', name: 'b' })).toBe('Namespace b');
  });
});
